// Says that the rules file is broken: where, how to fix it, and which rules apply meanwhile.
import type { BrokenRules as Broken } from "../src/wings/page/contract.ts";

export function BrokenRules({ rules: { file, applies, problems, problemCount } }: { rules: Broken }) {
  const left = problemCount - problems.length;
  return (
    <section class="session isBad brokenRules" role="alert">
      <p>
        <b>The rules file is broken</b>; {applies}.
      </p>
      <ul>
        {problems.map(({ line, column, text, hint }) => (
          <li key={`${line}:${column} ${text}`}>
            <code>
              {file}:{line}:{column}
            </code>{" "}
            {text}
            {hint === undefined ? "" : `; ${hint}`}
          </li>
        ))}
      </ul>
      <p class="hint">
        {left > 0 ? `${left} more. ` : ""}Fix the file; the page sees it by itself. In a terminal: hookbell check
      </p>
    </section>
  );
}
