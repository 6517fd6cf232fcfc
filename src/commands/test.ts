import { attempt, readySettings } from "../dispatch/attempt.ts";
import type { Delivery } from "../model/delivery.ts";
import { deliveryFormatVersion } from "../model/delivery.ts";
import { exitCodes, PersonError, type ExitCode } from "../model/errors.ts";
import { readEndpoint, writeEndpoint } from "../outbox/endpoints.ts";
import type { Layout } from "../outbox/layout.ts";
import { suggest } from "../rules/nearest.ts";
import type { Channel, Rules } from "../rules/rules.ts";
import { randomId } from "../system/random-id.ts";
import { parseArguments } from "./arguments.ts";
import { paint } from "./colors.ts";
import type { CommandIo } from "./command-io.ts";
import { goodRules } from "./good-rules.ts";
import { jsonLine } from "./json-line.ts";
import { openDispatcher } from "./open-dispatcher.ts";
import { outcomeAsJson } from "./outcome-as-json.ts";
import { showOutcome } from "./show-outcome.ts";

/** One sample through each channel now, past the queue, and what became of it. */
export async function test(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, { json: { type: "boolean" }, config: { type: "string" } });
  const dispatcher = openDispatcher(io, values.config);
  const { rules, origin } = goodRules(dispatcher, values.config, io);
  const channels = chooseChannels(rules, positionals);
  if (origin === "builtIn" && !values.json) {
    io.stdout(paint(io, "dim", `no rules file (${io.places.rulesFile}): these are the built-in channels\n`));
  }
  let hasFailed = false;
  for (const channel of channels) {
    const startedAt = io.clock.now();
    const ready = await readySettings(channel, dispatcher.tools);
    const sample = sampleFor(channel, dispatcher.host, startedAt);
    const outcome = "status" in ready ? ready : await attempt(sample, channel, ready, undefined, dispatcher.tools);
    hasFailed ||= outcome.status === "failed";
    const ms = io.clock.now() - startedAt;
    const isBack = outcome.status === "delivered" && switchOn(dispatcher.layout, channel.name);
    if (values.json) {
      io.stdout(jsonLine({ channel: channel.name, type: channel.type, ...outcomeAsJson(outcome), ms }));
    } else {
      const back = isBack ? "; it was switched off, and is on again" : "";
      io.stdout(`${channel.name} (${channel.type}): ${showOutcome(io, outcome, ms)}${back}\n`);
    }
  }
  if (channels.length === 0) io.stderr("hookbell: the rules define no channel\n");
  return hasFailed ? exitCodes.failed : exitCodes.done;
}

/** A receiver that takes a message again need not wait, neither for its settings to change nor for the breaker. */
function switchOn(layout: Layout, channel: string): boolean {
  const { switchedOff, breaker, ...endpoint } = readEndpoint(layout, channel);
  if (switchedOff !== undefined || breaker !== undefined) writeEndpoint(layout, endpoint);
  return switchedOff !== undefined;
}

export function chooseChannels(rules: Rules, names: readonly string[]): Channel[] {
  if (names.length === 0) return Object.values(rules.channels);
  return names.map((name) => {
    const channel = Object.hasOwn(rules.channels, name) ? rules.channels[name] : undefined;
    if (channel !== undefined) return channel;
    const known = Object.keys(rules.channels);
    throw new PersonError("channel.unknown", `there is no channel "${name}" in the rules`, {
      hint: suggest(name, known, "channels"),
      exitCode: exitCodes.usage,
    });
  });
}

function sampleFor(channel: Channel, host: string, nowMs: number): Delivery {
  const id = randomId();
  return {
    version: deliveryFormatVersion,
    id: `msg_${id}`,
    channel: channel.name,
    rule: "hookbell test",
    event: {
      id: `evt_${id}`,
      name: "Notification",
      agent: "hookbell",
      session: `test-${id.slice(0, 8)}`,
      cwd: "/",
      project: "hookbell",
      host,
      at: new Date(nowMs).toISOString(),
      level: "attention",
      message: "This is a test.",
    },
    message: {
      title: "hookbell: a test",
      body: `If you can read this, the channel "${channel.name}" works.`,
      level: "attention",
      fields: [
        { label: "Channel", value: `${channel.name} (${channel.type})` },
        { label: "Host", value: host },
      ],
    },
    payload: {
      hook_event_name: "Notification",
      session_id: `test-${id.slice(0, 8)}`,
      cwd: "/",
      message: "This is a test.",
    },
    fallback: [],
    createdAt: nowMs,
    notBefore: nowMs,
    expiresAt: nowMs + channel.expiresAfterMs,
    attempts: 0,
  };
}
