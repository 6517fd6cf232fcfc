// Looks at a channel without sending anything.
import type { ProbeResult } from "../../channels/channel-type.ts";
import type { Channel } from "../../rules/rules.ts";
import { readyChannel } from "../call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";

const probeTimeoutMs = 10_000;

export async function probe(dispatcher: Dispatcher, channel: Channel): Promise<ProbeResult> {
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) return { status: "broken", detail: ready.detail, fix: ready.hint ?? "see the rules file" };
  const look = channel.channelType.probe;
  if (look === undefined) return { status: "ok", detail: "its settings are complete; hookbell test sends one message" };
  const called = await ready.call({ timeoutMs: probeTimeoutMs }, look);
  if (!("failure" in called)) return called.value;
  const fix = called.failure === "late" ? "check whether its receiver answers" : "please report it";
  return { status: "broken", detail: called.detail, fix };
}
