// The tables of what tests with real agents measured: looks at `hookbell sessions` in docs/background/SESSIONS.md, and how soon an
// answer at the agent's terminal is known in docs/reference/AGENTS.md.

import { table } from "./agent-tables.mjs";

/** What a script does in a replay alone. */
const atNight = / Then comes a night(?:, and another prompt)?\./;

/** `results` is test/live-agents/looks/looks.json. */
export function withLooksTable(document, results, agents) {
  const columns = columnsOf(results, agents);
  const runs = [...new Set(results.map(({ run }) => run))];
  const share = (some) => {
    const looks = some.reduce((total, each) => total + each.looks, 0);
    const wrong = some.reduce((total, each) => total + each.wrong.length, 0);
    return looks === 0 ? "" : `${looks - wrong} of ${looks}`;
  };
  const rows = runs.map((run) => {
    const own = results.filter((each) => each.run === run);
    return [
      own[0].does.replace(atNight, ""),
      ...columns.map(({ agent }) => share(own.filter((each) => each.agent === agent))),
    ];
  });
  const all = ["all", ...columns.map(({ agent }) => share(results.filter((each) => each.agent === agent)))];
  const wrong = columns.flatMap(({ agent, head }) =>
    results
      .filter((each) => each.agent === agent)
      .flatMap((each) => each.wrong.map((look) => `- **${head}** (\`${each.run}\`): ${sentenceOf(look)}\n`)),
  );
  const text = table(["what is played", ...columns.map(({ head }) => head)], [...rows, all]);
  return between(document, "looks", wrong.length === 0 ? text : `${text}\n${[...new Set(wrong)].join("")}`);
}

/** `results` is test/live-agents/answers/delays.json. */
export function withDelaysTable(document, results, agents) {
  const columns = [...new Set(results.map(({ answer }) => answer))];
  const rows = columnsOf(results, agents).map(({ agent, version, head }) => [
    head,
    ...columns.map((answer) => {
      const found = results.find((each) => each.agent === agent && each.version === version && each.answer === answer);
      return found === undefined ? "" : `${(found.tookMs / 1000).toFixed(1)} s`;
    }),
  ]);
  return between(document, "delays", table(["agent", ...columns], rows));
}

/** Each version of each agent, in the order of the registry. */
function columnsOf(results, agents) {
  return agents.flatMap(({ id, name }) => {
    const versions = [...new Set(results.filter(({ agent }) => agent === id).map(({ version }) => version))];
    return versions.map((version) => ({ agent: id, version, head: `${name} ${version}` }));
  });
}

function sentenceOf({ why, truth, shown, because }) {
  const is = truth.map((states) => states.map((state) => `\`${state}\``).join(" or ")).join(" and ");
  const was = shown.length === 0 ? "no session" : shown.map((state) => `\`${state}\``).join(" and ");
  return `${was} instead of ${is}: ${because ?? `${why}.`}`;
}

function between(document, what, text) {
  const marks = new RegExp(`(<!-- ${what}, made by npm run generate -->\\n)[\\s\\S]*?(<!-- end of ${what} -->)`);
  return document.replace(marks, (_, start, end) => `${start}\n${text}\n${end}`);
}
