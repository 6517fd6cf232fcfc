// The language that a file's extension stands for, as GitHub's Linguist names it.

const extensionsByLanguage: Readonly<Record<string, string>> = {
  C: ".c .h",
  "C#": ".cs .csx",
  "C++": ".cc .cpp .cxx .hh .hpp .hxx",
  CSS: ".css",
  Clojure: ".clj .cljc .cljs .edn",
  Dart: ".dart",
  Elixir: ".ex .exs",
  Elm: ".elm",
  Erlang: ".erl .hrl",
  "F#": ".fs .fsi .fsx",
  Fortran: ".f .f90 .f95",
  GraphQL: ".gql .graphql",
  Go: ".go",
  Groovy: ".gradle .groovy",
  HCL: ".hcl .tf .tfvars",
  HTML: ".htm .html",
  Haskell: ".hs",
  JSON: ".json .json5 .jsonc .jsonl",
  Java: ".java",
  JavaScript: ".cjs .js .jsx .mjs",
  Julia: ".jl",
  "Jupyter Notebook": ".ipynb",
  Kotlin: ".kt .kts",
  Less: ".less",
  Lua: ".lua",
  MATLAB: ".matlab",
  Markdown: ".markdown .md .mdx",
  Nix: ".nix",
  OCaml: ".ml .mli",
  "Objective-C": ".m .mm",
  PHP: ".php",
  Perl: ".pl .pm",
  PowerShell: ".ps1 .psd1 .psm1",
  "Protocol Buffer": ".proto",
  Python: ".py .pyi .pyw",
  R: ".r",
  Ruby: ".gemspec .rake .rb",
  Rust: ".rs",
  SCSS: ".sass .scss",
  SQL: ".sql",
  SVG: ".svg",
  Scala: ".sbt .sc .scala",
  Shell: ".bash .bats .sh .zsh",
  Solidity: ".sol",
  Svelte: ".svelte",
  Swift: ".swift",
  TOML: ".toml",
  Text: ".rst .txt",
  TypeScript: ".cts .mts .ts .tsx",
  Vue: ".vue",
  WebAssembly: ".wasm .wat",
  XML: ".csproj .xml .xsd .xsl",
  YAML: ".yaml .yml",
  Zig: ".zig",
};

const languageByExtension = new Map(
  Object.entries(extensionsByLanguage).flatMap(([language, extensions]) =>
    extensions.split(" ").map((extension) => [extension, language]),
  ),
);

/** `Other` for every extension that is not in the table, and for files without one. */
export function languageOf(extension: string): string {
  return languageByExtension.get(extension) ?? "Other";
}
