import { expect, it } from "vitest";
import { formatTime } from "../../../../src/model/figures/wall-clock.ts";
import { notificationsForPage, reasonsForPage, withInstants } from "../../../../src/wings/page/why/instants.ts";
import { everyRow } from "../../../support/rows.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** A Thursday, at no full minute. */
const at = new Date(2026, 10, 26, 16, 20, 41).getTime();
const minute = (ms: number): number => Math.floor(ms / 60_000) * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

it("writes each time that a reason names as the moment that it means", () =>
  everyRow([hourMs / 4, hourMs, 20 * hourMs, 2 * dayMs, 6.9 * dayMs, 9 * dayMs], (ahead) => {
    const until = minute(at + ahead);
    const reason = `muted: project shop until ${formatTime(until, at, undefined)}, by Ann in phone`;
    expect(withInstants(reason, at)).toBe(`muted: project shop until ${iso(until)}, by Ann in phone`);
  }));

it("prefers the moment that is known, since quiet hours may have a time zone of their own", () => {
  const until = at + 7 * hourMs;
  expect(withInstants("quiet hours until 03:15", at, until)).toBe(`quiet hours until ${iso(until)}`);
});

it.each([
  "the turn took 3s, less than 20s",
  "until it answers",
  "until 25:00",
  "ratio 10:30",
  "since 2026-13-45 10:00",
])("leaves %j as it is", (reason) => expect(withInstants(reason, at)).toBe(reason));

it("leaves the words of a receiver and of the rules file as they are", () => {
  const why = "try again at 10:30";
  const channels = [
    { channel: "ops", how: "failed" as const, at, why },
    { channel: "phone", how: "suppressed" as const, at, why: "muted until 17:00" },
  ];
  const [failed, muted] = notificationsForPage({ channels }).channels;
  expect(failed?.why).toBe(why);
  expect(muted?.why).toBe(`muted until ${iso(new Date(2026, 10, 26, 17).getTime())}`);
  const matching = ['rule "night" matches: until 07:00'];
  const others = ['rule "x" does not match: until 07:00', "silent  phone  muted until 17:00"];
  const reasons = reasonsForPage({ matching, others, stages: [] }, at);
  expect(reasons.matching).toEqual(matching);
  expect(reasons.others).toEqual([others[0], `silent  phone  ${muted?.why}`]);
});
