import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { iconOf, reasonOfBusError, rememberedId } from "../../../../src/channels/local/desktop/bus.ts";
import { bodyLimit, replacesEarlier, titleLimit, writeFor } from "../../../../src/channels/local/desktop/appearance.ts";
import { desktop } from "../../../../src/channels/local/desktop/desktop.ts";
import type { Message } from "../../../../src/model/message.ts";
import { localRequest } from "../../../support/channels/channel-request.ts";
import { levels } from "../../../../src/model/level.ts";
import { everyRow } from "../../../support/rows.ts";

const rendering = { name: "GNOME", capabilities: ["body", "body-markup"] };
const plain = { name: "plain", capabilities: ["body"] };
const dunst = { name: "dunst", capabilities: ["body"] };

const messageOf = (title: string, body: string): Message => ({ title, body, level: "info", fields: [] });
const writeBody = (body: string, server: typeof plain): string => writeFor(messageOf("t", body), server).body;

describe("the body of a notification", () => {
  it("is written as the server reads it", () =>
    everyRow(
      [
        [
          "escapes for a daemon that renders markup",
          rendering,
          `<b>"x"</b> & 'y'`,
          "&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; &#39;y&#39;",
        ],
        ["escapes for dunst, which does not say that it renders", dunst, "<i>&", "&lt;i&gt;&amp;"],
        ["leaves & alone for others, and makes < no tag", plain, "<b>1 & 2</b>", "<\u200Bb>1 & 2<\u200B/b>"],
        ["escapes what is escaped already", rendering, "&lt;", "&amp;lt;"],
        ["keeps lines", rendering, "a\r\nb", "a\nb"],
        ["drops controls and overrides", rendering, "a\u0000\u001b[1mb\u202ec", "abc"],
      ],
      ([_what, server, text, written]) => {
        expect(writeBody(text, server)).toBe(written);
      },
    ));

  it.each([rendering, plain, dunst])("never exceeds the limit or leaves a tag, for $name", (server) => {
    const texts = fc.string({ unit: fc.constantFrom("<", "&", '"', "a", "é", "👩‍👩‍👧", "\ud800", "b>"), maxLength: 2500 });
    fc.assert(
      fc.property(texts, (text) => {
        const written = writeBody(text, server);
        expect([...written].length).toBeLessThanOrEqual(bodyLimit);
        expect(written).not.toMatch(/<[a-z/]/i);
        expect(written.isWellFormed()).toBe(true);
        if (server !== plain) expect(written).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)|[<>"']/);
      }),
    );
  });
});

describe("the title of a notification", () => {
  it("is cut only beyond what daemons wrap", () =>
    everyRow(
      [
        ["<b>t</b> & co", "<b>t</b> & co", "b"],
        ["two\nlines", "two lines", "b"],
        ["", "hookbell", "b"],
        ["\u0000", "hookbell", "b"],
        ["x".repeat(titleLimit), "x".repeat(titleLimit), "b"],
        ["x".repeat(titleLimit + 1), `${"x".repeat(titleLimit - 1)}…`, "b"],
      ],
      ([title, shown, body]) => {
        expect(writeFor(messageOf(title, "b"), rendering)).toEqual({ title: shown, body });
      },
      (row) => JSON.stringify(row),
    ));
});

describe("rememberedId", () => {
  const server = { name: "d", version: "1", capabilities: [], owner: ":1.5", identity: "guid :1.5" };
  it("is read from what was remembered, or is none", () =>
    everyRow(
      [
        [undefined, undefined],
        [{}, undefined],
        [{ notificationId: "7", server: "guid :1.5" }, 7],
        [{ notificationId: "7", server: "guid :1.6" }, undefined],
        [{ notificationId: "7" }, undefined],
        [{ notificationId: "0", server: "guid :1.5" }, undefined],
        [{ notificationId: "4294967296", server: "guid :1.5" }, undefined],
        [{ notificationId: "1.5", server: "guid :1.5" }, undefined],
        [{ notificationId: "x", server: "guid :1.5" }, undefined],
      ],
      ([remembered, id]) => {
        expect(rememberedId(remembered as Record<string, string> | undefined, server)).toBe(id);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("reasonOfBusError", () => {
  it("is known for each name", () =>
    everyRow(
      [
        ["org.freedesktop.DBus.Error.ServiceUnknown", "unavailable"],
        ["org.freedesktop.DBus.Error.Spawn.ChildExited", "unavailable"],
        ["org.freedesktop.DBus.Error.NoReply", "timeout"],
        ["org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "rateLimited"],
        ["org.freedesktop.DBus.Error.InvalidArgs", "rejected"],
      ],
      ([name, reason]) => {
        expect(reasonOfBusError(name)).toBe(reason);
      },
      (row) => JSON.stringify(row),
    ));
});

it("lets a notification take the place of the earlier one as the settings say", () =>
  everyRow(
    [
      [{}, { agent: "droid", session: "s-1" }, true],
      [{ update: "replace" as const }, { agent: "droid", session: "s-1" }, true],
      [{ update: "new" as const }, { agent: "droid", session: "s-1" }, false],
      [{}, { agent: "hookbell", session: "summary" }, false],
      [{}, { agent: "droid", session: "" }, false],
    ],
    ([settings, event, expected]) => {
      const request = localRequest({}, {});
      expect(replacesEarlier(settings, { event: { ...request.event, ...event } })).toBe(expected);
    },
    (row) => JSON.stringify(row),
  ));

it("shows what there is behind a thousand empty lines", () => {
  expect(writeBody("\n".repeat(1000) + "end\n", plain)).toBe("end");
});

describe("settings", () => {
  it("needs none", () => {
    expect(desktop.settings.parse({})).toEqual({ click: "terminal", daemonSound: false });
  });
  it("refuses settings that no notification can have", () =>
    everyRow(
      [
        [{ displayFor: "soon" }],
        [{ displayFor: 5 }],
        [{ urgency: "high" }],
        [{ click: "window" }],
        [{ colour: "red" }],
      ],
      (settings) => {
        expect(desktop.settings.safeParse(settings).success).toBe(false);
      },
    ));
});

it.each(levels)("has a picture of its own for the level %s", (level) => {
  expect(
    readFileSync(new URL(iconOf(level)))
      .subarray(0, 8)
      .toString("latin1"),
  ).toBe("\u0089PNG\r\n\u001A\n");
});
