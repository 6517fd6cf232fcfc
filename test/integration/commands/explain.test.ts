import { madeUpSecrets } from "../../support/channels/made-up-secrets.ts";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listSessions, writeSession } from "../../../src/outbox/sessions.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { shell, stopTo, webhookProject } from "./webhook-project.ts";

const stop = payloadOf("Stop", { last_assistant_message: "all green" });
const rules = [
  { name: "asks", when: { event: "Notification" }, notify: ["ops"] },
  {
    name: "done",
    when: { event: "Stop", project: "shop-*" },
    notify: ["ops"],
    title: "{project}: done",
    body: "{message}",
  },
];

describe("explain", () => {
  it.each([
    ["Stpo", /^ {2}no known agent sends this event; did you mean "Stop"\?$/m],
    ["Entirely", /^ {2}unknown event: /m],
  ])("says that %s is no known event", async (name, expected) => {
    const project = await webhookProject(rules);
    expect((await project.command(["explain"], payloadOf(name))).stdout).toMatch(expected);
  });

  it("tells what would happen, and does nothing of it", async () => {
    const project = await webhookProject(rules);
    writeFileSync(join(project.home, "stop.json"), stop);
    const fromFile = await project.run(["explain", "stop.json"]);
    expect(fromFile).toMatchObject({ code: 0, stderr: "" });
    expect(fromFile.stdout).toBe(
      [
        "event  Stop from generic, project shop-web, level success",
        "  no agent recognised; if one sent this, name it with --agent ID",
        "",
        "rules",
        '  no   asks  event is "Stop", wanted "Notification"',
        '  yes  done  event is "Stop"; project "shop-web" matches "shop-*"',
        "",
        "notified",
        '  ops  success  by rule "done"',
        "      shop-web: done",
        "      all green",
        "",
        "silent",
        "  spare  no rule names it",
        "",
      ].join("\n"),
    );
    expect(await project.command(["explain"], stop)).toEqual(fromFile);
    expect(await project.command(["explain", "-"], stop)).toEqual(fromFile);
    expect(project.receiver.requests).toEqual([]);
    expect(existsSync(project.layout.root)).toBe(false);
  });

  it("shows the title and the text that each channel gets", async () => {
    const project = await webhookProject();
    project.writeRules({
      channels: { desktop: { type: "desktop" }, ops: { type: "webhook", url: "https://receiver.example" } },
      rules: [{ name: "done", when: { event: "Stop" }, notify: ["desktop", "ops"] }],
    });
    const payload = payloadOf("Stop", { cwd: "/srv/acme-storefront", last_assistant_message: "all green" });
    const args = ["explain", "--agent", "claude-code", "--session-age", "3m"];
    const { stdout } = await project.command(args, payload);
    expect(stdout.split("      acme-storefront: is done\n      all green\n")).toHaveLength(3);
  });

  it("reads no more than the hook takes, from standard input and from a file (posix)", async () => {
    const project = await webhookProject(rules);
    const refused = {
      code: 65,
      stdout: "",
      stderr: "hookbell: the hook would reject this payload\n  payload: expected at most 8388608 bytes, got more\n",
    };
    const fromInput = await shell(project, "head -c 40000000 /dev/zero >large; hookbell explain <large");
    expect(fromInput).toMatchObject(refused);
    expect(await project.command(["explain", join(project.home, "large")])).toMatchObject(refused);
  });

  it("prints the same as JSON", async () => {
    const project = await webhookProject(rules);
    const result = await project.command(["explain", "--json"], stop);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toEqual({
      event: expect.objectContaining({ name: "Stop", agent: "generic", project: "shop-web", message: "all green" }),
      rules: [
        { name: "asks", held: false, why: expect.stringContaining("Stop") },
        { name: "done", held: true, why: expect.stringContaining("shop-") },
      ],
      deliveries: [
        {
          channel: "ops",
          title: "shop-web: done",
          body: "all green",
          isMarkdown: true,
          level: "success",
          rule: "done",
          scrubbed: [],
        },
      ],
      silent: [{ channel: "spare", why: "no rule names it" }],
    });
  });

  it("shows a message and its line in the log without Markdown's signs", async () => {
    const project = await webhookProject(rules);
    const said = payloadOf("Stop", { last_assistant_message: "**All** tests pass in `src/a.ts`.\n\n- one" });
    expect((await project.command(["explain"], said)).stdout).toContain(
      "      All tests pass in src/a.ts.\n      \n      • one\n",
    );
    await project.command(["hook", "--wait", "--agent", "droid"], said);
    const { stdout } = await project.command(["log"]);
    expect(stdout).toContain("All tests pass in src/a.ts. • one");
    expect(stdout).not.toContain("**");
  });

  it("shows a question as a channel that carries answers does, and says whether the hook waits", async () => {
    const project = temporaryProject();
    project.writeRules({
      answers: { allow: ["Bash"], hold: "away" },
      channels: {
        phone: { type: "telegram", token: "123456789:AAExampleExampleExampleExample", chat: 7, answers: true },
      },
      rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
    });
    const asked = payloadOf("PermissionRequest", {
      tool_name: "Bash",
      tool_input: { command: "npm test", timeout: 9 },
    });
    const explain = async (agent: string, state: string): Promise<string> =>
      (await project.command(["explain", "--agent", agent, "--state", state], asked)).stdout;
    const card = "      shop-web: asks to run a command\n      │ npm test\n      │ timeout: 9\n      tool: Bash";
    for (const waiting of [await explain("claude-code", "here"), await explain("codex", "away")]) {
      expect(waiting).toContain("  the hook waits for an answer, up to 5m once the question is shown\n");
      expect(waiting).toContain(card);
    }
    const here = await explain("codex", "here");
    expect(here).toContain("  the hook does not wait for an answer: its hook waits only while you are away\n");
    expect(here).toContain("      shop-web: asks to run a command\n      npm test\n");
    mkdirSync(project.layout.root, { recursive: true });
    writeFileSync(join(project.layout.root, "hookbell-hook.sh"), "#!/bin/sh\nid\n");
    const changed = await explain("claude-code", "here");
    expect(changed).toContain(
      "the hook does not wait for an answer: hookbell's hook script was changed by another program",
    );
    expect(changed).not.toContain(card);
  });

  it("explains an event of the log by the rules of now", async () => {
    const project = await webhookProject(rules);
    await project.command(["hook", "--wait", "--agent", "droid"], stop);
    const [id = ""] = /evt_\w+/.exec((await project.command(["log"])).stdout) ?? [];
    const first = await project.command(["explain", id]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^event {2}Stop from droid, project shop-web, level success\n/);
    expect(first.stdout).toContain('ops  success  by rule "done"\n      shop-web: done\n      all green\n');
    project.writeRules("{ broken");
    const { stdout, stderr } = await project.command(["explain", id]);
    expect(stdout).toBe(first.stdout);
    expect(stderr).toBe("hookbell: the rules file is broken; the last good rules apply. See: hookbell check\n");
    expect(await project.command(["explain", "evt_unknown"])).toMatchObject({
      code: 65,
      stderr: 'hookbell: no event or message has the id "evt_unknown"\n  hookbell log shows the ids\n',
    });
  });

  it("plans an event of the log as it does a payload: a subagent's end reaches no one", async () => {
    const project = await webhookProject(rules);
    await project.command(["hook", "--wait", "--agent", "droid"], stop);
    const [id = ""] = /evt_\w+/.exec((await project.command(["log"])).stdout) ?? [];
    for (const session of listSessions(project.layout)) writeSession(project.layout, { ...session, helperOf: "above" });
    const { stdout } = await project.command(["explain", id]);
    expect(stdout).toContain("the end of a subagent: its SubagentStop reports it");
    expect(stdout).not.toContain('by rule "done"');
  });

  it("takes the first characters of an event's id, if only one begins with them", async () => {
    const project = await webhookProject(rules);
    for (const session of ["one", "other"]) {
      await project.command(["hook", "--wait", "--agent", "droid"], payloadOf("Stop", { session_id: session }));
    }
    const [first = "", second = ""] = new Set((await project.command(["log"])).stdout.match(/evt_\w+/g));
    const length = [...first].findIndex((letter, index) => letter !== second[index]) + 1;
    const whole = await project.command(["explain", first]);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining("Stop from droid") });
    expect(await project.command(["explain", first.slice(0, length)])).toEqual(whole);
    expect(await project.command(["explain", "evt_"])).toMatchObject({
      code: 65,
      stderr: 'hookbell: 2 events have ids like "evt_"\n  hookbell log shows the ids\n',
    });
  });

  it("says what was taken out of a text", async () => {
    const project = await webhookProject(rules);
    const said = payloadOf("Stop", { last_assistant_message: "I set password=hunter2, and it works." });
    const result = await project.command(["explain"], said);
    expect(result.stdout).toContain("I set password=[redacted: password], and it works.");
    expect(result.stdout).toContain("removed: password");
    expect(result.stdout).not.toContain("hunter2");
    const { deliveries } = JSON.parse((await project.command(["explain", "--json"], said)).stdout) as {
      deliveries: object[];
    };
    expect(deliveries).toMatchObject([{ channel: "ops", scrubbed: ["password"] }]);
  });

  it("shows no credential in JSON, wherever in the event it stands, now and from the journal", async () => {
    const project = await webhookProject(rules);
    const texts = madeUpSecrets.map(({ text }) => text).join("\n");
    const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";
    const asked = { tool_name: "Bash", tool_input: { command: `deploy ${token}`, description: texts } };
    const payloads = [
      payloadOf("Stop", { last_assistant_message: texts, cwd: `/home/u/${token}`, session_id: `s-${token}` }),
      payloadOf("PermissionRequest", { ...asked, session_id: "s2" }),
      payloadOf("Notification", { notification_type: token, title: token, message: texts }),
      payloadOf("StopFailure", { error: token, error_details: texts }),
    ];
    for (const payload of payloads) {
      const { stdout, stderr } = await project.command(["explain", "--json"], payload);
      expect(stderr).toBe("");
      expect(stdout).toContain("[redacted: ");
      for (const { secret, kind } of madeUpSecrets)
        expect({ kind, text: stdout }).toEqual({
          kind,
          text: expect.not.stringContaining(JSON.stringify(secret).slice(1, -1)),
        });
    }
    await project.command(["hook", "--wait", "--agent", "droid"], payloads[0]);
    const { stdout: log } = await project.command(["log", "--all"]);
    const again = await project.command(["explain", "--json", /evt_\w+/.exec(log)?.[0] ?? ""]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("[redacted: ") });
    for (const { secret } of madeUpSecrets) expect(again.stdout).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it("takes the agent and the event from the command line, as the hook does", async () => {
    const project = await webhookProject(rules);
    const bare = JSON.stringify({ session_id: "s", cwd: "/x/shop-web" });
    const result = await project.command(["explain", "--json", "--agent", "droid", "--event", "Stop"], bare);
    expect(JSON.parse(result.stdout)).toMatchObject({ event: { agent: "droid", name: "Stop" } });
  });

  it("goes by the rules file of --config, and by the built-in rules without any", async () => {
    const project = await webhookProject([stopTo()]);
    const other = { channels: { log: { type: "command", argv: ["true"] } }, rules: [{ name: "all", notify: ["log"] }] };
    writeFileSync(join(project.home, "other.jsonc"), JSON.stringify(other));
    const result = await project.run(["explain", "--config", "other.jsonc", "--json"], stop);
    expect(JSON.parse(result.stdout)).toMatchObject({ deliveries: [{ channel: "log" }] });

    const bare = temporaryProject();
    const builtIn = await bare.command(["explain"], stop);
    expect(builtIn.stdout).toContain(`no rules file (${bare.rulesFile}): the built-in rules apply\n`);
    expect(builtIn.stdout).toContain('  desktop  success  by rule "done"');
  });

  it("passes on nothing that steers a terminal", async () => {
    const project = await webhookProject([{ name: "done", notify: ["ops"], title: "{session}", body: "{message}" }]);
    const nasty = "a\u001b]0;owned\u0007b\u009b31mc\u202ed\r\u001b[2Je";
    const payload = payloadOf("Stop", { session_id: nasty, cwd: `/x/${nasty}`, last_assistant_message: nasty });
    for (const args of [["explain"], ["explain", "--json"]]) {
      const { stdout } = await project.command(args, payload);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    const { stdout } = await project.command(["explain", "--json"], payload);
    expect((JSON.parse(stdout) as { event: unknown }).event).toMatchObject({ session: nasty });
  });

  it.each<[string, string[], string, number, string]>([
    [
      "no payload",
      [],
      "",
      65,
      "hookbell: the hook would reject this payload\n  payload: expected one JSON object, got nothing\n",
    ],
    [
      "an invalid one",
      [],
      '{"hook_event_name":"SessionEnd"}',
      65,
      "  SessionEnd: session_id: expected a non-empty string, got nothing\n  SessionEnd: cwd: ",
    ],
    ["a missing file", ["nowhere.json"], "", 65, "hookbell: there is no file nowhere.json\n"],
    [
      "a folder",
      ["HOME/folder"],
      "",
      65,
      "hookbell: cannot read HOME/folder: it is not a regular file but a folder, a pipe, a socket or a device\n",
    ],
    ["two files", ["a.json", "b.json"], "", 64, 'hookbell: unexpected argument "b.json"\n'],
  ])("refuses %s", async (_name, args, input, code, stderr) => {
    const project = await webhookProject();
    mkdirSync(join(project.home, "folder"));
    const inHome = (text: string): string => text.replace("HOME", project.home);
    const result = await project.command(["explain", ...args.map(inHome)], input);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(inHome(stderr));
  });

  it("keeps no payload that it was asked about", async () => {
    const project = await webhookProject();
    await project.command(["explain"], "{}");
    expect(existsSync(project.layout.root)).toBe(false);
    expect(readFileSync(project.rulesFile, "utf8")).toContain("webhook");
  });
});
