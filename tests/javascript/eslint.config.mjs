// Rules for the scripts of reports; nothing but eslint itself is needed.
const BROWSER = ["document", "location", "history", "navigator", "performance", "matchMedia", "getSelection", "getComputedStyle", "innerWidth", "innerHeight",
  "addEventListener", "requestAnimationFrame", "setTimeout", "URL", "URLSearchParams", "Blob", "Response", "DecompressionStream", "TextDecoder", "atob"];
const NODE = ["process"];

export default [{
  files: ["**/*.js", "**/*.mjs"],
  languageOptions: {
    ecmaVersion: 2024,
    sourceType: "module",
    globals: Object.fromEntries([...BROWSER, ...NODE].map((name) => [name, "readonly"])),
  },
  rules: {
    "no-undef": "error", "no-unused-vars": "error", "no-shadow": "error", "no-redeclare": "error", "no-var": "error",
    "prefer-const": "error", eqeqeq: "error", "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error",
    "no-unreachable": "error", "no-dupe-keys": "error", "no-duplicate-case": "error", "no-fallthrough": "error",
    "no-self-assign": "error", "no-unsafe-negation": "error", "use-isnan": "error", "valid-typeof": "error",
    "no-constant-condition": ["error", { checkLoops: false }], "no-cond-assign": "error", "no-sparse-arrays": "error",
  },
}];
