import { join } from "node:path";
import { deliveryFormatVersion, deliverySchema, type Delivery } from "../model/delivery.ts";
import { codeOf, messageOf } from "../model/errors.ts";
import {
  asidePrefix,
  listNames,
  readIfThere,
  removeIfThere,
  renameIfThere,
  syncDir,
  syncFiles,
  tryToRemove,
  writeWhole,
  writeWholeSoon,
} from "../system/files/files.ts";
import { uniqueName } from "../system/unique-name.ts";
import type { Layout } from "./layout.ts";
import { sha256 } from "../system/crypto.ts";

/** Deliveries are in `outbox/` while they wait and in `dead/` when they gave up, under the same name. */
export type DeliveryFolder = "outbox" | "dead";

/** A delivery and the name of its file. */
export interface DeliveryFile {
  file: string;
  delivery: Delivery;
}

export type DeliveryReading =
  | { status: "read"; delivery: Delivery }
  | { status: "gone" }
  /** Torn, foreign or of a later version of hookbell. */
  | { status: "broken"; problem: string };

/** The same for the same event and channel, so that planning an event twice makes no second delivery. */
function deliveryIdOf(eventId: string, channel: string): string {
  return `msg_${sha256(`${eventId}\n${channel}`).slice(0, 24)}`;
}

/** A delivery that was never tried, due now. */
export function newDelivery(
  nowMs: number,
  given: Pick<Delivery, "channel" | "rule" | "event" | "message" | "expiresAt"> & Partial<Delivery>,
): Delivery {
  return {
    version: deliveryFormatVersion,
    id: deliveryIdOf(given.event.id, given.channel),
    fallback: [],
    createdAt: nowMs,
    notBefore: nowMs,
    attempts: 0,
    ...given,
  };
}

/** `position` sorts by the event's time, `order` by the event's channels. */
export function deliveryFileName(position: string, order: number, deliveryId: string): string {
  return `${position}-${String(order).padStart(3, "0")}-${deliveryId}.json`;
}

/** Another delivery in the place of this one. */
export function deliveryFileInstead(file: string, deliveryId: string): string {
  return file.replace(/msg_[0-9a-z]+\.json$/, `${deliveryId}.json`);
}

/** The delivery's id, as its file is named. */
export function deliveryIdIn(file: string): string {
  return /msg_[0-9a-z]+(?=\.json$)/.exec(file)?.[0] ?? "msg_0";
}

export function isDeliveryFile(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith(asidePrefix);
}

export function listDeliveries(layout: Layout, folder: DeliveryFolder): string[] {
  return listNames(layout[folder]).filter(isDeliveryFile);
}

export function readDelivery(layout: Layout, folder: DeliveryFolder, file: string): DeliveryReading {
  try {
    const text = readIfThere(join(layout[folder], file));
    if (text === undefined) return { status: "gone" };
    const parsed = deliverySchema.safeParse(JSON.parse(text));
    if (parsed.success) return { status: "read", delivery: parsed.data };
    const issue = parsed.error.issues[0];
    return { status: "broken", problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not a delivery"}` };
  } catch (error) {
    // The disk's trouble, not the file's: it may be read well the next time.
    if (isTransient(error)) throw error;
    return { status: "broken", problem: messageOf(error) };
  }
}

function isTransient(error: unknown): boolean {
  return ["EMFILE", "ENFILE", "EIO", "ESTALE", "ENOMEM", "EAGAIN"].includes(codeOf(error) ?? "");
}

export function writeDelivery(layout: Layout, folder: DeliveryFolder, file: string, delivery: Delivery): void {
  writeWhole(join(layout[folder], file), JSON.stringify(delivery));
}

/** Into the outbox, without waiting for the disk; `syncPlaced` does that once for many. */
export function placeDelivery(layout: Layout, file: string, delivery: Delivery): void {
  writeWholeSoon(join(layout.outbox, file), JSON.stringify(delivery));
}

/** After it, what has been placed survives a power failure. */
export function syncPlaced(layout: Layout, files: readonly string[]): void {
  syncFiles(layout.outbox, files);
}

/** Takes back what was placed and not synced; on a disk that takes not even that, nothing is sent either. */
export function removePlaced(layout: Layout, placed: readonly DeliveryFile[]): void {
  for (const { file } of placed) tryToRemove(join(layout.outbox, file));
}

/** False when it was gone already: discarded by hand, say. */
export function removeDelivery(layout: Layout, folder: DeliveryFolder, file: string): boolean {
  return removeIfThere(join(layout[folder], file));
}

/**
 * Dead letters back into the outbox, as they are; returns those that nobody else had taken. Under new names: a dispatcher at work takes an outbox
 * file named like a dead letter for that letter's remains, and removes it.
 */
export function reviveDeliveries(layout: Layout, files: readonly string[], nowMs: number): string[] {
  const moved = files.filter((file) => {
    const name = deliveryFileName(uniqueName(nowMs), 0, deliveryIdIn(file));
    return renameIfThere(join(layout.dead, file), join(layout.outbox, name));
  });
  for (const dir of [layout.outbox, layout.dead]) syncDir(dir);
  return moved;
}

/** The copy among the dead letters is written first: a crash in between leaves two, never none. */
export function buryDelivery(layout: Layout, file: string, delivery: Delivery): void {
  writeDelivery(layout, "dead", file, delivery);
  removeDelivery(layout, "outbox", file);
}
