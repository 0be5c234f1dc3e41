// Set every equation of a page with KaTeX, which is a file of the site.
for (const one of document.querySelectorAll(".arithmatex")) {
  const text = one.textContent.trim();
  katex.render(text.slice(2, -2), one, { displayMode: text.startsWith("\\["), throwOnError: true });
}
