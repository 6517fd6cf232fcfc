// Deliveries as files: in the outbox until they are sent, then removed or moved to dead/.
import { join } from "node:path";
import { deliveryFormatVersion, deliverySchema, type Delivery, type DeliveryOf } from "../../model/delivery.ts";
import { messageOf, messageOfIssue } from "../../model/errors.ts";
import {
  asidePrefix,
  listNames,
  removeIfThere,
  renameIfThere,
  tryToRemove,
  uniqueName,
} from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { syncDir, syncFiles, writeWhole, writeWholeSoon } from "../../system/files/write.ts";
import { isStorageTrouble, type Layout } from "../layout.ts";
import { deliveryOfRc1, rc1FormatVersion } from "./rc1.ts";
import { sha256 } from "../../system/crypto.ts";
import { objectOf } from "../../model/json.ts";

/** `outbox/` while they wait, `dead/` when they gave up. */
export type DeliveryFolder = "outbox" | "dead";

export interface DeliveryFile {
  file: string;
  delivery: Delivery;
}

export type DeliveryReading =
  | { status: "read"; delivery: Delivery }
  | { status: "gone" }
  /** A later version of hookbell wrote it. */
  | { status: "later" }
  | { status: "broken"; problem: string };

/** The same whenever the event is planned again. */
export function deliveryIdOf(eventId: string, channel: string): string {
  return `msg_${sha256(`${eventId}\n${channel}`).slice(0, 24)}`;
}

type Usual = "version" | "id" | "fallback" | "createdAt" | "notBefore" | "attempts";
type Given<Each> = Each extends Delivery ? Omit<Each, Usual> & Partial<Pick<Each, Usual>> : never;

export function newDelivery<Own extends Given<Delivery>>(nowMs: number, given: Own): Own & Pick<Delivery, Usual> {
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

/** Milliseconds after its event at which this step of an escalation is due; undefined for what is none. */
export function escalationOf(delivery: Delivery): number | undefined {
  return "escalatesAfterMs" in delivery ? delivery.escalatesAfterMs : undefined;
}

/** The deliveries that this one replaces. */
export function summarisedBy(delivery: Delivery): DeliveryOf<"summary">["summarises"] {
  return delivery.kind === "summary" ? delivery.summarises : [];
}

export function deliveryFileName(position: string, order: number, deliveryId: string): string {
  return `${position}-${String(order).padStart(3, "0")}-${deliveryId}.json`;
}

/** The position of the payload that it was made of. */
export function positionIn(file: string): string {
  return file.replace(/-\d{3}-msg_[0-9a-z]+\.json$/, "");
}

export function deliveryFileInstead(file: string, deliveryId: string): string {
  return file.replace(/msg_[0-9a-z]+\.json$/, `${deliveryId}.json`);
}

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
    const written: unknown = JSON.parse(text);
    const value = versionOf(written) === rc1FormatVersion ? deliveryOfRc1(objectOf(written)) : written;
    const parsed = deliverySchema.safeParse(value, { error: messageOfIssue });
    if (parsed.success) return { status: "read", delivery: parsed.data };
    if (versionOf(value) > deliveryFormatVersion) return { status: "later" };
    const issue = parsed.error.issues[0];
    const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    return { status: "broken", problem: `${place}${issue?.message ?? "not a delivery"}` };
  } catch (error) {
    // The disk has trouble, so the file may be whole.
    if (isStorageTrouble(error)) throw error;
    return { status: "broken", problem: error instanceof SyntaxError ? "it is not JSON" : messageOf(error) };
  }
}

function versionOf(value: unknown): number {
  const { version } = objectOf(value);
  return typeof version === "number" ? version : 0;
}

export function writeDelivery(layout: Layout, folder: DeliveryFolder, file: string, delivery: Delivery): void {
  writeWhole(join(layout[folder], file), JSON.stringify(delivery));
}

/** Does not wait for the disk; see `syncPlaced`. */
export function placeDelivery(layout: Layout, file: string, delivery: Delivery): void {
  writeWholeSoon(join(layout.outbox, file), JSON.stringify(delivery));
}

export async function syncPlaced(layout: Layout, files: readonly string[]): Promise<void> {
  await syncFiles(layout.outbox, files);
}

export function removePlaced(layout: Layout, placed: readonly DeliveryFile[]): void {
  for (const { file } of placed) tryToRemove(join(layout.outbox, file));
}

export function removeDelivery(layout: Layout, folder: DeliveryFolder, file: string): boolean {
  return removeIfThere(join(layout[folder], file));
}

/** Gives new names: a dispatcher removes an outbox file that is named like a dead letter. */
export function reviveDeliveries(layout: Layout, files: readonly string[], nowMs: number): string[] {
  const moved = files.filter((file) => {
    const name = deliveryFileName(uniqueName(nowMs), 0, deliveryIdIn(file));
    return renameIfThere(join(layout.dead, file), join(layout.outbox, name));
  });
  for (const dir of [layout.outbox, layout.dead]) syncDir(dir);
  return moved;
}

/** A crash in between leaves two copies, never none. */
export function buryDelivery(layout: Layout, file: string, delivery: Delivery): void {
  writeDelivery(layout, "dead", file, delivery);
  removeDelivery(layout, "outbox", file);
}
