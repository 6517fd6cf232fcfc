import { describe, expect, it } from "vitest";
import { readPayload } from "../../src/agents/read-payload.ts";
import { maxWholePayload, shortenPayload } from "../../src/agents/shorten-payload.ts";

const stop = { session_id: "s1", cwd: "/srv/shop", hook_event_name: "Stop" };
const behind = { last_assistant_message: "All tests pass." };
/** What one escape sequence may be cut in. */
const escapes = ['\\"', "\\\\", "\\u00e4", "\\n", "é", "𝄞"];

describe("a very large payload", () => {
  it.each([
    ["hundreds of thousands of keys, nested", () => `"input":{${keys(800_000, "0")}}`],
    ["objects in objects", () => `"input":[${listOf(3000, `{${keys(200, "0")}}`)}]`],
    ["a text that looks like credentials", () => `"text":"${"password= ".repeat(800_000)}"`],
    ["many texts", () => `"list":[${listOf(900, `"${"x".repeat(9000)}"`)}]`],
    ["many fields with texts", () => keys(900, `"${"x".repeat(9000)}"`)],
  ])("is shortened, and its known fields are read: %s", (_name, large) => {
    const text = `${JSON.stringify(stop).slice(0, -1)},${large()},${JSON.stringify(behind).slice(1)}`;
    expect(text.length).toBeGreaterThan(6_000_000);
    const reading = readPayload(text, { agentId: "claude-code", env: {} });
    expect(reading).toMatchObject({
      status: "valid",
      eventName: "Stop",
      isShortened: true,
      facts: { session: "s1", cwd: "/srv/shop", message: "All tests pass." },
      payload: { hookbell_shortened: true },
    });
    expect(JSON.stringify(reading).length).toBeLessThan(6 * maxWholePayload);
  });

  it("is read whole up to the limit", () => {
    const text = JSON.stringify({ ...stop, ...behind, text: "x".repeat(maxWholePayload - 200) });
    expect(readPayload(text, { agentId: "claude-code", env: {} })).not.toHaveProperty("isShortened");
  });

  it.each(escapes)("is cut between words, or at least beside an escape (%s)", (escape) => {
    const filler = escape.repeat(400_000 / escape.length);
    for (let shift = 0; shift < 8; shift += 1) {
      expect(
        () => JSON.parse(shortenPayload(`{"a":"${"x".repeat(shift)}${filler}","b":1}`) ?? "") as unknown,
      ).not.toThrow();
    }
    const words = `${"word ".repeat(6553)}ghp_${"a1B2".repeat(9)} ${"word ".repeat(9999)}`;
    expect(shortenPayload(JSON.stringify({ words }))).not.toContain("ghp_");
  });

  it.each(['{"a":"', '{"a":{"b":1}', "[1,[2]", `{"a":"\\`])("that is torn is not made whole: %s", (torn) => {
    expect(shortenPayload(torn)).toBeUndefined();
  });
});

/** The text of so many members, or of so many items. */
function keys(count: number, value: string): string {
  return Array.from({ length: count }, (_, index) => `"key${index}":${value}`).join(",");
}

function listOf(count: number, item: string): string {
  return Array.from({ length: count }, () => item).join(",");
}
