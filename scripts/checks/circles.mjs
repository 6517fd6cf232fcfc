// Finds entries of a folder in src/ that import each other in a circle. The linter sees circles of files alone.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** The entries of one folder that import each other in a circle; `imports` are pairs of paths. */
export function circlesOf(imports) {
  /** @type {Map<string, Set<string>>} */
  const reached = new Map();
  for (const [from, to] of imports) {
    const [a, b] = [from.split("/"), to.split("/")];
    const depth = a.findIndex((part, index) => part !== b[index]) + 1;
    const [here, there] = [a.slice(0, depth).join("/"), b.slice(0, depth).join("/")];
    if (here !== there) reached.set(here, (reached.get(here) ?? new Set()).add(there));
  }
  /** @param {string} start */
  const allFrom = (start) => {
    /** @type {Set<string>} */
    const seen = new Set();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const to of reached.get(next) ?? []) {
        if (!seen.has(to)) open.push(to);
        seen.add(to);
      }
    }
    return seen;
  };
  const all = new Map([...reached.keys()].map((entry) => [entry, allFrom(entry)]));
  const inCircles = [...all].filter(([entry, seen]) => seen.has(entry));
  return inCircles.map(([entry, seen]) => {
    const others = [...seen].filter((other) => other !== entry && all.get(other)?.has(entry) === true);
    return [entry, ...others].toSorted();
  });
}

/** Each import of src/ as a pair of paths. */
export function importsOfSources() {
  return readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .flatMap((path) =>
      [...readFileSync(new URL(path, root), "utf8").matchAll(/\b(?:from|import\(?)\s*"(\.[^"]+)"/g)].map(
        ([, target]) => [path, posix.join(posix.dirname(path), target)],
      ),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const imports = importsOfSources();
  const found = circlesOf(imports).map((entries) => `these import each other in a circle: ${entries.join(", ")}`);
  // A check that sees nothing must not pass.
  if (imports.length < 1000) found.push(`only ${imports.length} imports were found in src/`);
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
