import { describe, expect, it } from "vitest";
import * as names from "../../../src/wings/fleet/names.ts";

const { buckets, limits, stream } = names;
const member = { org: "acme", person: "ada", host: "laptop" };
const event = "evt_0123456789abcdef01234567";

/** Whether a subject matches a pattern with NATS's wildcards. */
function matches(pattern: string, subject: string): boolean {
  const source = pattern.replace(/[.$]/g, "\\$&").replaceAll("*", "[^.]+").replace(">", ".+");
  return new RegExp(`^${source}$`).test(subject);
}

describe("the names of a fleet", () => {
  it("let a machine publish as itself only, and a person's machines read that person only", () => {
    const own = names.eventSubject(member, event);
    const others = names.eventSubject({ ...member, host: "box" }, event);
    const foreign = names.eventSubject({ ...member, person: "bob" }, event);
    expect([own, others, foreign].map((each) => matches(names.ownEvents(member), each))).toEqual([true, false, false]);
    expect([own, others, foreign].map((each) => matches(names.personEvents(member), each))).toEqual([
      true,
      true,
      false,
    ]);
    expect([own, others, foreign].every((each) => matches(names.orgEvents("acme"), each))).toBe(true);
    expect(stream.subjects.some((pattern) => matches(pattern, own))).toBe(true);
  });

  it("read an event's subject back, and no other", () => {
    expect(names.readEventSubject(names.eventSubject(member, event))).toEqual({ ...member, eventId: event });
    expect(
      ["hb.acme.ada.laptop", `hb.acme.ada.laptop.${event}.x`, `hx.acme.ada.laptop.${event}`].map(
        names.readEventSubject,
      ),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("keep the keys of persons and machines apart", () => {
    const own = [names.entryKey(member, event), names.entryKey(member, "0123")];
    expect(own.every((key) => matches(names.ownKeys(member), key))).toBe(true);
    expect(own.some((key) => matches(names.ownKeys({ ...member, host: "box" }), key))).toBe(false);
    const all = [...own, names.presenceKey(member)];
    expect(all.every((key) => matches(names.personKeys(member), key))).toBe(true);
    expect(all.some((key) => matches(names.personKeys({ person: "ad" }), key))).toBe(false);
  });

  it("give no two machines one consumer or one inbox", () => {
    const [one, other] = [
      { org: "acme", person: "a-b", host: "c" },
      { org: "acme", person: "a", host: "b-c" },
    ];
    expect(names.consumerName(one)).not.toBe(names.consumerName(other));
    expect(names.inboxPrefix(one)).not.toBe(names.inboxPrefix(other));
    expect(names.consumerName(member)).not.toMatch(/[\s.*>/\\]/);
  });

  it("make one part of any machine's name", () => {
    expect(["box", "box.example.com", "a b>*", ""].map(names.hostToken)).toEqual([
      "box",
      "box_example_com",
      "a_b__",
      "_",
    ]);
    expect(["box", "a.b", "*", ">", "", "x".repeat(65)].map(names.isToken)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(names.isToken(names.serveConsumer)).toBe(true);
    expect(Object.values(buckets).map(({ name }) => names.isToken(name))).not.toContain(false);
  });

  it("have limits that fit together", () => {
    expect(limits.claimLifeMs).toBeGreaterThan(limits.heartbeatMs);
    expect(limits.presenceLifeMs).toBeGreaterThan(2 * limits.heartbeatMs);
    // An event that comes again must find who told it, and be remembered by who takes it in.
    expect(buckets.claims.maxAgeMs).toBeGreaterThan(stream.maxAgeMs);
    expect(limits.rememberMs).toBeGreaterThan(stream.maxAgeMs);
    expect(names.consumerLifeMs).toBeGreaterThan(stream.maxAgeMs);
  });
});
