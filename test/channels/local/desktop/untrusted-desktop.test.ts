// What strangers wrote, as a real notification daemon is given it, and as the helpers of macOS and Windows are.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SendRequest } from "../../../../src/channels/channel-type.ts";
import type { DesktopSettings } from "../../../../src/channels/local/desktop/appearance.ts";
import { desktop, toastOf } from "../../../../src/channels/local/desktop/desktop.ts";
import type { Message } from "../../../../src/model/message.ts";
import { printableLine } from "../../../../src/model/text.ts";
import { showToast, toastRequest } from "../../../../src/system/desktop/toast.ts";
import { adversarialTexts, enormousTexts } from "../../../support/channels/adversarial-texts.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import { startDesktop, type DesktopSession } from "../../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../../support/parts.ts";
import { readPango } from "../../../support/channels/read-markup.ts";
import { isShown, ordinary, words } from "../../../support/desktop/sound-text.ts";
import { everyRow } from "../../../support/rows.ts";

const texts = [...adversarialTexts, ...enormousTexts.slice(0, 2)];
const named = texts.map((text) => [JSON.stringify(text.slice(0, 50)), text] as const);
const request = (message: Partial<Message>) =>
  localRequest({ ...ordinary, ...message }, desktop.settings.parse({ update: "new" })) as SendRequest<DesktopSettings>;

const daemonParts = ["dbus-daemon", "dbus-send", "Xvfb", "dunst", "dunstctl"];
describeWithParts("what a stranger wrote, by D-Bus to dunst", daemonParts, () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startDesktop("dunst");
  });
  afterAll(() => session.stop());

  it("is plain text", () =>
    everyRow(named, async ([_, text]) => {
      const sent = request({ title: text, body: text });
      const outcome = await desktop.send(sent, localTools(session.env, tmpdir()));
      expect(outcome.status).toBe("delivered");
      const [notification] = session.dunstHistory();
      const { summary = "", body = "", ...around } = notification ?? {};
      const seen = readPango(body);
      expect(seen.marks).toEqual([]);
      expect(`${summary}${body}`.isWellFormed()).toBe(true);
      expect(`${summary}${body}`).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
      // Nothing else of the call was the stranger's to say.
      expect(around).toMatchObject({ category: "x-hookbell.attention", appname: "hookbell" });
      if (words(text) === "") return;
      expect(isShown(printableLine(text).slice(0, 40), summary), summary.slice(0, 100)).toBe(true);
      expect(isShown(text.slice(0, 5000), seen.text), seen.text.slice(0, 300)).toBe(true);
    }));
});

/** One process for all texts does what hookbell has one do for each. */
const allAtOnce = `
const requests = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
for (const { modulePath, notifier, options, notification } of requests) {
  new (require(modulePath)[notifier])(options).notify(notification, (error) => {
    if (error instanceof Error && !(error instanceof SyntaxError)) throw error;
  });
}
`;

describe("what a stranger wrote, to the helper that shows a toast (posix)", () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "hookbell-toast-"));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Writes what it is called with into a file beside it. */
  const putHelper = (name: string): string => {
    const path = join(dir, name);
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "$@" >"${path}.argv"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const argvOf = (helperPath: string): string[] => readFileSync(`${helperPath}.argv`, "utf8").split("\0");
  const toastWith = (message: Partial<Message>) => toastOf(request(message));

  const argvFor = async (message: Partial<Message>): Promise<string[]> => {
    const helperPath = putHelper("helper");
    const limits = {
      env: { PATH: process.env.PATH ?? "" },
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      workDir: dir,
      helperPath,
    };
    const result = await showToast("WindowsToaster", toastWith(message), limits);
    expect(result).toMatchObject({ status: "exited", code: 0 });
    return argvOf(helperPath);
  };
  /** The name of the pipe is another one in each call. */
  const knownOf = (argv: readonly string[]): string[] => argv.filter((word) => !word.startsWith("\\\\.\\pipe"));
  const flagsOf = (argv: readonly string[]): string[] =>
    knownOf(argv.filter((_, index) => !["-t", "-m"].includes(argv[index - 1] ?? "")));

  it("is the value of its flag", async () => {
    const usual = flagsOf(await argvFor({}));
    const helpers = named.map((_, index) => putHelper(`helper-${index}`));
    const requests = texts.map((text, index) =>
      toastRequest("WindowsToaster", toastWith({ title: text, body: text }), helpers[index]),
    );
    execFileSync(process.execPath, ["-e", allAtOnce], { input: JSON.stringify(requests), cwd: dir });
    const argvs = named.map(([name, text], index) => [name, text, argvOf(helpers[index] ?? "")] as const);
    await everyRow(argvs, ([_, text, argv]) => {
      const [title = "", body = ""] = ["-t", "-m"].map((flag) => argv[argv.indexOf(flag) + 1]);
      // The same flags, in their order, as for any other text.
      expect(flagsOf(argv)).toEqual(usual);
      for (const value of [title, body]) {
        expect(value).not.toMatch(/^\s*[-/[({<]/);
        expect(value.isWellFormed()).toBe(true);
        expect(value).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
        expect([...value].length).toBeLessThanOrEqual(1001);
      }
      if (words(text) === "") return;
      expect(isShown(printableLine(text).slice(0, 40), title), title.slice(0, 100)).toBe(true);
      expect(isShown(text.slice(0, 5000), body), body.slice(0, 300)).toBe(true);
    });
    // And hookbell's own process hands on the same.
    const own = argvs.filter(([, text]) => /^(?:--flag|"; rm|lone|\[good\.)/.test(text));
    expect(own.length).toBe(4);
    for (const [, text, argv] of own)
      expect(knownOf(await argvFor({ title: text, body: text }))).toEqual(knownOf(argv));
  });
});
