import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { readEndpoint } from "../../../src/outbox/endpoints.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { keepRejected } from "../../../src/outbox/rejected.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { webhookProject, type WebhookProject } from "./webhook-project.ts";

/** State folders with so many dead letters, made once by real sends and copied for each test. */
const made = new Map<number, string>();

/** A project in which so many messages, of `message 1` and so on, gave up. */
async function withDeadLetters(count: number): Promise<{ project: WebhookProject; ids: string[] }> {
  const project = await webhookProject();
  const before = made.get(count);
  if (before === undefined) {
    project.receiver.behave({ answer: 400 });
    for (let index = 1; index <= count; index += 1) {
      await project.command(["send", "--channel", "ops", "--wait", `message ${index}`]);
    }
    const kept = mkdtempSync(join(tmpdir(), "hookbell-dead-"));
    // A dispatcher may be starting or ending.
    cpSync(project.layout.root, kept, { recursive: true, filter: (path) => !/^(?:lease|\.)/.test(basename(path)) });
    made.set(count, kept);
    project.receiver.requests.length = 0;
    project.receiver.behave({ answer: 200 });
  } else cpSync(before, project.layout.root, { recursive: true });
  const ids = listDeliveries(project.layout, "dead").map((file) => /msg_[0-9a-z]+/.exec(file)?.[0] ?? "");
  expect(ids).toHaveLength(count);
  return { project, ids };
}

afterAll(() => {
  for (const folder of made.values()) rmSync(folder, { recursive: true });
});

const dead = ({ layout }: WebhookProject): number => listDeliveries(layout, "dead").length;

describe("retry", () => {
  it("loses none of them while a dispatcher is at work", async () => {
    const { project } = await withDeadLetters(8);
    const dispatcher = project.start(["dispatch"]);
    await project.until("the dispatcher", () => project.journal().some(({ what }) => what === "started"));
    const result = await project.command(["retry", "--all"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^8 deliveries put back in the queue; /);
    await project.until("all eight", () => project.receiver.requests.length >= 8);
    dispatcher.kill();
    const messages = project.receiver.requests.map(({ body }) => /message \d/.exec(body)?.[0]);
    expect(new Set(messages).size).toBe(8);
    expect(dead(project)).toBe(0);
  });

  it("starts a dispatcher when none is at work", async () => {
    const { project, ids } = await withDeadLetters(2);
    const arrives = project.receiver.nextRequest();
    expect(await project.run(["retry", ids[1] ?? ""])).toMatchObject({
      code: 0,
      stdout: "1 delivery put back in the queue; watch: hookbell log --follow\n",
    });
    expect((await arrives).headers["webhook-id"]).toBe(ids[1]);
    expect(dead(project)).toBe(1);
  });

  it("gives each letter back once, however many ask for all at once", async () => {
    const { project, ids } = await withDeadLetters(2);
    const [file = ""] = listDeliveries(project.layout, "dead");
    const text = readFileSync(join(project.layout.dead, file), "utf8");
    const more = Array.from({ length: 50 }, (_, index) => `msg_${String(index).padStart(24, "0")}`);
    for (const id of more) {
      const name = file.replace(/msg_.*/, `${id}.json`);
      writeFileSync(join(project.layout.dead, name), text.replace(ids[0] ?? "", id));
    }
    const asked = await Promise.all(["--all", "--all", "--all"].map((all) => project.run(["retry", all, "--json"])));
    const retried = asked.flatMap(({ stdout }) => (JSON.parse(stdout) as { retried: string[] }).retried);
    expect(retried.sort()).toEqual([...ids, ...more].sort());
    await project.until("all", () => dead(project) + listDeliveries(project.layout, "outbox").length === 0);
    const heard = project.receiver.requests.map(({ headers }) => String(headers["webhook-id"]));
    expect(heard.sort()).toEqual(retried);
  });

  it("prints what it did as JSON", async () => {
    const { project, ids } = await withDeadLetters(2);
    project.writeRules({ channels: {}, rules: [] });
    const { stdout, stderr } = await project.command(["retry", ids[1] ?? "", "--json"]);
    expect([JSON.parse(stdout), stderr]).toEqual([{ retried: [ids[1]], withoutChannel: ["ops"] }, ""]);
    const discarded = await project.command(["discard", "--all", "--json"]);
    expect(JSON.parse(discarded.stdout)).toMatchObject({ discarded: expect.arrayContaining([ids[0]]) });
    // The first may be dead again already.
    project.writeRules({ channels: { ops: { type: "webhook", url: project.receiver.origin } }, rules: [] });
    expect(JSON.parse((await project.command(["retry", "--all", "--json"])).stdout)).toMatchObject({
      withoutChannel: [],
    });
  });

  it("switches a channel on again that was gone", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 410 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    project.receiver.behave({ answer: 200 });
    runDispatcherOf(project);
    await project.command(["retry", "--all"]);
    await project.until("the delivery", () => project.journal().some(({ outcome }) => outcome === "delivered"));
    expect(readEndpoint(project.layout, "ops")).toEqual({ channel: "ops" });
  });

  it("says when the rules have no such channel any more", async () => {
    const { project } = await withDeadLetters(1);
    project.writeRules({ channels: {}, rules: [] });
    expect(await project.command(["retry", "--all"])).toMatchObject({
      code: 0,
      stderr: 'hookbell: your rules have no channel "ops" any more, so its deliveries will fail again\n',
    });
  });

  it("sets a torn dead letter aside rather than stumble over it", async () => {
    const { project } = await withDeadLetters(1);
    writeFileSync(join(project.layout.dead, "1700000000000-x-000-msg_torn.json"), '{"version":1,');
    const result = await project.command(["retry", "--all"]);
    expect(result.stdout).toMatch(/^1 delivery put back/);
    expect(dead(project)).toBe(0);
    expect(project.journal().filter(({ kind }) => kind === "rejected")).toHaveLength(1);
  });
});

describe("discard", () => {
  it("throws the named ones away, and the journal knows", async () => {
    const { project, ids } = await withDeadLetters(3);
    expect(await project.command(["discard", ids[0] ?? "", ids[0] ?? "", ids[2] ?? ""])).toMatchObject({
      code: 0,
      stdout: "2 failed deliveries deleted\n",
      stderr: "",
    });
    expect(listDeliveries(project.layout, "dead").join()).toContain(ids[1]);
    expect(dead(project)).toBe(1);
    const removed = project.journal().filter(({ kind }) => kind === "removed");
    expect(removed).toMatchObject([{ what: "2 failed deliveries" }]);
    expect((await project.command(["discard", "--all"])).stdout).toBe("1 failed delivery deleted\n");
    expect((await project.command(["discard", "--all"])).stdout).toBe("there are no failed deliveries\n");
    expect(project.receiver.requests).toEqual([]);
  });
});

it("discard says where rejected payloads are shown", async () => {
  const project = temporaryProject();
  ensureLayout(project.layout);
  keepRejected(project.layout, Buffer.from("{"), ["not JSON"], Date.now());
  const { stdout } = await project.command(["discard", "--all"]);
  expect(stdout).toBe("there are no failed deliveries; for 1 invalid payload, see: hookbell status\n");
});

describe.each(["retry", "discard"])("%s", (verb) => {
  it("shows the newest first", async () => {
    const { project, ids } = await withDeadLetters(3);
    const { stderr } = await project.command([verb]);
    expect(stderr.match(/msg_[0-9a-z]+/g)).toEqual(ids.toReversed());
  });

  it("shows the title of a message without a body, and no empty part", async () => {
    const { project } = await withDeadLetters(1);
    const [file = ""] = listDeliveries(project.layout, "dead");
    const path = join(project.layout.dead, file);
    const delivery = JSON.parse(readFileSync(path, "utf8")) as { event: object; message: object };
    Object.assign(delivery.event, { project: "" });
    Object.assign(delivery.message, { title: "shop: Codex is done", body: "" });
    writeFileSync(path, JSON.stringify(delivery));
    expect((await project.command([verb])).stderr).toContain('hookbell · Notification · "shop: Codex is done", to ops');
  });

  it("takes those of one channel", async () => {
    const { project } = await withDeadLetters(2);
    project.receiver.behave({ answer: 400 });
    await project.command(["send", "--channel", "spare", "--wait", "x"]);
    const { stdout } = await project.command([verb, "--channel", "ops", "--json"]);
    expect(Object.values(JSON.parse(stdout) as Record<string, string[]>)[0]).toHaveLength(2);
    const [file = "", ...more] = listDeliveries(project.layout, "dead").filter((name) =>
      readFileSync(join(project.layout.dead, name), "utf8").includes('"channel":"spare"'),
    );
    expect([file, more]).toEqual([expect.any(String), []]);
    expect(file).not.toBe("");
  });
});

describe.each(["retry", "discard"])("what %s takes for an id", (verb) => {
  it("is an unmistakable start of one, with or without msg_", async () => {
    const { project, ids } = await withDeadLetters(2);
    const [first = "", second = ""] = ids;
    const length = [...first].findIndex((letter, index) => letter !== second[index]) + 1;
    expect((await project.command([verb, first.slice(0, length)])).code).toBe(0);
    expect((await project.command([verb, second.slice("msg_".length, length)])).code).toBe(0);
    expect(dead(project)).toBe(0);
  });

  it.each<[string, string[], number, RegExp]>([
    [
      "nothing",
      [],
      64,
      /^hookbell: (?:retry sends failed deliveries again|discard deletes failed deliveries); which of the 2\?\n {2}hookbell \w+ --all, --channel NAME, or an id:\n {2}msg_\w+ {2}\S+ \S+ {2}hookbell · hookbell-test-\w+ · Notification · "message 2", to ops: rejected, /,
    ],
    ["an ambiguous one", ["msg_"], 65, /^hookbell: "msg_" matches 2 failed deliveries\n {2}msg_\w+ {2}.*, to ops: /],
    ["an unknown one", ["zz"], 65, /^hookbell: there is no failed delivery "zz"\n {2}msg_\w+ {2}.*, to ops: /],
    ["an empty one", [""], 65, /^hookbell: there is no failed delivery ""\n/],
    ["a channel without any", ["--channel", "opps"], 65, /channel "opps"\n {2}did you mean "ops"\?\n$/],
    ["--all and a channel", ["--all", "--channel", "ops"], 64, /^hookbell: --channel and --all cannot be combined\n/],
    ["--all and one more", ["--all", "zz"], 64, /^hookbell: --all and ids cannot be combined\n/],
  ])("refuses %s and touches nothing", async (_name, args, code, stderr) => {
    const { project } = await withDeadLetters(2);
    const result = await project.command([verb, ...args]);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toMatch(stderr);
    expect(dead(project)).toBe(2);
  });

  it("says when there are no failed deliveries", async () => {
    const project = temporaryProject();
    for (const args of [[], ["--all"], ["--channel", "ops"]]) {
      expect(await project.command([verb, ...args])).toMatchObject({
        code: 0,
        stdout: "there are no failed deliveries\n",
        stderr: "",
      });
    }
  });
});
