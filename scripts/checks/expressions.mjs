// Finds regular expressions in src/ that a hostile text makes slow: with nested repetition, or with one that starts anew at
// each character. https://github.com/RunDevelopment/scslre says what it finds. Expressions made by `new RegExp` are not seen.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";
import { analyse } from "scslre";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** The literals of a file, each with its line. */
function* expressionsOf(text, path) {
  const waiting = [parseAst(text, { lang: "ts" }, path)];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    if (node.type === "Literal" && node.regex !== undefined) {
      yield { ...node.regex, line: text.slice(0, node.start).split("\n").length };
    }
    waiting.push(...Object.values(node));
  }
}

let count = 0;
const found = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [...expressionsOf(readFileSync(`${source}${path}`, "utf8"), path)].flatMap(({ pattern, flags, line }) => {
      count += 1;
      const { reports } = analyse({ source: pattern, flags });
      const kinds = [...new Set(reports.map(({ exponential }) => (exponential ? "exponential" : "quadratic")))];
      return kinds.map((kind) => `src/${path}:${line}: ${kind} time: /${pattern}/${flags}`);
    }),
  );

// A check that sees nothing must not pass.
if (count < 100) found.push(`only ${count} expressions were found in src/`);
for (const line of found) console.error(line);
process.exitCode = found.length === 0 ? 0 : 1;
