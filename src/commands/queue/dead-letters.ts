// `hookbell retry` queues dead letters again, with all attempts and the channel's full time; `hookbell discard` deletes them.
import { type ExitCode, exitCodes, usageError, UserError } from "../../model/errors.ts";
import { deliveryIdIn, listDeliveries, readDelivery } from "../../outbox/deliveries/deliveries.ts";
import { parseArguments } from "../../console/arguments.ts";
import { deliveryCommands } from "../help/deliveries.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count, jsonLine } from "../../console/output/text.ts";
import { discardDead, reviveDead } from "../pipeline/dead-letters.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";
import { preview } from "../../model/privacy/scrub.ts";
import { ownNotice } from "../../model/own-events.ts";
import { cut, printableLine } from "../../model/text.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { countRejected } from "../../outbox/rejected.ts";
import { suggest } from "../../rules/nearest.ts";
import { localTime } from "../../console/output/show-entry.ts";

export async function retry(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, deliveryCommands.retry.flags);
  const dispatcher = await openDispatcher(io);
  const { layout } = dispatcher;
  const choice = { words: positionals, isAll: values.all === true, channel: values.channel };
  const files = chooseDead(layout, choice, "retry");
  if (files.length === 0 && !values.json) {
    io.stdout("there are no failed deliveries\n");
    return exitCodes.done;
  }
  const { revived, lost } = reviveDead(dispatcher, files, io);
  if (values.json) {
    io.stdout(jsonLine({ retried: revived.map(deliveryIdIn), withoutChannel: [...lost] }));
    return exitCodes.done;
  }
  for (const channel of lost)
    io.stderr(`hookbell: your rules have no channel "${channel}" any more, so its deliveries will fail again\n`);
  const next = revived.length > 0 ? "; watch: hookbell log --follow" : "";
  io.stdout(`${count(revived.length, "delivery", "deliveries")} put back in the queue${next}\n`);
  return exitCodes.done;
}

export async function discard(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, deliveryCommands.discard.flags);
  const layout = layoutOf(io.places.stateDir);
  const choice = { words: positionals, isAll: values.all === true, channel: values.channel };
  const files = chooseDead(layout, choice, "discard");
  if (files.length === 0 && !values.json) {
    const rejected = countRejected(layout);
    const others = rejected === 0 ? "" : `; for ${count(rejected, "invalid payload")}, see: hookbell status`;
    io.stdout(`there are no failed deliveries${others}\n`);
    return exitCodes.done;
  }
  const removed = discardDead(layout, files, io.clock.now());
  if (values.json) io.stdout(jsonLine({ discarded: removed.map(deliveryIdIn) }));
  else io.stdout(`${count(removed.length, "failed delivery", "failed deliveries")} deleted\n`);
  return exitCodes.done;
}

const maxShown = 10;
const maxShownLength = 200;

/** Dead letters are chosen by id or unique prefix, by channel, or all. */
interface DeadChoice {
  words: readonly string[];
  isAll: boolean;
  channel: string | undefined;
}

/** What each command does with what is chosen. */
const verbs = { retry: "sends failed deliveries again", discard: "deletes failed deliveries" } as const;

/** The chosen files, oldest first. */
function chooseDead(layout: Layout, { words, isAll, channel }: DeadChoice, verb: keyof typeof verbs): string[] {
  if (isAll && words.length > 0) throw usageError("id", "--all and ids cannot be combined", "leave one of them out");
  if (channel !== undefined && (isAll || words.length > 0)) {
    throw usageError("id", `--channel and ${isAll ? "--all" : "ids"} cannot be combined`, "leave one of them out");
  }
  const files = listDeliveries(layout, "dead");
  if (isAll) return files;
  if (channel !== undefined) return ofChannel(layout, files, channel);
  if (words.length === 0) {
    if (files.length === 0) return [];
    const ways = `hookbell ${verb} --all, --channel NAME, or an id:`;
    throw usageError(
      "id",
      `${verb} ${verbs[verb]}; which of the ${files.length}?`,
      [ways, ...showNewest(layout, files)].join("\n"),
    );
  }
  return [...new Set(words)].map((word) => {
    const found = word === "" ? [] : files.filter((file) => isNamed(file, word));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const shown = showNewest(layout, found.length === 0 ? files : found);
    throw new UserError(
      "dead.unknown",
      found.length === 0
        ? `there is no failed delivery ${JSON.stringify(word)}`
        : `${JSON.stringify(word)} matches ${found.length} failed deliveries`,
      { hint: shown.length === 0 ? "there are no failed deliveries" : shown.join("\n"), exitCode: exitCodes.badInput },
    );
  });
}

function isNamed(file: string, word: string): boolean {
  const id = deliveryIdIn(file);
  return id.startsWith(word) || id.startsWith(`msg_${word}`);
}

function ofChannel(layout: Layout, files: readonly string[], channel: string): string[] {
  const channels = files.map((file) => {
    const reading = readDelivery(layout, "dead", file);
    return reading.status === "read" ? reading.delivery.channel : undefined;
  });
  const chosen = files.filter((_, index) => channels[index] === channel);
  if (chosen.length > 0 || files.length === 0) return chosen;
  const known = [...new Set(channels.filter((each) => each !== undefined))];
  throw new UserError("dead.unknown", `there is no failed delivery of a channel ${JSON.stringify(channel)}`, {
    hint: suggest(channel, known, "channels with failed deliveries"),
    exitCode: exitCodes.badInput,
  });
}

function showNewest(layout: Layout, files: readonly string[]): string[] {
  const shown = files
    .slice(-maxShown)
    .toReversed()
    .map((file) => show(layout, file));
  const more = files.length - shown.length;
  return more === 0 ? shown : [...shown, `and ${more} older`];
}

/** `msg_…  2026-01-31 18:00:00  agent · project · event · "first words", to channel: reason, detail`; no empty part. */
function show(layout: Layout, file: string): string {
  const reading = readDelivery(layout, "dead", file);
  if (reading.status !== "read") return `${deliveryIdIn(file)}  cannot be read`;
  const { kind, channel, event, message, lastFailure } = reading.delivery;
  const why = lastFailure === undefined ? "" : `: ${lastFailure.reason}, ${lastFailure.detail}`;
  const words = `"${preview(message.body === "" ? message.title : message.body)}"`;
  const parts = [event.agent, event.project, event.name, words].filter((part) => part !== "");
  const subject = kind === "notice" ? ownNotice : parts.join(" · ");
  const what = `${subject}, to ${channel}${why}`;
  return `${deliveryIdIn(file)}  ${localTime(event.at)}  ${cut(printableLine(what), maxShownLength)}`;
}
