// The page that opens a session elsewhere, as the agent notes it about its running sessions.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { everyRow } from "../../support/rows.ts";

const page = "https://claude.ai/code/session_01CcrTtsFbisnKXY7WEZdsQX";

it("of a Remote Control session is made only of an id that can be one", () =>
  everyRow(
    [
      ["session_01CcrTtsFbisnKXY7WEZdsQX", page],
      ["cse_01CcrTtsFbisnKXY7WEZdsQX", page],
      [undefined, undefined],
      [null, undefined],
      [7, undefined],
      ["", undefined],
      ["01CcrTtsFbisnKXY7WEZdsQX", undefined],
      ["session_", undefined],
      ["session_../../login", undefined],
      ["session_a?next=https://evil.example", undefined],
      ["session_a#b", undefined],
      ["session_a\n", undefined],
      ["https://evil.example/session_a", undefined],
      [`session_${"a".repeat(101)}`, undefined],
    ],
    async ([bridgeSessionId, link]) => {
      const receiver = await startHttpReceiver();
      onTestFinished(receiver.close);
      const { dispatcher, writeRules, run, until, clock } = prepareDispatcher();
      writeRules({
        channels: { hook: { type: "webhook", url: `${receiver.origin}/events` } },
        rules: [{ name: "ends", when: { event: "Stop" }, notify: ["hook"], body: "{effort}, {link}" }],
      });
      const config = join(dispatcher.layout.root, "config");
      mkdirSync(join(config, "sessions"), { recursive: true });
      const noted = { pid: 1, status: "idle", statusUpdatedAt: clock.now(), bridgeSessionId };
      writeFileSync(join(config, "sessions", "1.json"), JSON.stringify({ ...noted, sessionId: "s1" }));
      writeFileSync(join(config, "sessions", "2.json"), JSON.stringify({ ...noted, sessionId: "other" }));
      const payload = {
        hook_event_name: "Stop",
        session_id: "s1",
        cwd: "/home/u/shop-web",
        transcript_path: join(config, "projects", "shop-web", "s1.jsonl"),
        effort: { level: "high" },
      };
      writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: clock.now() });
      void run();
      await until("the message", () => receiver.requests.length > 0);
      const { data } = JSON.parse(receiver.requests[0]?.body ?? "{}") as {
        data: { event: { link?: string; effort?: string }; message: { body: string } };
      };
      expect(data.event.link).toBe(link);
      expect(data.event.effort).toBe("high");
      expect(data.message.body).toBe(`high, ${link ?? ""}`);
    },
    (row) => JSON.stringify(row),
  ));
