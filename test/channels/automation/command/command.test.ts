import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandVariables, maxVariableBytes, command } from "../../../../src/channels/automation/command/command.ts";
import type { AgentEvent } from "../../../../src/model/event.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import { everyRow } from "../../../support/rows.ts";

const node = process.execPath;

describe("the command channel", () => {
  let home: string;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "hookbell-command-")));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function run(
    settings: Record<string, unknown>,
    more: { event?: Partial<AgentEvent>; payload?: Record<string, unknown>; signal?: AbortSignal } = {},
  ): Promise<Outcome> {
    const env = { PATH: process.env.PATH ?? "", TOKEN: "s3cret-token" };
    const resolved = await resolveSecrets(command.settings.parse(settings), env, home);
    const request = localRequest({}, resolved);
    return command.send(
      { ...request, event: { ...request.event, ...more.event }, payload: more.payload },
      localTools(env, home, { home, ...(more.signal === undefined ? {} : { signal: more.signal }) }),
    );
  }
  const script = (code: string): string[] => [node, "-e", code];

  it("hands the event over as JSON on standard input and as variables", async () => {
    const save = `
      const fs = require("fs");
      fs.writeFileSync("seen.json", JSON.stringify({ input: fs.readFileSync(0, "utf8"), env: process.env, argv: process.argv.slice(1) }));
      console.log("\\n  all well  \\nmore");`;
    const outcome = await run(
      { argv: [...script(save), "$HOME; `id`", "{message}"], env: { API: { env: "TOKEN" } } },
      { event: { message: "$(touch pwned) 'ä'\u0000\u001b[31m" }, payload: { hook_event_name: "Stop", deep: [1] } },
    );
    expect(outcome).toEqual({ status: "delivered", detail: "all well" });
    const seen = JSON.parse(readFileSync(join(home, "seen.json"), "utf8"));
    expect(seen.argv).toEqual(["$HOME; `id`", "{message}"]);
    expect(JSON.parse(seen.input)).toEqual({
      deliveryId: "msg_1",
      attempt: 1,
      version: 1,
      event: { ...localRequest({}, {}).event, message: "$(touch pwned) 'ä'\u0000\u001b[31m" },
      message: { title: "shop: done", body: "All tests pass.", level: "success", fields: [] },
      payload: { hook_event_name: "Stop", deep: [1] },
    });
    expect(seen.env).toMatchObject({
      API: "s3cret-token",
      HOOKBELL_EVENT: "Stop",
      HOOKBELL_AGENT: "droid",
      HOOKBELL_SESSION: "s-1",
      HOOKBELL_PROJECT: "shop",
      HOOKBELL_CWD: "/srv/shop",
      HOOKBELL_LEVEL: "success",
      HOOKBELL_TITLE: "shop: done",
      HOOKBELL_BODY: "All tests pass.",
      HOOKBELL_MESSAGE: "$(touch pwned) 'ä'",
      HOOKBELL_REASON: "",
      HOOKBELL_DELIVERY_ID: "msg_1",
    });
  });

  it("reads how the program ended", () =>
    everyRow(
      [
        ["process.exit(0)", { status: "delivered" }],
        [
          "console.error('first'); console.error('no such board'); process.exit(3)",
          { reason: "rejected", detail: `${node} ended with exit code 3: no such board` },
        ],
        ["process.exit(75)", { reason: "serverError" }],
        ["process.stdin.destroy(); process.exit(0)", { status: "delivered" }],
      ],
      async ([code, expected]) => {
        expect(await run({ argv: script(code) })).toMatchObject(expected);
      },
      (row) => JSON.stringify(row),
    ));

  it("does not know what a program did that a signal ended (posix)", async () => {
    expect(await run({ argv: script("process.kill(process.pid, 'SIGKILL')") })).toMatchObject({ reason: "unknown" });
  });

  it.each([
    [["hookbell-no-such-program"], "unavailable", /the program hookbell-no-such-program does not exist/],
    [[node, "a\u0000b"], "rejected", /could not be started/],
  ])("cannot start %j", async (argv, reason, detail) => {
    expect(await run({ argv })).toMatchObject({ reason, detail: expect.stringMatching(detail) });
  });

  it("cannot start a file that no one may run (posix)", async () => {
    writeFileSync(join(home, "not-executable"), "#!/bin/sh\n", { mode: 0o600 });
    const outcome = await run({ argv: ["~/not-executable"] });
    expect(outcome).toMatchObject({ reason: "unavailable", detail: expect.stringMatching(/chmod/) });
  });

  it("expands ~/ in the program's place only", async () => {
    const [name, text] =
      process.platform === "win32" ? ["say.cmd", "@echo %~1\r\n"] : ["say", '#!/bin/sh\necho "$1"\n'];
    writeFileSync(join(home, name), text, { mode: 0o700 });
    expect(await run({ argv: ["~/say", "~/x"] })).toEqual({ status: "delivered", detail: "~/x" });
  });

  it("ends a program that takes too long, whose fate is then unknown", async () => {
    const outcome = await run({ argv: script("setInterval(() => {}, 1000)"), timeout: "200ms" });
    expect(outcome).toMatchObject({ reason: "unknown", detail: expect.stringContaining('set "timeout"') });
  });

  it("starts whatever the size of the event", async () => {
    const long = "ä\n".repeat(200_000);
    const event = { message: long, title: long, reason: long, cwd: long, session: long, project: long };
    const outcome = await run(
      {
        argv: script(
          "let n = 0; process.stdin.on('data', (c) => (n += c.length)).on('end', () => console.log(n < 2e6))",
        ),
      },
      { event, payload: { long } },
    );
    expect(outcome).toEqual({ status: "delivered", detail: "true" });
  });

  it("runs in the folder that its cwd names", () =>
    everyRow(
      [
        [undefined, "home"],
        ["home", "home"],
        ["project", "project"],
        ["~/project", "project"],
        ["/nonexistent", "home"],
      ],
      async ([cwd, where]) => {
        mkdirSync(join(home, "project"), { recursive: true });
        const outcome = await run(
          { argv: script("console.log(process.cwd())"), ...(cwd === undefined ? {} : { cwd }) },
          { event: { cwd: join(home, "project") } },
        );
        expect(outcome.detail).toBe(where === "home" ? home : join(home, "project"));
      },
      (row) => JSON.stringify(row),
    ));

  it("runs at home when the project's folder is gone, or is a file", async () => {
    writeFileSync(join(home, "file"), "");
    for (const cwd of [join(home, "gone"), join(home, "file"), "relative", ""]) {
      const outcome = await run({ argv: script("console.log(process.cwd())"), cwd: "project" }, { event: { cwd } });
      expect(outcome.detail).toBe(home);
    }
  });

  it.each(["console.log(process.env.API)", "console.error(process.env.API); process.exit(1)"])(
    "repeats no secret when the program does: %s",
    async (code) => {
      const outcome = await run({ argv: script(code), env: { API: { env: "TOKEN" } } });
      expect(outcome.detail).toContain("[secret]");
      expect(outcome.detail).not.toContain("s3cret");
    },
  );

  it("refuses what it cannot run when the rules are loaded", () =>
    everyRow(
      [
        [{ argv: [] }, "argv"],
        [{ argv: ["./notify"] }, "argv"],
        [{ argv: ["bin/notify"] }, "argv"],
        [{ argv: "echo hi" }, "argv"],
        [{ argv: ["true"], timeout: "6m" }, "timeout"],
        [{ argv: ["true"], timeout: "0s" }, "timeout"],
        [{ argv: ["true"], cwd: "sub/folder" }, "cwd"],
        [{ argv: ["true"], env: { HOOKBELL_EVENT: "x" } }, "env"],
        [{ argv: ["true"], env: { "A=B": "x" } }, "env"],
      ],
      ([settings, field]) => {
        expect(command.settings.safeParse(settings).error?.issues[0]?.path[0]).toBe(field);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("commandVariables", () => {
  it("has one line in each but the body and the message", () => {
    const lines = "a\nB=1\u2028c";
    const { event, ...request } = localRequest({ body: "a\nb", title: lines }, {});
    const told = { ...event, project: lines, cwd: "/a  b\nc", session: lines, message: "a\nb" };
    expect(commandVariables({ ...request, event: told })).toMatchObject({
      HOOKBELL_TITLE: "a B=1 c",
      HOOKBELL_PROJECT: "a B=1 c",
      HOOKBELL_CWD: "/a  b c",
      HOOKBELL_SESSION: "a B=1 c",
      HOOKBELL_BODY: "a\nb",
      HOOKBELL_MESSAGE: "a\nb",
    });
  });

  it("keeps each variable to its bound, without NUL and whole", () => {
    const request = localRequest({ body: "\u0000ä€😀".repeat(10_000), title: "a\u0000b" }, {});
    const variables = commandVariables(request);
    expect(variables.HOOKBELL_TITLE).toBe("ab");
    for (const value of Object.values(variables)) {
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(maxVariableBytes);
      expect(value).not.toContain("\u0000");
      expect(value.isWellFormed()).toBe(true);
    }
  });
});
