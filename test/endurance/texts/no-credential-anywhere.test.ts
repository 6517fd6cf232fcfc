// What leaves the machine, what commands say and what is written down of agents' sessions: no credential, whichever text has one.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { askForRemotes } from "../../../src/daemon/leased/ask-for-remotes.ts";
import { ingestObservation } from "../../../src/pipeline/observe/observation.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { eventIdOf, listIncoming } from "../../../src/outbox/incoming.ts";
import { incomingFileName, writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { addSender } from "../../../src/answers/senders.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { findPlaces } from "../../../src/system/paths.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { httpWays } from "../../support/channels/channel-samples.ts";
import { prepareDispatcher, runOnClock, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { openStream, startPage } from "../../support/usage/page-server.ts";

/** The text that each credential stood in, by what is random in it: an agent may write `_` as `-` in a file's name. */
const places = new Map<string, string>();

/** A GitHub token of its own for each place. */
function token(place: string, length = 36): string {
  const random = createHash("sha256").update(place).digest("hex").slice(0, length);
  places.set(random.slice(0, 16), place);
  return ["gh", "p_"].join("") + random;
}

const ways = httpWays.filter(({ type }) => type !== "_template");

/** Three work trees of three repositories, whose folders, branches and labels have a credential; one tree is a linked one. */
function repositories(): string[] {
  const folder = temporaryFolder();
  return ["one", "two", "three"].map((name) => {
    const root = join(folder, `${name}-${token(`folder ${name}`)}`);
    const git = join(root, ".git");
    mkdirSync(git, { recursive: true });
    writeFileSync(join(git, "HEAD"), `ref: refs/heads/fix/${token(`branch ${name}`)}\n`);
    writeFileSync(join(root, ".hookbell.jsonc"), JSON.stringify({ label: token(`label ${name}`, 24) }));
    if (name !== "three") return root;
    const linked = join(folder, `tree-${token("work tree")}`);
    const own = join(git, "worktrees", "tree");
    mkdirSync(linked);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "HEAD"), `ref: refs/heads/${token("branch of the work tree")}\n`);
    writeFileSync(join(own, "commondir"), "../..\n");
    writeFileSync(join(linked, ".git"), `gitdir: ${own}\n`);
    return linked;
  });
}

/** Every text that Claude Code's payloads can have, with a credential in it. */
function payloadOf(event: string, session: string, cwd: string, more: Record<string, unknown> = {}): string {
  const at = (what: string): string => token(`${what} of ${event} in ${session}`);
  return JSON.stringify({
    hook_event_name: event,
    session_id: session,
    cwd,
    // As Claude Code names its folder: https://code.claude.com/docs/en/hooks
    transcript_path: join("/home/u/.claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), "t.jsonl"),
    agent_transcript_path: join("/home/u/.claude/projects", at("transcript"), "a.jsonl"),
    session_title: `title ${at("session title")}`,
    prompt: `fix it with ${at("prompt")}`,
    message: `message ${at("message")}`,
    title: `title ${at("title")}`,
    last_assistant_message: `**done** with ${at("last message")}, shall I go on?`,
    error: `rate_limit ${at("error")}`,
    error_details: at("details"),
    reason: at("reason"),
    source: at("source"),
    notification_type: "permission_prompt",
    tool_name: `mcp__x__${at("tool")}`,
    tool_input: { command: `curl -H ${at("command")}`, description: at("description") },
    tool_response: { stdout: at("output") },
    tool_use_id: at("call"),
    question_id: at("question"),
    agent_id: undefined,
    agent_type: at("subagent"),
    model: at("model"),
    effort: { level: at("effort") },
    permission_mode: at("mode"),
    permission_suggestions: [],
    ...more,
  });
}

it("no credential in any text of a session leaves the machine, is said or is written down", async () => {
  const home = temporaryFolder();
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: home, HOOKBELL_CONFIG_DIR: home };
  const running = prepareDispatcher(env);
  const { dispatcher, clock } = running;
  const { layout } = dispatcher;
  const sent: [string, string][] = [];
  const okBodies = new Map(ways.map(({ way }, index) => [`w${index}.example`, way.okBody]));
  dispatcher.tools.http = ({ url, headers, body = "" }, { signal }) => {
    // A listener waits at the vendor until something is pressed.
    if (url.includes("getUpdates")) {
      return new Promise((resolve) => {
        signal?.addEventListener("abort", () => resolve({ failure: "network", detail: "it was stopped" }));
      });
    }
    sent.push([url, `${url} ${JSON.stringify(headers)} ${body}`]);
    return Promise.resolve({ status: 200, headers: {}, body: okBodies.get(new URL(url).hostname) ?? "{}" });
  };
  const seenByProgram = join(home, "program.txt");
  const program = `(cat; env) >>'${seenByProgram}'`;
  const own: Record<string, Record<string, unknown>> = Object.fromEntries(
    ways.map(({ name, type, way }, index) => {
      const settings = way.settings(`https://w${index}.example`);
      const answers = name === "telegram" ? { answers: true } : {};
      return [name, { type, content: "full", ...settings, ...answers }];
    }),
  );
  const channels = {
    ...own,
    program: { type: "command", content: "full", argv: ["sh", "-c", program] },
    // Its deliveries stay in the outbox, where they are looked at.
    mail: {
      type: "email",
      content: "full",
      smtp: "smtp://127.0.0.1:9",
      from: "a@example.org",
      to: "b@example.org",
      withoutTls: "loopback",
    },
  };
  const names = Object.keys(channels);
  running.writeRules({
    answers: { allow: ["Bash(curl *)"], hold: "always" },
    stuckAfter: "10m",
    channels,
    rules: [
      { name: "asks", when: { event: ["Notification", "PermissionRequest", "Elicitation"] }, notify: names },
      { name: "ends", when: { event: ["Stop", "StopFailure"] }, group: { by: ["event"], wait: "20s" }, notify: names },
      { name: "rest", notify: names, throttle: { messages: 2, per: "1m" } },
    ],
  });
  await dispatcher.rereadRules();
  expect(dispatcher.rules().problems).toEqual([]);
  addSender(layout, "telegram", { type: "telegram", id: "1", name: "Ann", pairedAt: 0 });
  void running.run();

  let count = 0;
  const take = async (text: string, agentId = "claude-code"): Promise<void> => {
    writeIncoming(layout, text, { agentId, nowMs: clock.now(), unique: uniqueName(clock.now()) });
    await running.until(`event ${(count += 1)} taken in`, () => listIncoming(layout).length === 0);
    clock.turn(100);
  };
  const folders = repositories();
  const sessions = folders.map((cwd, index) => ({ cwd, id: `s${index}-${token(`id ${index}`)}` }));
  for (const { cwd, id } of sessions) {
    await take(payloadOf("SessionStart", id, cwd));
    await take(payloadOf("UserPromptSubmit", id, cwd));
    await take(payloadOf("PreToolUse", id, cwd));
    await take(payloadOf("PostToolUse", id, cwd));
    await take(payloadOf("SubagentStart", id, cwd, { agent_id: token(`helper of ${id}`) }));
    await take(payloadOf("SubagentStop", id, cwd, { agent_id: token(`helper of ${id}`) }));
    await take(payloadOf(token(`event's name in ${id}`), id, cwd));
  }
  // Another folder of the same session, and questions that are open together.
  await take(payloadOf("PreToolUse", sessions[0]?.id ?? "", join(folders[0] ?? "", token("folder within"))));
  for (const { cwd, id } of sessions) {
    await take(payloadOf("PermissionRequest", id, cwd));
    await take(payloadOf("Notification", id, cwd));
  }
  await take(
    JSON.stringify({
      hook_event_name: "Stop",
      session_id: token("generic id"),
      cwd: folders[0],
      message: token("generic message"),
    }),
    "generic",
  );
  await take(
    JSON.stringify({ hook_event_name: "Stop", session_id: [token("invalid id")], cwd: token("invalid folder") }),
  );

  // An agent on another machine, whose hook waits, and another machine that says how its session is.
  const position = uniqueName(clock.now());
  const text = payloadOf("PermissionRequest", `far-${token("far id")}`, `/srv/${token("far folder")}`);
  const file = incomingFileName({ unique: position, agentId: "claude-code", host: "devbox", nowMs: clock.now() });
  const asking = askForRemotes(dispatcher, () => {});
  await asking.ask({ id: position, eventId: eventIdOf(file, clock.now()), agentId: "claude-code", text }, "devbox");
  writeFileSync(join(layout.incoming, file), text);
  await running.until("the far question", () => listIncoming(layout).length === 0);
  const at = clock.now();
  ingestObservation(
    dispatcher,
    { agent: "claude-code", session: "laptop:x" },
    {
      kind: "told",
      at,
      source: "hook",
      session: recordOf({
        agent: "claude-code",
        session: "laptop:x",
        project: token("told project"),
        folder: `laptop:/srv/${token("told folder")}`,
        branch: token("told branch"),
        name: token("told name"),
        lastPrompt: token("told prompt"),
        host: "laptop",
        lastSeenAt: at,
        open: [{ id: "evt_told", at, name: "PermissionRequest", words: `run ${token("told words")}?` }],
      }),
    },
  );
  // A record that version 1.0.0-rc.1 has written.
  const old: SessionRecord = recordOf({
    agent: "claude-code",
    session: "old",
    project: token("old project"),
    folder: `/srv/${token("old folder")}`,
    branch: token("old branch"),
    lastSeenAt: at,
    state: {
      kind: "working",
      since: at,
      reason: "It works.",
      source: "hook",
      turn: { helpers: 0, requests: [{ text: token("old request"), at }] },
    },
    open: [{ id: "evt_old", at, name: "PermissionRequest", call: { tool: token("old tool"), input: "0" } }],
  });
  writeSession(layout, old);
  const oldFile =
    readdirSync(layout.sessions).find((name) => readFileSync(join(layout.sessions, name), "utf8").includes('"old"')) ??
    "";
  writeFileSync(join(layout.sessions, oldFile), JSON.stringify(old));

  const hookbell = async (...args: string[]): Promise<[string, string]> => {
    const said: string[] = [];
    const say = (words: string): void => void said.push(words);
    const io: CommandIo = {
      stdout: say,
      stderr: say,
      isTerminal: false,
      isStdinTerminal: false,
      isStderrTerminal: false,
      isColor: false,
      columns: 80,
      ...dispatcher.tools,
      env,
      places: { ...findPlaces(env), stateDir: layout.root, rulesFile: dispatcher.rulesFile },
      cwd: folders[0] ?? "",
      ancestry: () => [],
      untilStopped: () => AbortSignal.abort(),
      readStdin: () => Promise.resolve(payloadOf("Stop", sessions[0]?.id ?? "", folders[0] ?? "")),
    };
    await runOnClock(running, args, io);
    expect(said.join(""), args.join(" ")).not.toBe("");
    return [args.join(" "), said.join("")];
  };
  const say = async (): Promise<[string, string][]> => {
    const all: [string, string][] = [];
    const ids = running.journal("event").map(({ event }) => (event as { id: string }).id);
    const commands = [
      "status",
      "sessions --all",
      "digest",
      "pending",
      "log --all",
      "log --failed",
      "why --all",
      "board",
      "mute --list",
      "doctor",
    ];
    for (const command of [...commands, ...ids.slice(-3).flatMap((id) => [`why ${id}`, `explain ${id}`]), "explain"]) {
      for (const flags of [[], ["--json"]]) all.push(await hookbell(...command.split(" "), ...flags));
    }
    return all;
  };
  const flush = async (): Promise<void> => {
    for (let turn = 0; turn < 90; turn += 1) {
      clock.turn(1000);
      await new Promise(setImmediate);
      await running.until("no request under way", () => running.requestsUnderWay() === 0);
    }
  };

  await flush();
  expect(sent.some(([, body]) => body.includes("sessions wait for you"))).toBe(true);
  // The next write masks it.
  const isOld = ([path]: [string, string]): boolean => path.endsWith(oldFile);
  expectNone([...(await say()), ...filesOf(running).filter((each) => !isOld(each))]);
  await take(payloadOf("Stop", "old", folders[0] ?? ""));

  await hookbell("mute", "1h", "--project", ".");
  await hookbell("mute", "1h", "--session", sessions[1]?.id ?? "");
  await hookbell("send", "--json", "--channel", "program", token("sent by hand"));
  for (const { cwd, id } of sessions) {
    await take(payloadOf("Stop", id, cwd));
    await take(payloadOf("UserPromptSubmit", id, cwd));
    await take(payloadOf("StopFailure", id, cwd));
  }
  await flush();
  const muted = running.journal("decision").filter((entry) => JSON.stringify(entry).includes("muted: project one-"));
  expect(muted.length).toBeGreaterThan(0);
  expectNone([...(await say()), ...filesOf(running)]);
  const page = await startPage();
  cpSync(layout.root, page.layout.root, { recursive: true });
  const stream = await openStream(page, await page.pair(["read", "answer"]));
  expectNone([["the page", JSON.stringify(await stream.until(({ groups }) => groups.length > 0))]]);
  clock.turn(20 * 60_000);
  await flush();
  for (const { cwd, id } of sessions) await take(payloadOf("SessionEnd", id, cwd));
  await flush();
  running.stop();
  expectNone([...sent, ["program", readFileSync(seenByProgram, "utf8")], ...(await say()), ...filesOf(running)]);
  for (const [index, { name }] of ways.entries()) {
    expect(sent.some(([url]) => url.includes(`//w${index}.example`)) || name, name).toBeTruthy();
  }
  expect(listDeliveries(layout, "outbox").length + listDeliveries(layout, "dead").length).toBeGreaterThan(0);
  expect(readFileSync(seenByProgram, "utf8")).toContain("[redacted: GitHub token]");
});

/** SECURITY.md names those that hold what the agent sent. */
const withPayloads = /^(?:incoming|rejected|fleet|remotes)\//;

function filesOf({ dispatcher: { layout } }: RunningDispatcher): [string, string][] {
  return readdirSync(layout.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => [
      relative(layout.root, join(entry.parentPath, entry.name)),
      readFileSync(join(entry.parentPath, entry.name), "utf8"),
    ])
    .filter(([path]) => !withPayloads.test(path));
}

function expectNone(all: readonly [string, string][]): void {
  const found = all.flatMap(([where, text]) =>
    [...places].flatMap(([random, place]) => {
      const at = text.indexOf(random);
      return at === -1 ? [] : [`${where}: ${place}: …${text.slice(Math.max(0, at - 120), at)}`];
    }),
  );
  expect(found).toEqual([]);
}
