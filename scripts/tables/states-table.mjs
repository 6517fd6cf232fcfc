// The table of docs/background/SESSIONS.md that says how true the shown states are, and the list of what cannot be known.

import { table } from "./agent-tables.mjs";

/** The document with what stands between its two marks made anew from the results of the recorded runs. */
export function withStatesTable(document, results, agents) {
  const ids = agents.map(({ id }) => id).filter((id) => results.some(({ agent }) => agent === id));
  const rows = ids.map((id) =>
    rowOf(
      agents.find((each) => each.id === id).name,
      results.filter(({ agent }) => agent === id),
    ),
  );
  const heads = [
    "agent",
    "true state shown",
    "right again, after the agent's first sign",
    "nights with the true state",
  ];
  const gaps = ids.flatMap((id) =>
    gapsOf(
      agents.find((each) => each.id === id).name,
      results.filter(({ agent }) => agent === id),
    ),
  );
  const text = `${table(heads, rows)}\nWhere it is wrong for longer:\n\n${gaps.join("")}`;
  return document.replace(
    /(<!-- made by npm run generate -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${text}\n${end}`,
  );
}

function rowOf(name, runs) {
  const sum = (of) => runs.reduce((total, run) => total + of(run), 0);
  const share = (100 * sum(({ trueMs }) => trueMs)) / sum(({ allMs }) => allMs);
  const delays = runs
    .flatMap(({ wrong }) => wrong.filter(({ because }) => because === undefined).map(({ afterSign }) => afterSign))
    .toSorted((a, b) => a - b);
  const median = delays[Math.floor(delays.length / 2)] ?? 0;
  const longest = delays.at(-1) ?? 0;
  const nights = `${sum((run) => run.trueNights)} of ${sum((run) => run.nights)}`;
  const delay = `${median.toFixed(1)} s, at most ${longest.toFixed(1)} s`;
  return [`${name} ${runs[0].version}`, `${share.toFixed(1)} % in ${runs.length} runs`, delay, nights];
}

/** What is wrong for longer, by its reason. */
function gapsOf(name, runs) {
  const spells = runs.flatMap(({ run, wrong }) => wrong.map((spell) => ({ run, ...spell })));
  const reasons = [...new Set(spells.flatMap(({ because }) => because ?? []))];
  return reasons.map((because) => {
    const of = spells.filter((spell) => spell.because === because);
    return `- **${name}** (${[...new Set(of.map(({ run }) => `\`${run}\``))].join(", ")}): ${because}\n`;
  });
}
