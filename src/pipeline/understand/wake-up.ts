// Prompts that an agent enters by itself, as a schedule's: the end of a turn names them, and nothing in their own event says so.
import type { SessionRecord } from "../../outbox/sessions.ts";
import { textOf } from "../../model/json.ts";
import { sha256 } from "../../system/crypto.ts";
import type { ValidReading } from "./reading.ts";

/** A prompt that the session is known to enter by itself, as what goes on with its work. */
export function withWakeUp(reading: ValidReading, { scheduled = [] }: SessionRecord): ValidReading {
  const prompt = textOf(reading.usual.prompt);
  if (reading.eventName !== "UserPromptSubmit" || reading.ignored !== undefined || prompt === undefined) return reading;
  if (!scheduled.includes(digestOf(prompt))) return reading;
  const ignored = `${reading.agent.name} went on by itself`;
  return { ...reading, facts: { ...reading.facts, means: "resumed" }, ignored };
}

/** What the session will enter by itself, after the event. */
export function scheduledAfter(
  { scheduled }: SessionRecord,
  { agent, eventName, usual }: ValidReading,
): string[] | undefined {
  if (eventName !== "Stop" || agent.scheduledPrompts === undefined) return scheduled;
  const prompts = agent.scheduledPrompts(usual);
  return prompts.length === 0 ? undefined : prompts.slice(0, maxScheduled).map(digestOf);
}

const maxScheduled = 16;

function digestOf(prompt: string): string {
  return sha256(prompt.trim()).slice(0, 16);
}
