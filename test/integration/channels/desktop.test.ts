import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bodyLimit, titleLimit } from "../../../src/channels/local/desktop/appearance.ts";
import { iconOf } from "../../../src/channels/local/desktop/bus.ts";
import { desktop } from "../../../src/channels/local/desktop/desktop.ts";
import type { Message } from "../../../src/model/message.ts";
import type { Delivered, Outcome } from "../../../src/model/outcome.ts";
import { buildChannelProgram, type ChannelProgram } from "../../support/channels/channel-process.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { dunstTimeouts, startDesktop, until, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";

const busParts = ["dbus-daemon", "dbus-send", "dbus-monitor"];
const settings = (own: object = {}): unknown => desktop.settings.parse(own);

let session: DesktopSession;
const send = (message: Partial<Message>, own: object = {}, remembered?: Record<string, string>): Promise<Outcome> =>
  desktop.send(localRequest(message, settings(own), remembered), localTools(session.env, tmpdir()));
const rememberOf = (outcome: Outcome): Record<string, string> => (outcome as Delivered).remember ?? {};

describeWithParts("desktop with dunst", [...busParts, "Xvfb", "dunst", "dunstctl", "busctl"], () => {
  beforeEach(async () => {
    session = await startDesktop("dunst");
  });
  afterEach(() => session.stop());

  it.each([
    ["info", dunstTimeouts.low],
    ["success", dunstTimeouts.normal],
    ["attention", 0],
    ["error", 0],
  ] as const)("shows a message of level %s with its icon, for so long: %i", async (level, timeout) => {
    const outcome = await send({ title: "shop: 3 < 4", body: "two\nlines & more", level });
    expect(outcome).toMatchObject({ status: "delivered", detail: expect.stringMatching(/^shown by dunst .* as \d+$/) });
    expect(session.dunstHistory()).toEqual([
      expect.objectContaining({
        summary: "shop: 3 < 4",
        body: "two\nlines &amp; more",
        timeout: timeout * 1_000_000,
        icon_path: fileURLToPath(iconOf(level)),
        category: `x-hookbell.${level}`,
        appname: "hookbell",
      }),
    ]);
  });

  it("replaces the session's earlier notification", async () => {
    const first = await send({ body: "first" });
    const second = await send({ body: "second" }, {}, rememberOf(first));
    expect(rememberOf(second)).toEqual(rememberOf(first));
    expect(session.dunstHistory().map(({ body }) => body)).toEqual(["second"]);
  });

  it("does not replace by an id that another daemon gave", async () => {
    const first = await send({ body: "a stranger's" });
    const remembered = { ...rememberOf(first), server: "another" };
    await send({ body: "ours" }, {}, remembered);
    expect(session.dunstHistory().map(({ body }) => body)).toHaveLength(2);
  });

  it("withdraws what it showed, and nothing that another daemon gave an id for", async () => {
    const remembered = rememberOf(await send({ level: "error" }));
    const tools = localTools(session.env, tmpdir());
    const displayed = (): string => session.run("dunstctl", "count", "displayed").trim();
    await until(() => displayed() === "1", "the notification on the screen");
    await desktop.retract?.(settings(), { ...remembered, server: "another" }, tools, "answered");
    expect(displayed()).toBe("1");
    await desktop.retract?.(settings(), remembered, tools, "answered");
    await until(() => displayed() === "0", "an empty screen");
    // Once more is no error.
    await desktop.retract?.(settings(), remembered, tools, "answered");
  });

  it.each([
    ["markup", "<b>bold?</b> & co", "&lt;b&gt;bold?&lt;/b&gt; &amp; co"],
    ["an image", '<img src="http://x/y.png">', "&lt;img src=&quot;http://x/y.png&quot;&gt;"],
    ["a flag", "--help", "--help"],
    ["shell syntax", "`id` $(id) \\", "`id` $(id) \\"],
    ["NUL and controls", "a\u0000b\u0007c\u001b[31md", "abcd"],
    ["a lone surrogate", "a\ud800b", "a\ufffdb"],
    ["nothing", "", ""],
  ])("shows %s as it is", async (_what, text, body) => {
    expect(await send({ title: `${text}!`, body: text })).toMatchObject({ status: "delivered" });
    const plain =
      text === ""
        ? "!"
        : `${text
            .replaceAll("\u001b[31m", "")
            .replace(/[\0\u0007]/g, "")
            .toWellFormed()}!`;
    expect(session.dunstHistory()).toEqual([expect.objectContaining({ summary: plain, body })]);
  });

  it("cuts 200 kB, never inside an escape", async () => {
    expect(await send({ title: "t".repeat(200_000), body: "<".repeat(200_000) })).toMatchObject({
      status: "delivered",
    });
    const [shown] = session.dunstHistory();
    expect(shown?.summary).toMatch(/^t+…$/);
    expect(shown?.summary).toHaveLength(titleLimit);
    expect(shown?.body).toMatch(/^(&lt;)+… \(\d+ more characters\)$/);
    expect(shown?.body.length).toBeLessThanOrEqual(bodyLimit);
  });

  it("sets urgency and the time on the screen as asked", async () => {
    await send({ title: "a", level: "success" }, { urgency: "low" });
    await send({ title: "b", level: "error" }, { displayFor: "7s" });
    const timeouts = new Map(session.dunstHistory().map(({ summary, timeout }) => [summary, timeout]));
    expect(timeouts).toEqual(
      new Map([
        ["a", dunstTimeouts.low * 1_000_000],
        ["b", 7_000_000],
      ]),
    );
  });

  it("says who shows notifications when probed, and shows none", async () => {
    const probed = await desktop.probe?.(settings(), localTools(session.env, tmpdir()));
    expect(probed).toEqual({ status: "ok", detail: expect.stringMatching(/^dunst \d/) });
    expect(session.dunstHistory()).toEqual([]);
  });

  it("finds the bus by the runtime folder when the address is of an earlier login", async () => {
    const env = { ...session.env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus;tcp:host=localhost,port=1" };
    const outcome = await desktop.send(localRequest({}, settings()), localTools(env, tmpdir()));
    expect(outcome).toMatchObject({ status: "delivered" });
    expect(session.dunstHistory()).toHaveLength(1);
  });
});

describeWithParts("desktop with a frozen dunst", [...busParts, "Xvfb", "dunst", "dunstctl", "busctl"], () => {
  let program: ChannelProgram;
  beforeAll(async () => {
    program = await buildChannelProgram("desktop");
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    session = await startDesktop("dunst");
    process.kill(session.daemonPid ?? 0, "SIGSTOP");
  });
  afterEach(() => session.stop());

  it("gives up, lets the process end, and leaves nothing to be shown later", async () => {
    expect(await program.send({ env: session.env, stateDir: tmpdir() })).toEqual({
      exitCode: 0,
      stderr: "",
      outcome: { status: "failed", reason: "timeout", detail: expect.stringContaining("does not answer") },
    });
    process.kill(session.daemonPid ?? 0, "SIGCONT");
    // Its answer to this shows that it has worked off its queue.
    expect(await send({ body: "after the thaw" })).toMatchObject({ status: "delivered" });
    expect(session.dunstHistory().map(({ body }) => body)).toEqual(["after the thaw"]);
  });

  it("stops when told to", async () => {
    const controller = new AbortController();
    const sending = desktop.send(
      localRequest({}, settings()),
      localTools(session.env, tmpdir(), { signal: controller.signal }),
    );
    controller.abort();
    expect(await sending).toMatchObject({ status: "failed", reason: "timeout" });
    const again = await desktop.send(
      localRequest({}, settings()),
      localTools(session.env, tmpdir(), { signal: controller.signal }),
    );
    expect(again).toMatchObject({ status: "failed", reason: "timeout" });
  });
});

describeWithParts("desktop with notification-daemon", [...busParts, "Xvfb", "notification-daemon"], () => {
  beforeAll(async () => {
    session = await startDesktop("notification-daemon");
  });
  afterAll(() => session.stop());

  it("calls it with the text escaped and every hint of the right type", async () => {
    const calls = await session.watchCalls();
    const outcome = await send({ title: "<b>t</b> & co", body: "<b>bold?</b> & co", level: "error" });
    expect(outcome).toMatchObject({ status: "delivered", detail: expect.stringContaining("Notification Daemon") });
    // The last argument is the time on the screen, and the only `int32`.
    await until(() => /member=Notify\b[^]*\sint32 0\n/.test(calls()), "the call");
    const call = calls().replace(/\s+/g, " ");
    expect(call).toContain(`string "hookbell" uint32 0 string "${iconOf("error")}" string "<b>t</b> & co"`);
    expect(call).toContain('string "&lt;b&gt;bold?&lt;/b&gt; &amp; co"');
    expect(call).toContain('string "urgency" variant byte 2');
    expect(call).toContain('string "suppress-sound" variant boolean true');
    expect(call).toContain('string "desktop-entry" variant string "hookbell"');
  });

  it("replaces and withdraws by the id it was given", async () => {
    const calls = await session.watchCalls();
    const remembered = rememberOf(await send({ body: "one" }));
    expect(rememberOf(await send({ body: "two" }, {}, remembered))).toEqual(remembered);
    await desktop.retract?.(settings(), remembered, localTools(session.env, tmpdir()), "answered");
    const closed = new RegExp(`member=NotificationClosed\\s+uint32 ${remembered.notificationId}\\s+uint32 3\\n`);
    await until(() => closed.test(calls()), "the notification closed");
    expect(calls().replace(/\s+/g, " ")).toContain(`string "hookbell" uint32 ${remembered.notificationId} `);
  });
});

describeWithParts("desktop without a daemon", busParts, () => {
  afterEach(() => session.stop());

  it("is unavailable at once, and says what to install", async () => {
    session = await startDesktop("none");
    expect(await send({})).toEqual({
      status: "failed",
      reason: "unavailable",
      detail: expect.stringContaining("install a notification daemon"),
    });
    const probed = await desktop.probe?.(settings(), localTools(session.env, tmpdir()));
    expect(probed).toMatchObject({ status: "broken", fix: expect.stringContaining("dunst"), isElsewhere: true });
    const seated = localTools({ ...session.env, DISPLAY: ":0" }, tmpdir());
    expect(await desktop.probe?.(settings(), seated)).toMatchObject({ status: "broken", isElsewhere: false });
  });

  it("is unavailable when the bus cannot start the daemon it knows", async () => {
    session = await startDesktop("none", { activates: "/bin/false" });
    expect(await send({})).toMatchObject({ status: "failed", reason: "unavailable" });
  });
});

describe("desktop without a bus", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "hookbell-nobus-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it.each([
    ["no address", {}],
    ["an address without a socket", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" }],
    ["an address of another kind", { DBUS_SESSION_BUS_ADDRESS: "tcp:host=localhost,port=1" }],
    ["a broken address", { DBUS_SESSION_BUS_ADDRESS: "unix:path=%zz,;;:=" }],
  ])("is unavailable with %s", async (_what, env) => {
    const outcome = await desktop.send(localRequest({}, settings()), localTools({ XDG_RUNTIME_DIR: dir, ...env }, dir));
    expect(outcome).toMatchObject({ status: "failed", reason: "unavailable" });
  });

  it.each([
    ["hangs up", undefined, "network"],
    ["is no bus", "HTTP/1.1 400 Bad Request\r\n\r\n", "network"],
    ["refuses us", "REJECTED\r\n", "network"],
  ] as const)("fails when what listens there %s (posix)", async (_what, answer, reason) => {
    const path = join(dir, "bus");
    const server = createServer((socket) => {
      socket.on("error", () => {});
      if (answer === undefined) socket.destroy();
      else socket.end(answer);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const outcome = await desktop.send(localRequest({}, settings()), localTools({ XDG_RUNTIME_DIR: dir }, dir));
    server.close();
    expect(outcome).toMatchObject({ status: "failed", reason });
  });
});
