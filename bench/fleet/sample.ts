// What the machines of this bench publish: the end of a turn of Claude Code, with an answer of some lines.
import { bodyOf } from "../../src/wings/fleet/stream/body.ts";
import type { IncomingPayload } from "../../src/outbox/incoming.ts";

const payload = {
  session_id: "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0",
  transcript_path: "/home/ada/.claude/projects/-home-ada-shop/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0.jsonl",
  cwd: "/home/ada/shop",
  permission_mode: "default",
  hook_event_name: "Stop",
  stop_hook_active: false,
  last_assistant_message: "All tests pass. I renamed the field and updated the three places that use it. ".repeat(4),
};

export function samplePayload(position: string, eventId: string): IncomingPayload {
  const bytes = Buffer.from(JSON.stringify(payload));
  return {
    file: `${position}.claude-code.Stop.json`,
    bytes,
    size: bytes.length,
    agentId: "claude-code",
    eventName: "Stop",
    setupName: undefined,
    remoteHost: undefined,
    receivedAt: Date.now(),
    callerPids: [],
    namedPid: undefined,
    eventId,
    position,
  };
}

export function sampleBody(): string {
  return JSON.stringify(bodyOf(samplePayload("0000000000000-bench", ""), undefined, undefined));
}
