// A page without views: only light and dark.
const button = document.getElementById("theme");
const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
button.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; });
