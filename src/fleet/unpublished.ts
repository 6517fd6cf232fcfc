// Events that wait to be published, one file each, so that neither a crash nor a broker that is away loses one.
import { join } from "node:path";
import type { Layout } from "../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere, renameIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { syncFiles, writeWholeSoon } from "../system/files/write.ts";
import { limits } from "./names.ts";

export function fleetFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "fleet");
}

export interface Waiting {
  eventId: string;
  body: string;
  /** Its machine has told the person already, because the broker was away. */
  isTold: boolean;
}

export interface Unpublished {
  /** False when it has as many as it may have. Durable after `sync`. `position` decides the order. */
  add(position: string, eventId: string, body: string): boolean;
  sync(): Promise<void>;
  /** Oldest first. */
  list(): readonly string[];
  /** Undefined for one that is gone. */
  read(file: string): Waiting | undefined;
  has(eventId: string): boolean;
  noteTold(eventId: string): void;
  remove(file: string): void;
}

/** Bodies that are published soon are not read back. */
const maxKept = 1000;
const fileName = /^(.+)\.(evt_[0-9a-z]+)(\.told)?\.json$/;

export function openUnpublished(layout: Pick<Layout, "root">): Unpublished {
  const folder = join(fleetFolder(layout), "unpublished");
  ensurePrivateDir(folder);
  const files = new Set(listNames(folder).filter((name) => fileName.test(name)));
  const byEvent = new Map([...files].map((file) => [fileName.exec(file)?.[2] ?? "", file]));
  const kept = new Map<string, string>();
  let unsynced: string[] = [];
  return {
    add(position, eventId, body) {
      if (byEvent.has(eventId)) return true;
      if (files.size >= limits.maxUnpublished) return false;
      const file = `${position}.${eventId}.json`;
      writeWholeSoon(join(folder, file), body);
      files.add(file);
      byEvent.set(eventId, file);
      unsynced.push(file);
      if (kept.size < maxKept) kept.set(file, body);
      return true;
    },
    async sync() {
      const names = unsynced.filter((file) => files.has(file));
      unsynced = [];
      if (names.length > 0) await syncFiles(folder, names);
    },
    list: () => [...files],
    read(file) {
      const [, , eventId = "", told] = fileName.exec(file) ?? [];
      const body = kept.get(file) ?? readIfThere(join(folder, file));
      if (body === undefined) files.delete(file);
      return body === undefined ? undefined : { eventId, body, isTold: told !== undefined };
    },
    has: (eventId) => byEvent.has(eventId),
    noteTold(eventId) {
      const file = byEvent.get(eventId);
      if (file === undefined || file.endsWith(".told.json")) return;
      const told = file.replace(/\.json$/, ".told.json");
      if (!renameIfThere(join(folder, file), join(folder, told))) return;
      const body = kept.get(file);
      if (body !== undefined) kept.set(told, body);
      kept.delete(file);
      files.delete(file);
      files.add(told);
      byEvent.set(eventId, told);
    },
    remove(file) {
      if (!files.delete(file)) return;
      removeIfThere(join(folder, file));
      kept.delete(file);
      byEvent.delete(fileName.exec(file)?.[2] ?? "");
    },
  };
}
