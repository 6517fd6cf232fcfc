import { expect, it } from "vitest";
import { terminal } from "../../../../src/channels/local/terminal/terminal.ts";
import type { AgentEvent } from "../../../../src/model/event.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";

/** By what kitty knows the notification, when the agent is handed it. */
async function idOf(update: string | undefined, event: Partial<AgentEvent>, deliveryId: string): Promise<string> {
  const said: string[] = [];
  const request = localRequest({}, terminal.settings.parse({ style: "osc99", update }));
  await terminal.send(
    { ...request, deliveryId, event: { ...request.event, ...event } },
    localTools({}, "/nowhere", { replyTerminal: (sequence) => said.push(sequence) }),
  );
  return /\u001B\]99;i=([^:]*):/.exec(said.join(""))?.[1] ?? "";
}

it.each<[string, string | undefined, Partial<AgentEvent>, boolean]>([
  ["the same session", "replace", {}, true],
  ["the same session, unless asked to", undefined, {}, false],
  ["a summary or a notice of hookbell's", "replace", { agent: "hookbell" }, false],
  ["an agent that names no session", "replace", { session: "" }, false],
])("replaces the earlier notification of %s: update %s", async (_what, update, event, isReplacing) => {
  const first = await idOf(update, event, "msg_1");
  const second = await idOf(update, event, "msg_2");
  expect(first === second).toBe(isReplacing);
  if (!isReplacing) expect([first, second]).toEqual(["msg_1", "msg_2"]);
});
