import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { readEndpoint } from "../../../src/outbox/endpoints.ts";
import { describeWithParts } from "../../support/parts.ts";
import { everyRow } from "../../support/rows.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { arrivedAt, shell, webhookProject } from "./webhook-project.ts";

describe("test", () => {
  it("sends one sample through every channel, past the queue", async () => {
    const project = await webhookProject();
    const result = await project.command(["test"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(
      /^ops \(webhook\): delivered in \d+ ms: answered 200\nspare \(webhook\): delivered in \d+ ms: answered 200\n$/,
    );
    expect(project.receiver.requests.map(({ path }) => path)).toEqual(["/ops", "/spare"]);
    expect(JSON.stringify(arrivedAt(project.receiver, "/ops"))).toContain('The channel \\"ops\\" works');
    expect(listDeliveries(project.layout, "outbox")).toEqual([]);
  });

  it("sends through the named channels alone", async () => {
    const project = await webhookProject();
    const result = await project.command(["test", "spare", "--json"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toEqual({
      channel: "spare",
      type: "webhook",
      outcome: "delivered",
      detail: "answered 200",
      ms: expect.any(Number),
    });
    expect(project.receiver.requests.map(({ path }) => path)).toEqual(["/spare"]);
  });

  it("knows which channel was meant", async () => {
    const project = await webhookProject();
    expect(await project.command(["test", "opps"])).toEqual({
      code: 64,
      signal: null,
      stdout: "",
      stderr: 'hookbell: there is no channel "opps" in the rules\n  did you mean "ops"?\n',
    });
    expect((await project.command(["test", "__proto__"])).code).toBe(64);
    expect(project.receiver.requests).toEqual([]);
  });

  it("exits 1 when one fails, and tries the others all the same", async () => {
    const project = await webhookProject();
    const { origin } = project.receiver;
    project.writeRules({
      channels: {
        first: { type: "webhook", url: { env: "NOT_SET" } },
        second: { type: "webhook", url: { file: "~/no-such-file" } },
        third: { type: "webhook", url: { command: ["hookbell-no-such-program"] } },
        fourth: { type: "webhook", url: `${origin}/ops` },
      },
      rules: [],
    });
    const result = await project.command(["test"]);
    expect(result).toMatchObject({ code: 1, stderr: "" });
    const lines = result.stdout.split("\n");
    expect(lines[0]).toContain("first (webhook): failed (missingSecret)");
    expect(lines[0]).toContain("url: the environment variable NOT_SET is not set");
    expect(lines[1]).toContain("url: there is no file ~/no-such-file");
    expect(lines[2]).toContain("url: the command hookbell-no-such-program could not be started (ENOENT)");
    expect(lines[3]).toContain("fourth (webhook): delivered");
  });

  it("switches a channel on again whose receiver is back", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 410 });
    expect((await project.command(["send", "--channel", "spare", "--wait", "x"])).code).toBe(1);
    expect(readEndpoint(project.layout, "spare").switchedOff).toBeDefined();
    expect((await project.command(["test", "spare"])).code).toBe(1);
    expect(readEndpoint(project.layout, "spare").switchedOff).toBeDefined();
    project.receiver.behave({ answer: 200 });
    const result = await project.command(["test", "spare"]);
    expect(result.stdout).toMatch(/; it was switched off and is on again\n$/);
    expect(readEndpoint(project.layout, "spare")).toEqual({ channel: "spare" });
  });

  it("says that the channels are the built-in ones", async () => {
    const project = temporaryProject();
    project.env.DBUS_SESSION_BUS_ADDRESS = "unix:path=/nonexistent";
    project.env.XDG_RUNTIME_DIR = project.home;
    const result = await project.command(["test", "desktop"]);
    expect(result.stdout).toContain(`no rules file (${project.rulesFile}): testing the built-in channels\n`);
    expect(result.stdout).toContain("desktop (desktop): failed (unavailable)");
  });

  it("says so when there is nothing to test", async () => {
    const project = temporaryProject();
    project.writeRules({ channels: {}, rules: [] });
    expect(await project.command(["test"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "hookbell: your rules define no channel\n",
    });
  });
});

describe("a broken rules file", () => {
  const broken = '{\n  "channels": { "ops": { "type": "webhok" } },\n  "rules": [{ "notify": ["opps"] }]\n}\n';

  it("does not keep a message from being sent by the last good rules", async () => {
    const project = await webhookProject([{ name: "mine", when: { agent: "hookbell" }, notify: ["ops"] }]);
    expect((await project.command(["send", "--wait", "first"])).code).toBe(0);
    project.writeRules(broken);
    const result = await project.command(["send", "--wait", "second"]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ops: delivered/) });
    expect(result.stderr).toBe("hookbell: the rules file is broken; the last good rules apply. See: hookbell check\n");
  });

  it("is replaced by no rules that were only asked about", async () => {
    const project = await webhookProject([{ name: "mine", when: { agent: "hookbell" }, notify: ["ops"] }]);
    expect((await project.command(["send", "--wait", "first"])).code).toBe(0);
    const other = join(project.home, "other.jsonc");
    writeFileSync(other, '{ "channels": {}, "rules": [] }');
    for (const args of [
      ["explain", "--config", other],
      ["test", "--config", other],
      ["doctor", "--config", other],
    ]) {
      await project.command(args, payloadOf("Stop"));
    }
    project.writeRules(broken);
    expect((await project.command(["send", "--wait", "second"])).stdout).toMatch(/^ops: delivered/);
  });

  it("is exit 78 with every place for test, which would try channels that the person does not mean", async () => {
    const project = temporaryProject();
    project.writeRules(broken);
    const result = await project.command(["test"]);
    expect(result).toMatchObject({ code: 78, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: the rules file is broken\n/);
    expect(result.stderr).toContain(`${project.rulesFile}:2:34  `);
    expect(result.stderr).toContain(`${project.rulesFile}:3:26  `);
    expect(result.stderr).toContain('did you mean "webhook"?');
  });

  it("is not taken for the built-in rules where --config names one that is not there", async () => {
    const project = await webhookProject();
    const stop = join(project.home, "stop.json");
    writeFileSync(stop, '{"hook_event_name":"Stop","session_id":"s","cwd":"/"}');
    await everyRow([["test"], ["send", "hello"], ["explain", stop], ["doctor"]], async (args) => {
      expect(await project.command([...args, "--config", "typo.jsonc"])).toMatchObject({
        code: 65,
        stdout: "",
        stderr: expect.stringContaining("hookbell: there is no rules file typo.jsonc\n"),
      });
      expect(project.receiver.requests).toEqual([]);
    });
  });
});

describe("send", () => {
  const toOps = { name: "mine", when: { event: "Notification", agent: "hookbell" }, notify: ["ops"] };

  it("takes what looks like a credential out of what a script put into it", async () => {
    const project = await webhookProject([toOps]);
    for (const to of [["--channel", "ops"], []]) {
      await project.command([
        "send",
        ...to,
        "--wait",
        "--title",
        "token=0a1b2c3d4e5f",
        "login with password=hunter2 failed",
      ]);
      const body = project.receiver.requests.at(-1)?.body ?? "";
      expect(body).toContain("login with password=[redacted: password] failed");
      expect(body).not.toMatch(/hunter2|0a1b2c3d4e5f/);
    }
  });

  it("goes by the rules, in silence, through the dispatcher", async () => {
    const project = await webhookProject([toOps]);
    const next = project.receiver.nextRequest();
    expect(await project.run(["send", "--title", "Backup", "--level", "error", "it", "failed"])).toEqual({
      code: 0,
      signal: null,
      stdout: "",
      stderr: "",
    });
    expect(JSON.parse((await next).body)).toMatchObject({
      data: {
        event: { name: "Notification", agent: "hookbell", level: "error", message: "it failed" },
        message: { title: "Backup", body: "it failed", level: "error" },
      },
    });
  });

  it("takes the text from standard input", async () => {
    const project = await webhookProject([toOps]);
    expect(await project.command(["send", "--wait"], "one\ntwo\n\n")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ops: delivered in /),
    });
    expect(arrivedAt(project.receiver, "/ops")[0]?.data).toMatchObject({ message: { body: "one\ntwo" } });
  });

  it("goes to the named channels, to each once", async () => {
    const project = await webhookProject();
    const args = ["--channel", "spare", "--channel", "ops", "--channel", "spare"];
    const result = await project.command(["send", ...args, "--json", "--", "-5 degrees"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const { event, deliveries } = JSON.parse(result.stdout) as { event: unknown; deliveries: { channel: string }[] };
    expect(event).toMatchObject({ name: "Notification", agent: "hookbell", message: "-5 degrees", level: "info" });
    expect(deliveries.map(({ channel }) => channel).sort()).toEqual(["ops", "spare"]);
    expect(project.receiver.requests.map(({ path }) => path).sort()).toEqual(["/ops", "/spare"]);
  });

  it.each<[string[], string, number, string]>([
    [["send"], "", 64, "hookbell: there is nothing to send\n  hookbell send BODY, or pipe the text into it\n"],
    [["send", ""], "", 64, "hookbell: there is nothing to send\n"],
    [["send"], "  \n", 64, "hookbell: there is nothing to send\n"],
    [
      ["send", "--level", "urgent", "x"],
      "",
      64,
      'there is no level "urgent"\n  the levels are info, success, attention, error\n',
    ],
    [
      ["send", "--channel", "spaer", "x"],
      "",
      64,
      'there is no channel "spaer" in the rules\n  did you mean "spare"?\n',
    ],
    [["send", "--chanel", "spare", "x"], "", 64, 'there is no flag --chanel\n  did you mean "--channel"?\n'],
    [["send", "-5 degrees"], "", 64, "put arguments that start with a dash after --\n"],
    [
      ["send", "x"],
      "",
      1,
      "no rule sends this to a channel\n  choose a channel: hookbell send --channel NAME (ops, spare)\n",
    ],
    [["send"], "x".repeat(8 * 1024 * 1024 + 1), 65, "the message is too long\n  the maximum is 8388608 bytes;"],
  ])("refuses %j", async (args, input, code, stderr) => {
    const project = await webhookProject();
    const result = await project.command(args, input);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(stderr);
    expect(project.receiver.requests).toEqual([]);
  });

  it("names the levels at which a rule would send it", async () => {
    const project = await webhookProject([{ name: "me", when: { level: ["attention", "error"] }, notify: ["ops"] }]);
    expect(await project.command(["send", "x"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "(ops, spare); or use a level that a rule waits for: --level attention or error\n",
      ),
    });
  });

  it.each([
    ["https://new.example.org:8443/hooks/s3cretPath?key=s3cret", ", at https://new.example.org:8443"],
    ["https://user:s3cret@new.example.org/x", ", at https://new.example.org"],
    ["/hooks/s3cretPath", undefined],
    ["javascript:s3cret", undefined],
  ])("says of a redirect where it leads, and not the path: %s", async (location, shown) => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 302, headers: { location } });
    const { stdout } = await project.command(["send", "--channel", "ops", "--wait", "x"]);
    expect(stdout).toMatch(/hookbell does not follow redirects; set the URL that it leads to/);
    expect(/leads to(, at \S+)?/.exec(stdout)?.[1]).toBe(shown);
    expect(stdout).not.toContain("s3cret");
  });

  it("reads no more than it takes (posix)", async () => {
    // With an end, since what read on would take all the memory of this machine.
    const { code, stderr } = await shell(await webhookProject(), "head -c 40000000 /dev/zero | hookbell send");
    expect({ code, stderr }).toMatchObject({ code: 65, stderr: expect.stringContaining("the message is too long") });
  });

  it("takes a title without a text", async () => {
    const project = await webhookProject();
    expect((await project.command(["send", "--channel", "ops", "--title", "T", "--wait"])).code).toBe(0);
    expect(arrivedAt(project.receiver, "/ops")[0]?.data).toMatchObject({ message: { title: "T", body: "" } });
  });

  it("with --wait exits 1 when it failed, and says that it will be tried again", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 500 });
    runDispatcherOf(project);
    const result = await project.command(["send", "--channel", "ops", "--wait", "x"]);
    expect(result).toMatchObject({ code: 1, stderr: "" });
    expect(result.stdout).toMatch(/^ops: failed \(serverError\) after .*; hookbell will try again\n$/);
    project.receiver.behave({ answer: 200 });
    await project.until("the second try", () => project.journal().some(({ outcome }) => outcome === "delivered"));
  });

  it("delivers at once by the rules of --config, which no dispatcher in the background knows", async () => {
    const project = await webhookProject();
    const other = join(project.home, "other.jsonc");
    writeFileSync(other, readFileSync(project.rulesFile, "utf8").replaceAll("spare", "elsewhere"));
    const result = await project.command(["send", "--config", other, "--channel", "elsewhere", "hi"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(project.receiver.requests.map(({ path }) => path)).toEqual(["/elsewhere"]);
  });

  it("keeps what an agent or a script says out of the shell and the terminal", async () => {
    const project = await webhookProject();
    const result = await project.command([
      "send",
      "--channel",
      "ops",
      "--json",
      "\u001b]0;owned\u0007\u009b31m\u202e$(id)",
    ]);
    expect(result.code).toBe(0);
    expect(result.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect((JSON.parse(result.stdout) as { event: unknown }).event).toMatchObject({
      message: "\u001b]0;owned\u0007\u009b31m\u202e$(id)",
    });
  });
});

describeWithParts("a rules file that may not be read", ["setpriv"], () => {
  it("is named with the reason", async () => {
    const project = await webhookProject();
    chmodSync(project.rulesFile, 0);
    const result = await shell(project, "ordinarily hookbell test");
    expect(result).toMatchObject({ code: 78, stdout: "" });
    expect(result.stderr).toContain(`${project.rulesFile}:1:1  cannot be read: permission denied (EACCES)`);
    expect(result.stderr).not.toMatch(/^ +at /m);
  });
});
