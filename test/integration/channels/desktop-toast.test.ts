// node-notifier's way of starting helpers, seen by a helper of the test; the real ones run on macOS and Windows alone.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProcessResult } from "../../../src/system/process/run.ts";
import { showToast, type ToastNotifier } from "../../../src/system/desktop/toast.ts";
import { everyRow } from "../../support/rows.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookbell-toast-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function writeHelper(script: string): string {
  const path = join(dir, "helper.mjs");
  writeFileSync(path, `#!${process.execPath}\nimport { writeFileSync } from "node:fs";\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const recorded = (): string[] => JSON.parse(readFileSync(join(dir, "argv.json"), "utf8"));
const recorder = (): string =>
  writeHelper(`writeFileSync(${JSON.stringify(join(dir, "argv.json"))}, JSON.stringify(process.argv.slice(2)));`);

interface ShowOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  notifier?: ToastNotifier;
  patienceMs?: number;
}

function show(
  toast: { title: string; body: string },
  helperPath: string,
  {
    timeoutMs = 30_000,
    signal = new AbortController().signal,
    notifier = "WindowsToaster",
    patienceMs = 30_000,
  }: ShowOptions = {},
): Promise<ProcessResult> {
  const env = { PATH: process.env.PATH ?? "" };
  return showToast(
    notifier,
    { ...toast, group: "g-1" },
    {
      env,
      timeoutMs,
      signal,
      workDir: dir,
      helperPath,
      patienceMs,
    },
  );
}

describe("showToast", () => {
  it.each([
    ["plain text", "shop: done", "All tests pass."],
    ["shell syntax", "`touch pwned` $(touch pwned)", "\"; touch pwned; ' && touch pwned | $HOME %PATH%"],
    ["several lines", "t", "one\ntwo\n\nthree"],
    ["every other sign", "ünï ✓ 👩‍👩‍👧", 'a <b>&amp;</b> \\ \\n \\"'],
  ])("hands over %s unchanged and runs nothing (posix)", async (_what, title, body) => {
    expect(await show({ title, body }, recorder())).toMatchObject({ status: "exited", code: 0 });
    const argv = recorded();
    expect(argv[argv.indexOf("-t") + 1]).toBe(title);
    expect(argv[argv.indexOf("-m") + 1]).toBe(body);
    expect(argv[argv.indexOf("-id") + 1]).toBe("g-1");
    expect(existsSync(join(dir, "pwned"))).toBe(false);
  });

  it("hands over a text that looks like a flag as a text (posix)", () =>
    everyRow(["--help", "-close 1", " -x", "[a]", "{b}"], async (text) => {
      await show({ title: text, body: text }, recorder());
      expect(recorded().filter((argument) => argument === text)).toEqual([]);
      expect(recorded().filter((argument) => argument === `\u200B${text}`)).toHaveLength(2);
    }));

  it("says the title twice when there is no body (posix)", async () => {
    await show({ title: "t", body: " " }, recorder());
    expect(recorded()[recorded().indexOf("-m") + 1]).toBe("t");
  });

  it.each<[what: string, helper: () => string, why: string, notifier?: ToastNotifier]>([
    ["that is not there", () => join(dir, "nothing.exe"), "nothing.exe ENOENT"],
    ["of another system", recorder, "Mac OS X", "NotificationCenter"],
    // Notifications are switched off. Windows reports -1 as 4294967295.
    ["that failed", () => writeHelper("process.exit(-1);"), "the helper ended with exit code 255"],
    ["that crashed", () => writeHelper("process.abort();"), "the helper ended with SIGABRT"],
  ])("says why it failed with a helper %s (posix)", async (_what, helper, why, notifier = "WindowsToaster") => {
    const result = await show({ title: "t", body: "b" }, helper(), { notifier });
    expect(result).toMatchObject({ status: "exited", code: 1, stderr: expect.stringContaining(why) });
  });

  it("takes what the user did with the toast for no failure (posix)", () =>
    everyRow([1, 2, 3, 4, 5], async (code) => {
      const result = await show({ title: "t", body: "b" }, writeHelper(`process.exit(${code});`));
      expect(result).toMatchObject({ status: "exited", code: 0, stderr: "" });
    }));

  it("leaves a toast on the screen that stays there (posix)", async () => {
    const helper = writeHelper("setTimeout(() => {}, 600_000);");
    const result = await show({ title: "t", body: "b" }, helper, { patienceMs: 10 });
    expect(result).toMatchObject({ status: "exited", code: 0, stderr: "" });
  });

  it("kills a helper that never ends (posix)", async () => {
    const helper = writeHelper(
      `writeFileSync(${JSON.stringify(join(dir, "argv.json"))}, String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const controller = new AbortController();
    const showing = show({ title: "t", body: "b" }, helper, { signal: controller.signal });
    while (!existsSync(join(dir, "argv.json")) || readFileSync(join(dir, "argv.json"), "utf8") === "") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const pid = Number(readFileSync(join(dir, "argv.json"), "utf8"));
    controller.abort();
    expect(await showing).toMatchObject({ status: "timedOut" });
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

/** A killed process that no one has waited for yet is not running any more. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
