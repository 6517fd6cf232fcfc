// Makes one message of several deliveries of a channel, on the disk.
import { linesOfMany, cut, lineOfMarkdown, printableLine } from "../../model/text.ts";
import type { Delivery } from "../../model/delivery.ts";
import { formatLocalMinute } from "../../model/figures/duration.ts";
import { maxNameBeside, titleAndBody } from "../../model/message.ts";
import {
  deliveryFileInstead,
  newDelivery,
  removeDelivery,
  summarisedBy,
  writeDelivery,
  type DeliveryFile,
} from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { isAskingEnd, isMarkdown, isQuestion } from "../../model/event.ts";
import { summaryEventName } from "../../model/own-events.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { listOf } from "./waiting-list.ts";
import { readWaiting } from "../channel/waiting-delivery.ts";
import { sessionNameOf } from "../../sessions/names.ts";
import { sha256 } from "../../system/crypto.ts";
import { levels } from "../../model/level.ts";

const maxLines = 40;
const maxLineLength = 160;

export interface Summary {
  added: DeliveryFile;
  /** Files that are gone from the outbox. */
  removed: string[];
}

const titles: Partial<Record<string, (count: number) => string>> = {
  age: (count) => `${count} earlier notifications`,
  quietHours: (count) => `${count} notifications during quiet hours`,
  mute: (count) => `${count} notifications while it was muted`,
  throttle: (count) => `${count} notifications more`,
  several: (count) => `${count} more questions`,
  ends: (count) => `${count} turns ended`,
  moreEnds: (count) => `${count} more turns ended`,
};

/** One message for those that waited long for their receiver, or that policies deferred. Undefined if they are too few. */
export function summarise(
  dispatcher: Dispatcher,
  channel: Channel,
  files: readonly string[],
  waited: "long" | "together",
): Summary | undefined {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const waiting = files.flatMap((file): DeliveryFile[] => {
    const delivery = readWaiting(dispatcher, file);
    const isMessage = typeof delivery === "object" && delivery.kind !== "retraction" && delivery.expiresAt > now;
    return isMessage ? [{ file, delivery }] : [];
  });
  const newest = waiting.at(-1);
  const enough = waited === "long" ? (channel.summaryFrom ?? Infinity) : 2;
  if (newest === undefined || waiting.length < enough) return undefined;
  const by = waited === "long" ? "age" : (newest.delivery.hold?.by ?? "");
  // A summary counts as the messages it stands for.
  const count = waiting.reduce((sum, { delivery }) => {
    const lines = summarisedBy(delivery).filter(({ line }) => line !== "");
    return sum + Math.max(1, lines.length);
  }, 0);
  const told = waiting.map(({ delivery }) => delivery);
  const ends = newest.delivery.joins === undefined ? "ends" : "moreEnds";
  const what = by === "several" && !told.every(({ event }) => isQuestion(event)) ? ends : by;
  const asking = what === ends ? told.filter(({ event }) => isAskingEnd(event)).length : 0;
  const suffix = asking === 0 ? "" : `, ${asking === 1 ? "one asks" : `${asking} ask`} you something`;
  const title = `${titles[what]?.(count) ?? `${count} notifications`}${suffix}`;
  const list = what === "several" ? listOf(dispatcher, channel, told) : undefined;
  const delivery = summaryOf(dispatcher, waiting.toReversed(), newest.delivery, { title, ...list });
  const file = deliveryFileInstead(newest.file, delivery.id);
  // The summary names the others, and is on the disk before they go: a crash neither loses nor repeats any.
  writeDelivery(layout, "outbox", file, delivery);
  const removed = waiting.map((each) => each.file);
  for (const each of removed) removeDelivery(layout, "outbox", each);
  writeJournal(layout, now, {
    kind: "decision",
    event: delivery.event.id,
    deliveries: [{ id: delivery.id, channel: channel.name, rule: delivery.rule }],
    why: `${waiting.length} deliveries had waited ${waited}, so they go out as one`,
    summarises: told.map(({ id }) => id),
  });
  return { added: { file, delivery }, removed };
}

/** Without `body`, it lists the messages. */
function summaryOf(
  { tools, layout, host }: Dispatcher,
  newestFirst: readonly DeliveryFile[],
  newest: Delivery,
  { title, body: known }: { title: string; body?: string },
): Delivery {
  const now = tools.clock.now();
  const entries = newestFirst.flatMap(({ file, delivery }) => {
    const { event, message } = delivery;
    const session = sessionNameOf(event);
    const title = session === undefined ? message.title : `${message.title} (${cut(session, maxNameBeside)})`;
    const summarises = summarisedBy(delivery);
    const own = {
      file,
      at: event.at,
      line: cut(
        printableLine(titleAndBody(title, isMarkdown(event) ? lineOfMarkdown(message.body) : message.body)),
        maxLineLength,
      ),
    };
    // A summary that waited gives up its lines.
    return summarises.length > 0 ? [{ ...own, line: "" }, ...summarises] : [own];
  });
  const told = entries.filter(({ line }) => line !== "");
  const lines = told.map(({ at, line }) => `${formatLocalMinute(Date.parse(at))}  ${line}`);
  const body = known ?? linesOfMany(lines, maxLines, "before that");
  const level =
    levels.findLast((each) => newestFirst.some(({ delivery }) => delivery.message.level === each)) ?? "info";
  const projects = new Set(newestFirst.map(({ delivery }) => delivery.event.project));
  const digest = sha256(newestFirst.map(({ delivery }) => delivery.id).join("\n"));
  const event = {
    id: `evt_${digest.slice(0, 24)}`,
    name: summaryEventName,
    agent: "hookbell",
    session: "summary",
    cwd: layout.root,
    project: projects.size === 1 ? newest.event.project : "several projects",
    host,
    at: newest.event.at,
    level,
    message: title,
  };
  return newDelivery(now, {
    kind: "summary",
    channel: newest.channel,
    rule: "hookbell's own summary",
    joins: newest.joins,
    event,
    message: { title, body, level, fields: [] },
    summarises: entries,
    sessions: sessionsOf(newestFirst),
    // A fallback that may say less learns how many there are.
    fallback: newest.fallback.map(({ channel, event, message }) => ({
      channel,
      event,
      message: { ...message, title, body: event.message === undefined ? "" : body, fields: [] },
    })),
    expiresAt: Math.max(...newestFirst.map(({ delivery }) => delivery.expiresAt)),
  });
}

/** Each once. */
function sessionsOf(files: readonly DeliveryFile[]): { agent: string; session: string }[] {
  const all = files.flatMap(({ delivery }) => {
    const { agent, session } = delivery.event;
    return delivery.kind === "summary" ? (delivery.sessions ?? []) : [{ agent, session }];
  });
  return [...new Map(all.map((each) => [`${each.agent}\n${each.session}`, each])).values()];
}
