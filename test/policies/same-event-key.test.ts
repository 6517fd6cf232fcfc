import { describe, expect, it } from "vitest";
import { readPayload } from "../../src/agents/read-payload.ts";
import { sameEventKey } from "../../src/policies/duplicates.ts";
import { eventOf } from "../../src/pipeline/understand/event-of.ts";
import { capturedPayloads } from "../support/agents/agent-payloads.ts";
import { everyRow } from "../support/rows.ts";

function keyOf(name: string, home = "/home/u", host = "here"): string {
  const payload = capturedPayloads.find(({ agentId, file }) => `${agentId}/${file}` === name);
  const reading = readPayload(payload?.text ?? "", { agentId: payload?.agentId, env: {} });
  if (reading.status === "invalid") throw new Error(`${name} is not valid`);
  return sameEventKey(eventOf(reading, { id: `evt_${home}`, receivedAt: 0, host, home }));
}

describe("sameEventKey", () => {
  it("is the same for two names of one event", () =>
    everyRow(
      [
        ["copilot-cli/camel-agentStop", "copilot-cli/pascal-Stop"],
        ["copilot-cli/camel-notification-permission-prompt", "copilot-cli/pascal-Notification-permission-prompt"],
        ["copilot-cli/camel-errorOccurred", "copilot-cli/pascal-ErrorOccurred"],
        ["copilot-cli/camel-sessionEnd-complete", "copilot-cli/pascal-SessionEnd-complete"],
        ["copilot-cli/camel-subagentStop", "copilot-cli/pascal-SubagentStop"],
      ],
      ([one, other]) => {
        expect(keyOf(one)).toBe(keyOf(other));
      },
      (row) => JSON.stringify(row),
    ));

  it("is another for every other event", () => {
    const names = ["codex/Stop", "codex/SessionEnd-other", "gemini-cli/AfterAgent"];
    names.push("qwen-code/Notification-idle-prompt", "qwen-code/Notification-permission-prompt");
    expect(new Set(names.map((name) => keyOf(name))).size).toBe(names.length);
  });
});
