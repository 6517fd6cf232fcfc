// The setting that makes one message of a session's many, and which events belong to a session.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { hasSession } from "../../src/channels/session-message.ts";
import { channelTypes } from "../support/channels/all-types.ts";
import { localRequest } from "../support/channels/channel-request.ts";
import { matrix } from "../../src/channels/chat/matrix/matrix.ts";

describe("the setting update", () => {
  const schemas = channelTypes.flatMap(({ type, settings }) => {
    const { properties = {} } = z.toJSONSchema(settings, { io: "input" });
    const { update } = properties as Record<string, { enum?: string[]; description?: string }>;
    return update === undefined ? [] : [[type, update] as const];
  });

  it("is there where the vendor can edit or replace", () => {
    const types = schemas.map(([type]) => type);
    expect(types).toEqual(expect.arrayContaining(["desktop", "discord", "telegram", "matrix", "ntfy", "bark"]));
  });

  it("says where the person is not called again", () => {
    const silent = schemas.filter(([, { description = "" }]) =>
      description.includes("(such an edit sends no notification)"),
    );
    expect(silent.map(([type]) => type).toSorted()).toEqual(["discord", "matrix", "slack", "telegram"]);
  });

  it.each(schemas)("has the same values and words for %s", (type, { enum: values, description = "" }) => {
    expect(values).toEqual(["new", "replace"]);
    const usual = type === "desktop" ? "replace" : "new";
    expect(description).toMatch(new RegExp(`^"${usual}" \\(default\\): `));
    expect(description).toMatch(/"new".*: each message is separate/);
    expect(description).toMatch(/"replace".*: a session's message replaces its earlier one/);
  });
});

it.each([
  [{ agent: "droid", session: "s-1" }, true],
  [{ agent: "droid", session: "" }, false],
  [{ agent: "hookbell", session: "summary" }, false],
])("%j is of a session: %s", (event, expected) => {
  expect(hasSession({ event: { ...localRequest({}, {}).event, ...event } })).toBe(expected);
});

it("keeps Matrix, which edits under the delivery's own id, as harmless to repeat as it was", () => {
  expect(matrix.isRepeatHarmless).toBe(true);
});
