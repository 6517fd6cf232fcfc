// What a replay found: the figures side by side, and each difference.
import type { WhatIfReport } from "../src/wings/replay/page-tab/contract.ts";
import { formatNumber, withChange } from "../src/model/figures/numbers.ts";
import { ageOf, dayAndTime } from "./time.ts";
import { VirtualList } from "./virtual-list.tsx";

type Side = WhatIfReport["was"];
type Difference = WhatIfReport["differences"][number];

const counts: readonly (readonly [string, (side: Side) => number])[] = [
  ["Notifications", ({ notifications }) => notifications],
  ["Of them at night", ({ atNight }) => atNight],
  ["Questions asked", ({ questions }) => questions.asked],
  ["Questions sent", ({ questions }) => questions.notified],
];
const delays: readonly (readonly [string, (side: Side) => number | undefined])[] = [
  ["Median delay of questions", ({ questions }) => questions.medianMs],
  ["Longest delay of a question", ({ questions }) => questions.latestMs],
];

export function WhatIfResult({ report }: { report: WhatIfReport }) {
  const { notes, was, wouldBe, differences, differenceCount, questions } = report;
  return (
    <section aria-label="Result">
      <Sides
        title="Figures"
        rows={[
          ...counts.map(([name, of]) => countRow([name], of(was), of(wouldBe))),
          ...delays.map(([name, of]) => ({ name: [name], was: delay(of(was)), wouldBe: delay(of(wouldBe)) })),
        ]}
        heads={[""]}
      />
      <Sides title="Notifications per day and channel" rows={daysOf(was, wouldBe)} heads={["Day", "Channel"]} />
      <h2>{differenceCount === 1 ? "1 difference" : `${differenceCount} differences`}</h2>
      {differenceCount > differences.length ? (
        <p class="hint">These are the newest {differences.length}; hookbell replay --json prints all.</p>
      ) : null}
      {differences.length === 0 ? null : (
        <VirtualList items={differences.toReversed()} label="Differences, newest first">
          {(each) => (
            <p class="difference">
              <time>{dayAndTime(Date.parse(each.at))}</time> <b>{changeOf(each)}</b> {each.channel}: {each.text}
            </p>
          )}
        </VirtualList>
      )}
      {questions.length === 0 ? null : (
        <>
          <h2>Questions, and how long until someone was notified</h2>
          <VirtualList items={questions.toReversed()} label="Questions, newest first">
            {({ at, text, wasMs, wouldBeMs }) => (
              <p class="difference">
                <time>{dayAndTime(Date.parse(at))}</time>{" "}
                <b>
                  was: {told(wasMs)}; would be: {told(wouldBeMs)}
                </b>{" "}
                {text}
              </p>
            )}
          </VirtualList>
        </>
      )}
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </section>
  );
}

interface Row {
  name: readonly string[];
  was: string;
  wouldBe: string;
}

function Sides({ title, heads, rows }: { title: string; heads: readonly string[]; rows: readonly Row[] }) {
  return (
    <table class="sides">
      <caption>{title}</caption>
      <thead>
        <tr>
          {heads.map((head) =>
            head === "" ? (
              <td key={head} />
            ) : (
              <th key={head} scope="col">
                {head}
              </th>
            ),
          )}
          <th scope="col">Was</th>
          <th scope="col">Would be</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, was, wouldBe }) => (
          <tr key={name.join(" ")} class={was === wouldBe ? undefined : "isChanged"}>
            {name.map((each, index) =>
              index === 0 ? (
                <th key={index} scope="row">
                  {each}
                </th>
              ) : (
                <td key={index}>{each}</td>
              ),
            )}
            <td>{was}</td>
            <td>{wouldBe}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function daysOf(was: Side, wouldBe: Side): Row[] {
  const days = [...new Set([...Object.keys(was.perDay), ...Object.keys(wouldBe.perDay)])].sort();
  return days.flatMap((day) => {
    const [before = {}, after = {}] = [was.perDay[day], wouldBe.perDay[day]];
    const channels = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return channels.map((channel) => countRow([day, channel], before[channel] ?? 0, after[channel] ?? 0));
  });
}

function countRow(name: readonly string[], was: number, wouldBe: number): Row {
  return { name, was: formatNumber(was), wouldBe: withChange(wouldBe, was) };
}

/** Less than a second is notified at once. */
function delay(ms: number | undefined): string {
  if (ms === undefined) return "-";
  return ms < 1000 ? "at once" : ageOf(ms);
}

function told(ms: number | undefined): string {
  return ms === undefined ? "not notified" : delay(ms);
}

function changeOf({ what, laterMs = 0 }: Difference): string {
  if (what === "more") return "new";
  if (what === "less") return "gone";
  return `${ageOf(Math.abs(laterMs))} ${laterMs > 0 ? "later" : "earlier"}`;
}
