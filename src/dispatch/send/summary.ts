// Makes one delivery of the old ones that wait for a channel.
import type { Delivery } from "../../model/delivery.ts";
import { formatLocalMinute } from "../../model/figures/duration.ts";
import { levels } from "../../model/level.ts";
import { cut, printableLine } from "../../model/text.ts";
import {
  deliveryFileInstead,
  newDelivery,
  removeDelivery,
  writeDelivery,
  type DeliveryFile,
} from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { readWaiting } from "./waiting-delivery.ts";
import { sha256 } from "../../system/crypto.ts";

export const summaryAgeMs = 5 * 60_000;
const maxLines = 40;
const maxLineLength = 160;

export interface Summary {
  added: DeliveryFile;
  /** Gone from the outbox. */
  removed: string[];
}

export function summarise(dispatcher: Dispatcher, channel: Channel, files: readonly string[]): Summary | undefined {
  const now = dispatcher.tools.clock.now();
  const waiting = readAll(dispatcher, files).filter(({ delivery }) => delivery.expiresAt > now);
  if (channel.summaryFrom === undefined || waiting.length < channel.summaryFrom) return undefined;
  const why = `${waiting.length} deliveries had waited long, so they go out as one`;
  return combine(dispatcher, channel, waiting, `${countLines(waiting)} earlier notifications`, why);
}

const gatheredTitles: Partial<Record<string, string>> = {
  quietHours: "during quiet hours",
  mute: "while it was muted",
  throttle: "more",
};

/** What attention has held together, as one. */
export function gather(dispatcher: Dispatcher, channel: Channel, files: readonly string[]): Summary | undefined {
  const waiting = readAll(dispatcher, files);
  const by = waiting.at(-1)?.delivery.hold?.by ?? "";
  const title = `${countLines(waiting)} notifications ${gatheredTitles[by] ?? ""}`.trim();
  const why = `${waiting.length} deliveries had waited together, so they go out as one`;
  return waiting.length < 2 ? undefined : combine(dispatcher, channel, waiting, title, why);
}

function readAll(dispatcher: Dispatcher, files: readonly string[]): DeliveryFile[] {
  return files.flatMap((file) => {
    const delivery = readWaiting(dispatcher, file);
    return typeof delivery === "object" ? [{ file, delivery }] : [];
  });
}

/** A summary counts as the messages it stands for. */
function countLines(waiting: readonly DeliveryFile[]): number {
  return waiting.reduce((sum, { delivery }) => sum + Math.max(1, linesOf(delivery).length), 0);
}

function linesOf({ summarises = [] }: Delivery): NonNullable<Delivery["summarises"]> {
  return summarises.filter(({ line }) => line !== "");
}

/** It names the others, and is on the disk before they go: a crash neither loses nor repeats any. */
function combine(
  dispatcher: Dispatcher,
  channel: Channel,
  waiting: readonly DeliveryFile[],
  title: string,
  why: string,
): Summary | undefined {
  const { layout, tools } = dispatcher;
  const newest = waiting.at(-1);
  if (newest === undefined) return undefined;
  const delivery = summaryOf(dispatcher, waiting.toReversed(), newest.delivery, title);
  const file = deliveryFileInstead(newest.file, delivery.id);
  writeDelivery(layout, "outbox", file, delivery);
  const removed = waiting.map((each) => each.file);
  for (const each of removed) removeDelivery(layout, "outbox", each);
  writeJournal(layout, tools.clock.now(), {
    kind: "decision",
    event: delivery.event.id,
    deliveries: [{ id: delivery.id, channel: channel.name, rule: delivery.rule }],
    why,
    summarises: waiting.map((each) => each.delivery.id),
  });
  return { added: { file, delivery }, removed };
}

function summaryOf(
  { tools, layout, host }: Dispatcher,
  newestFirst: readonly DeliveryFile[],
  newest: Delivery,
  title: string,
): Delivery {
  const now = tools.clock.now();
  const entries = newestFirst.flatMap(({ file, delivery }) => {
    const { event, message, summarises = [] } = delivery;
    const own = { file, at: event.at, line: cut(printableLine(`${message.title}: ${message.body}`), maxLineLength) };
    // A summary that waited gives up its lines.
    return summarises.length > 0 ? [{ ...own, line: "" }, ...summarises] : [own];
  });
  const told = entries.filter(({ line }) => line !== "");
  const shown = told.slice(0, maxLines).map(({ at, line }) => `${formatLocalMinute(Date.parse(at))}  ${line}`);
  if (told.length > maxLines) shown.push(`… and ${told.length - maxLines} before that`);
  const level =
    levels.findLast((each) => newestFirst.some(({ delivery }) => delivery.message.level === each)) ?? "info";
  const projects = new Set(newestFirst.map(({ delivery }) => delivery.event.project));
  const digest = sha256(newestFirst.map(({ delivery }) => delivery.id).join("\n"));
  const event = {
    id: `evt_${digest.slice(0, 24)}`,
    name: "Summary",
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
    channel: newest.channel,
    rule: "hookbell's own summary",
    event,
    message: { title, body: shown.join("\n"), level, fields: [] },
    summarises: entries,
    fallback: fallbackOf(newest.fallback, title, shown.join("\n")),
    expiresAt: Math.max(...newestFirst.map(({ delivery }) => delivery.expiresAt)),
  });
}

/** A fallback that may say less learns how many there are. */
function fallbackOf(fallback: Delivery["fallback"], title: string, body: string): Delivery["fallback"] {
  return fallback.map(({ channel, event, message }) => ({
    channel,
    event,
    message: { ...message, title, body: event.message === undefined ? "" : body, fields: [] },
  }));
}
