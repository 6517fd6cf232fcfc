// `hookbell send`: queues one message from a script or a shell.
import { maxPayloadBytes } from "../../agents/read-payload.ts";
import { readRules } from "../../pipeline/current-rules.ts";
import { composeFor } from "../../pipeline/event/compose-for.ts";
import { recordEvent } from "../../pipeline/event/record-event.ts";
import { exitCodes, UserError, type ExitCode, usageError } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { lastPart } from "../../model/places/folder.ts";
import { type Level, levels } from "../../model/level.ts";
import { byHand } from "../../model/own-events.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { printableLine } from "../../model/text.ts";
import { deliveryFileName, newDelivery, writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { readSession } from "../../outbox/sessions.ts";
import { selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import { leaveOut } from "../../outbox/stuck/left-out.ts";
import { isDisabled } from "../../system/environment.ts";
import { hostName } from "../../system/process/identity.ts";
import { randomId } from "../../system/crypto.ts";
import { uniqueName } from "../../system/files/files.ts";
import { parseArguments } from "../../console/arguments.ts";
import { deliveryCommands } from "../help/deliveries.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { usableRules } from "../pipeline/load-rules.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { openDispatcher, openLayout } from "../pipeline/open-dispatcher.ts";
import { chooseChannels } from "./choose-channels.ts";

export async function send(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, deliveryCommands.send.flags);
  const level = levels.find((each) => each === (values.level ?? deliveryCommands.send.flags.level.usual));
  if (level === undefined)
    throw usageError("send", `there is no level "${values.level}"`, `the levels are ${levels.join(", ")}`);
  const text = positionals.length > 0 ? positionals.join(" ") : await io.readStdin(maxPayloadBytes);
  const body = positionals.length > 0 ? text : text.trimEnd();
  if (body === "" && values.title === undefined)
    throw usageError("send", "there is nothing to send", "hookbell send BODY, or pipe the text into it");
  if (Buffer.byteLength(text) > maxPayloadBytes) {
    throw new UserError("send.tooLong", "the message is too long", {
      hint: `the maximum is ${maxPayloadBytes} bytes; channels show far less`,
      exitCode: exitCodes.badInput,
    });
  }

  const layout = openLayout(io);
  leaveOut(layout);
  const current = await readRules(values.config ?? io.places.rulesFile, layout);
  const { rules } = usableRules({ rules: () => current }, values.config, io);
  const now = io.clock.now();
  const event: AgentEvent = {
    id: `evt_${randomId()}`,
    name: "Notification",
    ...byHand,
    cwd: io.cwd,
    project: lastPart(io.cwd),
    host: hostName(),
    at: new Date(now).toISOString(),
    level,
    message: body,
    title: values.title,
  };
  const payload = { hook_event_name: event.name, session_id: event.session, cwd: event.cwd, message: body };
  const title = values.title ?? event.project;
  const chosen = values.channel === undefined ? undefined : chooseChannels(rules, [...new Set(values.channel)]);
  const selectionFor = (of: Level): Selection => selectDeliveries(rules, { ...event, level: of });
  const reaches = ({ chosen: at, steps }: Selection): boolean => at.length + steps.length > 0;
  const byRules = selectionFor(level);
  const words = createWords(event, payload);
  /** The user's own words are not cut, but a script may have put secrets into them. */
  const textFor = (channel: Channel | undefined): { title: string; body: string } =>
    channel?.scrub === false ? { title, body } : { title: scrub(title).text, body: scrub(body).text };
  const deliveries =
    chosen?.map((channel) =>
      newDelivery(now, {
        kind: "event",
        channel: channel.name,
        rule: "hookbell send",
        event: words(channel.scrub).event,
        message: { ...textFor(channel), level, fields: [] },
        payload: channel.channelType.passesPayload ? words(channel.scrub).payload : undefined,
        expiresAt: now + channel.expiresAfterMs,
      }),
    ) ??
    composeFor({ event, payload, selection: byRules }, rules, now).map(({ delivery }) => ({
      ...delivery,
      message: { ...delivery.message, ...textFor(rules.channels[delivery.channel]), level },
    }));
  const position = uniqueName(now);
  const planned = deliveries.map((delivery, order) => ({
    file: deliveryFileName(position, order, delivery.id),
    delivery,
  }));
  if (isDisabled(io.env)) {
    io.stderr("hookbell: HOOKBELL_DISABLE drops only the events of agents; this message is sent\n");
  }
  const session = readSession(layout, event.agent, event.session);
  const selection = chosen === undefined ? byRules : { rules: [], chosen: [], steps: [], silent: [] };
  recordEvent(
    { layout, tools: { clock: io.clock } },
    { event, planned, selection, session: { ...session, lastSeenAt: now } },
  );
  if (planned.length === 0) {
    throw new UserError("send.nowhere", "no rule sends this to a channel", {
      hint: elsewhere(
        rules,
        levels.filter((other) => other !== level && reaches(selectionFor(other))),
      ),
    });
  }
  // The background dispatcher reads the usual rules file, so another one needs the foreground.
  if (values.wait || values.json || values.config !== undefined) {
    const { reportDeliveries } = await import("./report.ts");
    const dispatcher = await openDispatcher(io, values.config);
    return await reportDeliveries(io, dispatcher, { event, planned }, values.json === true);
  }
  for (const { file, delivery } of planned) writeDelivery(layout, "outbox", file, delivery);
  wake(io);
  // Scripts expect silence; users want to know what happens next.
  if (io.isTerminal) {
    const names = planned.map(({ delivery }) => printableLine(delivery.channel)).join(", ");
    io.stdout(`queued for ${names}. See: hookbell log, or send with --wait\n`);
  }
  return exitCodes.done;
}

/** `reaching`: levels at which a rule would send it. */
function elsewhere({ channels }: Rules, reaching: readonly Level[]): string {
  const names = Object.keys(channels);
  const there = names.length === 0 ? "" : ` (${names.join(", ")})`;
  const byLevel =
    reaching.length === 0 ? "" : `; or use a level that a rule waits for: --level ${reaching.join(" or ")}`;
  return `choose a channel: hookbell send --channel NAME${there}${byLevel}`;
}
