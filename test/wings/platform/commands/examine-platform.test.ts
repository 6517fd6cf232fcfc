// What doctor says of the platform: its key, its answers, and whether anything polls it.
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examinePlatform } from "../../../../src/wings/platform/commands/doctor.ts";
import { writeCursor } from "../../../../src/wings/platform/events/cursor.ts";
import { platformSettings } from "../../../../src/wing-settings/platform.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryState } from "../../../support/project/temporary-state.ts";

const nowMs = Date.parse("2026-03-10T12:00:00Z");
let receiver: PlatformReceiver;
beforeEach(async () => {
  receiver = await startPlatformReceiver("2026-03-10");
});
afterEach(() => receiver.close());

/** Each finding as one line; `polledAgoMs` is how old the cursor is. */
async function examine(settings: object | undefined, polledAgoMs?: number, key = "key-manager"): Promise<string[]> {
  const { root } = temporaryState();
  if (polledAgoMs !== undefined) {
    writeCursor(root, { sent: [] });
    const at = (nowMs - polledAgoMs) / 1000;
    utimesSync(join(root, "platform.json"), at, at);
  }
  const env = { HOME: "/nonexistent", HOOKBELL_STATE_DIR: root, HOOKBELL_PLATFORM_URL: receiver.origin };
  const io = commandIo("/nonexistent", {
    env: key === "" ? env : { ...env, HOOKBELL_PLATFORM_KEY: key },
    clock: createFakeClock(nowMs),
  });
  const findings = await examinePlatform(io, settings && platformSettings.parse(settings));
  return findings.map((finding) =>
    finding.status === "ok"
      ? `ok: ${finding.text}`
      : `${finding.status}: ${finding.text}; ${finding.fix} $ ${finding.command}`,
  );
}

describe("doctor", () => {
  it("says nothing where no platform is named", async () => {
    expect(await examine(undefined)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["usage", { digest: { at: "09:00" } }, ["activity"]],
    ["readiness reports", { readiness: true }, ["maturity-level-reports"]],
    [
      "usage and readiness reports",
      { budgets: [{ credits: 1 }], readiness: true },
      ["activity", "maturity-level-reports"],
    ],
  ])("asks for %s where that is what is wanted", async (what, settings, asked) => {
    expect(await examine(settings, 60_000)).toEqual([
      `ok: it answers, and the key may read ${what}`,
      "ok: last polled 1m ago",
    ]);
    expect(receiver.requests.map((request) => /\/([\w-]+)\?/.exec(request)?.[1])).toEqual(asked);
    expect(receiver.violations).toEqual([]);
  });

  it("asks for no poll where nothing is to be polled", async () => {
    expect(await examine({ installs: true })).toEqual(["ok: it answers, and the key may read usage"]);
  });

  it.each<[string, string, RegExp]>([
    ["key-member", "a key without the role", /^broken: this API key may not read .*; usage is for the roles/],
    ["key-wrong", "a wrong key", /^broken: the service does not accept the API key.*; create a key/],
    ["", "no key", /^broken: the platform's API key is not set; set HOOKBELL_PLATFORM_KEY/],
  ])("with %j (%s) says what to do", async (key, _, expected) => {
    const [finding = ""] = await examine({ installs: true }, undefined, key);
    expect(finding).toMatch(expected);
  });

  it.each<[number | undefined, RegExp]>([
    [
      undefined,
      /^warning: it was never polled for events; a dispatcher asks while it runs; .* \$ hookbell platform cron$/,
    ],
    [25 * 3_600_000, /^warning: last polled 1d 1h ago; a dispatcher asks/],
    [-5000, /^ok: last polled 0s ago/],
  ])("with a poll %s ms ago", async (agoMs, expected) => {
    const [, finding = ""] = await examine({ readiness: true }, agoMs);
    expect(finding).toMatch(expected);
  });
});
