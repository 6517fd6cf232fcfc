// What the hook makes of every kind of standard input; agents hand it sockets and pipes, people files and terminals.
import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { describeWithParts } from "../../support/parts.ts";
import { end, hookPath, payloadOf, temporaryProject, type Ended } from "../../support/project/running-project.ts";

const silent: Ended = { code: 0, signal: null, stdout: "", stderr: "" };

/** A payload of so many bytes. */
function payloadOfBytes(bytes: number): string {
  const text = payloadOf("Stop", { x: "" });
  return payloadOf("Stop", { x: "y".repeat(bytes - text.length) });
}

/** A hook that finds the lease held, by no one who takes the payload away; `$hook` is it in a shell. */
function loneHook() {
  const project = temporaryProject();
  ensureLayout(project.layout);
  expect(takeLease(project.layout, systemClock)).toBeDefined();
  const payload = join(project.home, "payload");
  const env = { ...project.env, node: process.execPath, hook: hookPath, payload };
  const from = (stdin: "pipe" | "ignore" | number) =>
    spawn(process.execPath, [hookPath], { env, stdio: [stdin, "pipe", "pipe"] });
  return {
    write: (text: string): void => writeFileSync(payload, text),
    /** What it makes of the standard input that this script, or this descriptor, gives it. */
    inShell: (script: string): Promise<Ended> =>
      end(spawn("sh", ["-c", script], { env, cwd: project.home, stdio: ["ignore", "pipe", "pipe"] }), undefined),
    from,
    /** With the payload's file as its standard input. */
    async onFile(): Promise<Ended> {
      const file = openSync(payload, "r");
      try {
        return await end(from(file), undefined);
      } finally {
        closeSync(file);
      }
    },
    kept: (): string[] =>
      listIncoming(project.layout).map((file) => readFileSync(join(project.layout.incoming, file), "utf8")),
    rejected: (): string[] => readdirSync(project.layout.rejected).filter((name) => name.endsWith(".payload")),
    payload,
  };
}

describe("the hook's standard input as a socket", () => {
  it("is read to its end, also in two parts", async () => {
    const hook = loneHook();
    const text = payloadOfBytes(200_000);
    const child = hook.from("pipe");
    const ended = end(child, undefined);
    child.stdin?.write(text.slice(0, 100));
    await sleep(300);
    child.stdin?.end(text.slice(100));
    expect(await ended).toEqual(silent);
    expect(hook.kept()).toEqual([text]);
  });

  it("may hold eight mebibytes, and not a byte more", async () => {
    const hook = loneHook();
    const most = payloadOfBytes(maxPayloadBytes);
    expect(await end(hook.from("pipe"), most)).toEqual(silent);
    expect(hook.kept()).toEqual([most]);
    expect(await end(hook.from("pipe"), `${most} `)).toMatchObject({ code: 1 });
    expect(hook.rejected()).toHaveLength(1);
  });
});

describe("the hook's standard input as a file", () => {
  it("is read to its end", async () => {
    const hook = loneHook();
    const text = payloadOfBytes(maxPayloadBytes);
    hook.write(text);
    expect(await hook.onFile()).toEqual(silent);
    expect(hook.kept()).toEqual([text]);
  });

  it.each([
    ["is too large", `${payloadOfBytes(maxPayloadBytes)} `, `expected at most ${maxPayloadBytes} bytes, got more`],
    ["is empty", "", "expected one JSON object, got nothing"],
  ])("is refused when it %s", async (_what, text, line) => {
    const hook = loneHook();
    hook.write(text);
    const { code, stderr } = await hook.onFile();
    expect({ code, stderr }).toEqual({ code: 1, stderr: `hookbell: payload: ${line}\n` });
  });

  it("is refused when it is the null device", async () => {
    const { code, stderr } = await end(loneHook().from("ignore"), undefined);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "hookbell: payload: expected one JSON object, got nothing\n",
    });
  });
});

describeWithParts("the hook's standard input as a pipe", ["sh", "cat"], () => {
  const run = '"$node" "$hook"';
  /** Open for longer than a test may take. */
  const keptOpen = (write: string): string =>
    `mkfifo f; { ${write}; exec sleep 300; } >f & ${run} <f; code=$?; kill $!; exit $code`;
  // The last command of a shell's pipeline is the one whose exit code counts.
  const whole: Record<string, string> = {
    "all there when the hook looks": `cat "$payload" | { sleep 0.2; ${run}; }`,
    "not there yet": `{ sleep 0.7; cat "$payload"; } | ${run}`,
    "in two parts": `{ head -c 40 "$payload"; sleep 0.7; tail -c +41 "$payload"; } | ${run}`,
    "left open behind the payload": keptOpen('cat "$payload"'),
    "with a writer's end that the hook holds itself": `mkfifo f; exec 3<>f; cat "$payload" >&3; ${run} <f`,
  };
  it("is read whether it is all there, comes later, in parts, or is left open", async () => {
    const text = payloadOfBytes(30_000);
    // They wait for themselves, so all at once.
    const taken = await Promise.all(
      Object.entries(whole).map(async ([what, script]) => {
        const hook = loneHook();
        hook.write(text);
        return [what, await hook.inShell(script), hook.kept()];
      }),
    );
    expect(taken).toEqual(Object.keys(whole).map((what) => [what, silent, [text]]));
  });

  it("may hold eight mebibytes, and not a byte more", async () => {
    const hook = loneHook();
    const most = payloadOfBytes(maxPayloadBytes);
    hook.write(most);
    expect(await hook.inShell(`cat "$payload" | ${run}`)).toEqual(silent);
    expect(hook.kept()).toEqual([most]);
    hook.write(`${most} `);
    expect(await hook.inShell(`cat "$payload" 2>"$HOME/log" | ${run}`)).toMatchObject({ code: 1 });
    expect(hook.rejected()).toHaveLength(1);
  });

  const lacking: Record<string, [script: string, came: string]> = {
    "stays open and silent": [keptOpen(":"), "0 bytes on a standard input left open"],
    "stops in the middle": [keptOpen(`printf '{"hook_'`), "7 bytes on a standard input left open"],
    "is closed at once": [`: | ${run}`, "nothing"],
    "is no descriptor at all": [`${run} <&-`, "nothing"],
  };
  it("is given up when it stays silent, stops in the middle, is closed, or is none", async () => {
    const given = await Promise.all(
      Object.entries(lacking).map(async ([what, [script]]) => {
        const { code, stdout, stderr } = await loneHook().inShell(script);
        return [what, { code, stdout, stderr }];
      }),
    );
    expect(given).toEqual(
      Object.entries(lacking).map(([what, [, came]]) => [
        what,
        { code: 1, stdout: "", stderr: `hookbell: payload: expected one JSON object, got ${came}\n` },
      ]),
    );
  });
});
