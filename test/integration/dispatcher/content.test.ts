import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { summaryLength } from "../../../src/model/privacy/content.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { payloadOf } from "../../support/project/running-project.ts";

describe("the agent's words", () => {
  it("leave the machine only as far as each channel says", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const url = (name: string): string => `${receiver.origin}/${name}`;
    running.writeRules({
      channels: {
        none: { type: "webhook", url: url("none"), payload: true, content: "none" },
        usual: { type: "webhook", url: url("usual") },
        full: { type: "webhook", url: url("full"), content: "full" },
      },
      rules: [{ name: "all", notify: ["none", "usual", "full"], body: "{message} {payload.last_assistant_message}" }],
    });
    const message = `Sesame ${"word ".repeat(200)}end`;
    running.accept("Stop", { last_assistant_message: message });
    await running.run({ idleMs: 0 });
    const bodies = new Map(receiver.requests.map(({ path, body }) => [path, body]));
    expect(bodies.get("/none")).not.toContain("Sesame");
    expect(bodies.get("/none")).toContain("shop-web");
    const usual = JSON.parse(bodies.get("/usual") ?? "") as {
      data: { event: { message: string }; message: { body: string } };
    };
    expect(usual.data.event.message).toMatch(/^Sesame (word )+.*…$/);
    expect(usual.data.event.message.length).toBeLessThan(400);
    // Nor does a template of the payload's say more of it.
    expect(usual.data.message.body.length).toBeLessThan(2 * summaryLength + 2);
    const full = JSON.parse(bodies.get("/full") ?? "") as { data: { message: object } };
    expect(full).toMatchObject({ data: { event: { message }, message: { isMarkdown: true } } });
    expect(Object.keys(full.data.message).toSorted()).toEqual(["body", "fields", "isMarkdown", "level", "title"]);
  });

  it("are written in each channel's own syntax, up to the closing question", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        plain: { type: "home-assistant", url: `${receiver.origin}/plain` },
        rich: { type: "mattermost", url: `${receiver.origin}/rich`, content: "full" },
      },
      rules: [{ name: "all", notify: ["plain", "rich"] }],
    });
    const message = `## Done\n\nThe **checkout** works. ${"Word ".repeat(100)}\n\nMay I run \`npm publish\`?`;
    running.accept("Stop", { last_assistant_message: message });
    await running.run({ idleMs: 0 });
    const sent = (path: string): unknown =>
      JSON.parse(receiver.requests.find((each) => each.path === path)?.body ?? "");
    expect(sent("/plain")).toMatchObject({
      message: expect.stringMatching(/^Done\n\nThe checkout works\. [Word ]+…\n\nMay I run npm publish\?$/) as string,
    });
    expect(JSON.stringify(sent("/rich"))).toMatch(/## Done.*\*\*checkout\*\* works.*`npm publish`\?/);
  });

  it.each([
    ["generic", "StopFailure", { error: "private: the merger is on Tuesday", last_assistant_message: "private" }],
    ["droid", "SubagentStop", { task_name: "private: tell no one", permission_mode: "auto-low" }],
    ["generic", "Notification", { message: "private", title: "private", notification_type: "a private question" }],
    ["droid", "PermissionRequest", { tool_name: "Execute", tool_input: { command: "echo private" } }],
    ["droid", "SessionEnd", { reason: "private words" }],
  ])("stay here with none, wherever %s's %s puts them", async (agentId, name, fields) => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const file = join(running.dispatcher.layout.root, "told");
    const write =
      "let all='';process.stdin.on('data',d=>all+=d).on('end',()=>require('fs').appendFileSync(process.argv[1],all+JSON.stringify(process.env)))";
    const none = { content: "none" };
    const templates = "{message}|{title}|{reason}|{payload.error}|{payload.task_name}|{payload.tool_input}";
    running.writeRules({
      channels: {
        hook: { ...none, type: "webhook", url: receiver.origin, payload: true },
        program: { ...none, type: "command", argv: [process.execPath, "-e", write, file] },
        other: { ...none, type: "webhook", url: receiver.origin, payload: true },
      },
      rules: [
        { name: "usual words", notify: ["hook", "program"] },
        { name: "own words", notify: ["other"], title: `t ${templates}`, body: templates },
      ],
    });
    const text = payloadOf(name, { ...fields, session_id: "s-1" });
    writeIncoming(running.dispatcher.layout, text, { agentId, nowMs: running.clock.now() });
    await running.run({ idleMs: 0 });
    const told = [...receiver.requests.map(({ body }) => body), readFileSync(file, "utf8")];
    expect(told).toHaveLength(3);
    for (const each of told) {
      expect(each).toContain(name);
      expect(each).not.toContain("private");
    }
  });
});
