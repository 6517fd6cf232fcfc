import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxContext, toNotification } from "../../../src/channels/rendering/compose.ts";
import { serverUrl } from "../../../src/channels/vendor-request.ts";
import { sessionKey } from "../../../src/channels/session-message.ts";
import type { Message } from "../../../src/model/message.ts";
import { measures } from "../../../src/model/text.ts";
import { adversarialTexts } from "../../support/channels/adversarial-texts.ts";
import { expectPlain } from "../../support/channels/pushed.ts";
import { anyText } from "../../support/random/any-text.ts";
import { everyRow } from "../../support/rows.ts";

const message = (more: Partial<Message> = {}): Message => ({
  title: "shop: done",
  body: "All tests pass.",
  level: "success",
  fields: [],
  ...more,
});
const fields = [
  { label: "project", value: "shop" },
  { label: "agent", value: "Droid" },
];
const room = { maxTitle: 250, maxBody: 1000, measure: measures.bytes };

describe("toNotification", () => {
  it("shows what each part of a message is", () =>
    everyRow(
      [
        ["text and fields", message({ fields }), "All tests pass.\nshop · Droid"],
        [
          "no field that a value imitates",
          message({ fields: [{ label: "branch", value: "x · box • z" }] }),
          "All tests pass.\nx - box - z",
        ],
        ["text alone", message(), "All tests pass."],
        ["fields alone", message({ body: " \n", fields }), "shop · Droid"],
        ["nothing at all", message({ body: "", fields: [] }), "Stop"],
      ],
      ([_, given, body]) => {
        expect(toNotification(given, "Stop", room)).toEqual({ title: "shop: done", body });
      },
    ));

  it.each([
    ["SessionEnd", "SessionEnd"],
    ["\u0000", "hookbell"],
  ])("has a title and a body for an event %j that says nothing", (name, shown) => {
    expect(toNotification(message({ title: "\u202E", body: "" }), name, room)).toEqual({ title: shown, body: shown });
  });

  it.each([
    ["x".repeat(1000), "x".repeat(1000)],
    ["x".repeat(1041), `${"x".repeat(974)}… (67 more characters)`],
    ["😀".repeat(250), "😀".repeat(250)],
    ["😀".repeat(271), `${"😀".repeat(243)}… (56 more characters)`],
  ])("cuts a body at its limit %#", (body, shown) => {
    expect(toNotification(message({ body }), "Stop", room).body).toBe(shown);
  });

  it("keeps the fields when the text is too long for both", () => {
    const { body } = toNotification(message({ body: "x".repeat(5000), fields }), "Stop", room);
    expect(body).toMatch(/^x+… \(\d+ more characters\)\nshop · Droid$/);
    expect(measures.bytes(body)).toBe(room.maxBody);
  });

  const asks = `${"I changed the cart. ".repeat(10)}\n\nShall I also push?`;
  it("begins with the closing question of a long text", () => {
    const { body } = toNotification(message({ body: asks, isMarkdown: true }), "Stop", room);
    expect(body).toMatch(/^Shall I also push\?\n+I changed the cart\.[^?]*$/);
    // A list of questions keeps its order.
    expect(toNotification(message({ body: asks }), "Stop", room).body).toBe(asks);
    const short = "I changed the cart. Shall I push?";
    expect(toNotification(message({ body: short, isMarkdown: true }), "Stop", room).body).toBe(short);
  });

  it("cuts the end of a text between words, and says how much is missing", () => {
    const { body } = toNotification(message({ body: asks, isMarkdown: true }), "Stop", { ...room, maxBody: 100 });
    expect(body).toMatch(/^Shall I also push\?\n+I changed the cart\.[^?]*\b\w+\.?… \((\d+) more characters\)$/);
    const [, kept = "", missing] = /^([^]*)… \((\d+) more/.exec(body) ?? [];
    expect(asks.length - kept.length).toBeCloseTo(Number(missing), -1);
  });

  it("cuts the line of context at its own limit", () => {
    const long = [{ label: "cwd", value: "x".repeat(maxContext + 1) }];
    const [text, line = ""] = toNotification(message({ fields: long }), "Stop", room).body.split("\n");
    expect(text).toBe("All tests pass.");
    expect(measures.bytes(line)).toBe(maxContext);
    expect(line).toMatch(/^x+…$/);
  });

  it("keeps to every limit, in every unit, whatever the text", () => {
    const wild = fc.oneof(anyText(), fc.constantFrom(...adversarialTexts));
    fc.assert(
      fc.property(wild, wild, wild, fc.constantFrom(...Object.values(measures)), (title, body, value, measure) => {
        const many = Array.from({ length: 30 }, () => ({ label: value, value }));
        const made = toNotification(message({ title, body, fields: many }), "Stop", { ...room, measure });
        expect(measure(made.title)).toBeLessThanOrEqual(room.maxTitle);
        expect(measure(made.body)).toBeLessThanOrEqual(room.maxBody);
        for (const text of [made.title, made.body]) {
          expect(text).not.toBe("");
          expectPlain(text);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("serverUrl", () => {
  it("puts a server and a path together", () =>
    everyRow(
      [
        ["https://push.example", "/message", "https://push.example/message"],
        ["https://push.example/", "/message", "https://push.example/message"],
        ["https://example.org/base//", "/message", "https://example.org/base/message"],
        ["https://ntfy.sh", "/", "https://ntfy.sh/"],
        ["https://example.org/a?auth=x#part", "/", "https://example.org/a/?auth=x"],
        ["no URL", "/message", "no URL"],
      ],
      ([server, path, url]) => {
        expect(serverUrl(server, path)).toBe(url);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("sessionKey", () => {
  const session = { agent: "droid", session: "s-1", id: "evt_1" };
  it("is one for a session, and each event's own where there is none", () => {
    expect(sessionKey(session)).toMatch(/^[0-9a-f]{32}$/);
    expect(sessionKey({ ...session, id: "evt_2" })).toBe(sessionKey(session));
    const others = [{ agent: "claude-code" }, { session: "s-2" }, { session: "" }, { session: "", id: "evt_2" }];
    const keys = others.map((other) => sessionKey({ ...session, ...other }));
    expect(new Set([sessionKey(session), ...keys]).size).toBe(5);
  });
});
