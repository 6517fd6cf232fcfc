// The table of docs/background/COMPARISON.md that sets hookbell beside other notifiers, from the output of `npm run bench -- --peers`.

import { table } from "./agent-tables.mjs";

/** What one program's row says, by the end of its name in the results. */
const measured = [
  { what: "the hook's time, receiver answers at once", end: ", receiver answers at once", cell: timesNode },
  { what: "the hook's time, receiver takes 2 s", end: ", receiver takes 2 s", cell: timesNode },
  { what: "the hook's time, receiver is down", end: ", receiver is down", cell: timesNode },
  { what: "a message while the receiver is down", end: ": a message while the receiver was down", cell: asIs },
  {
    what: "messages of one event of two hook setups",
    end: ": messages of one event that two hook setups report",
    cell: asIs,
  },
];
const ofDay = /^(.+): notifications of (.+), (?:built-in rules|as installed)$/;
const toldOfAll = / if each event that the built-in rules name were told$/;

/** The document with what stands between its two marks made anew from the text of bench/peers/RESULTS.md. */
export function withPeersTable(document, results) {
  const rows = rowsIn(results);
  const day = rows.flatMap((row) => {
    const [, what, program] = ofDay.exec(row.what) ?? [];
    return what === undefined ? [] : [{ what, program, count: row.median }];
  });
  const programs = [
    ...new Set([...rows.flatMap(({ what }) => programOf(what) ?? []), ...day.map(({ program }) => program)]),
  ];
  const lines = measured.map(({ what, end, cell }) => [
    what,
    ...programs.map((program) => {
      const row = rows.find((each) => each.what === `${program}${end}`);
      return row === undefined ? "" : cell(row);
    }),
  ]);
  const all = rows.find(({ what }) => toldOfAll.test(what));
  const dayLine = [
    `notifications of ${day[0]?.what} (${all?.median} of interest)`,
    ...programs.map((program) => day.find((each) => each.program === program)?.count ?? ""),
  ];
  const known = new Set(programs.flatMap((program) => measured.map(({ end }) => `${program}${end}`)));
  const remarks = rows
    .filter((row) => !known.has(row.what) && row.ratio === "" && !row.what.includes(": notifications"))
    .map(({ what, median }) => `- ${what}: ${median}\n`);
  const run = /^`npm run bench -- --peers`, (.+)\.$/m.exec(results)?.[1];
  if (run === undefined || day.length === 0) throw new Error("these are no results of npm run bench -- --peers");
  const text = `One run: ${run}. [bench/peers/RESULTS.md](../../bench/peers/RESULTS.md) has all rows. Times are multiples of
\`node -e 0\` in the same run.

${table(["what", ...programs], [...lines, dayLine])}
${remarks.join("")}`;
  return document.replace(
    /(<!-- made by npm run generate -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${text}\n${end}`,
  );
}

function rowsIn(results) {
  return results
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, what, median, , ratio]) => ({ what, median, ratio }))
    .filter(({ what }) => what !== "what" && !/^-+$/.test(what));
}

function programOf(what) {
  const found = measured.find(({ end }) => what.endsWith(end));
  return found && what.slice(0, -found.end.length);
}

function asIs({ median }) {
  return median;
}

function timesNode({ ratio }) {
  const times = Number(ratio);
  return times < 10 ? times.toFixed(1) : times.toFixed(0);
}
