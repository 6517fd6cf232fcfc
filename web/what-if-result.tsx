// What a replay found: the figures side by side, and each difference.
import type { WhatIfReport } from "../src/commands/page/contract.ts";
import { ageOf, dayAndTime } from "./time.ts";
import { VirtualList } from "./virtual-list.tsx";

const rowHeight = 60;
type Side = WhatIfReport["was"];
type Difference = WhatIfReport["differences"][number];

const figures: readonly (readonly [string, (side: Side) => string])[] = [
  ["Notifications", ({ notifications }) => String(notifications)],
  ["Of them at night", ({ atNight }) => String(atNight)],
  ["Questions asked", ({ questions }) => String(questions.asked)],
  ["Questions told", ({ questions }) => String(questions.told)],
  ["Told after, half of them", ({ questions }) => delay(questions.medianMs)],
  ["Told after, the latest", ({ questions }) => delay(questions.latestMs)],
];

export function WhatIfResult({ report }: { report: WhatIfReport }) {
  const { notes, was, wouldBe, differences, differenceCount } = report;
  return (
    <section aria-label="Result">
      <Sides
        title="Figures"
        rows={figures.map(([name, of]) => ({ name: [name], was: of(was), wouldBe: of(wouldBe) }))}
        heads={[""]}
      />
      <Sides title="Notifications per day and channel" rows={daysOf(was, wouldBe)} heads={["Day", "Channel"]} />
      <h2>{differenceCount === 1 ? "1 difference" : `${differenceCount} differences`}</h2>
      {differenceCount > differences.length ? (
        <p class="hint">These are the newest {differences.length}; hookbell replay --json prints all.</p>
      ) : null}
      {differences.length === 0 ? null : (
        <VirtualList
          items={differences.toReversed()}
          rowHeight={rowHeight}
          label="Differences, newest first"
          onNearEnd={() => {}}
          onLook={() => {}}
        >
          {(each) => (
            <p class="entry">
              <time>{dayAndTime(Date.parse(each.at))}</time> <b>{changeOf(each)}</b> {each.channel}: {each.text}
            </p>
          )}
        </VirtualList>
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
    return channels.map((channel) => ({
      name: [day, channel],
      was: String(before[channel] ?? 0),
      wouldBe: String(after[channel] ?? 0),
    }));
  });
}

/** Less than a second is told at once. */
function delay(ms: number | undefined): string {
  if (ms === undefined) return "-";
  return ms < 1000 ? "at once" : ageOf(ms);
}

function changeOf({ what, laterMs = 0 }: Difference): string {
  if (what === "more") return "new";
  if (what === "less") return "gone";
  return `${ageOf(Math.abs(laterMs))} ${laterMs > 0 ? "later" : "earlier"}`;
}
