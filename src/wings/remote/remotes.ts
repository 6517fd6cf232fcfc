// The other machines whose events come here: one folder each in remotes/, which also has what is being fetched.
import { join } from "node:path";
import * as z from "zod";
import { codeOf } from "../../model/errors.ts";
import type { Layout } from "../../outbox/layout.ts";
import { isSameDigest, sha256 } from "../../system/crypto.ts";
import { ensurePrivateDir, listNames, removeIfThere, removeTree } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWhole, writeWholeSoon } from "../../system/files/write.ts";
import { transportNames } from "./transports.ts";

/** The host of its events. It comes from here, never from what the other machine says. */
const name = z.string();

const reachedSchema = z.object({
  name,
  transport: z.enum(transportNames),
  target: z.string(),
  /** The other machine keeps it, so that it is followed from one computer only. */
  owner: z.string(),
  /** The folders that `remote add` had to make there for the hook, the innermost first. */
  madeFolders: z.array(z.string()),
});
/** The dispatcher keeps a connection to it. */
export type ReachedRemote = z.infer<typeof reachedSchema>;

const callingSchema = z.object({
  name,
  transport: z.literal("http"),
  /** The address of `hookbell serve`, as the machine there knows it. */
  target: z.string(),
  /** SHA-256 of its secret, hexadecimal. A secret has 256 random bits, so no slow hash is needed. */
  digest: z.string(),
});
/** A remote whose agents send their events to `hookbell serve`. */
export type CallingRemote = z.infer<typeof callingSchema>;

const spoolSchema = z.object({
  name,
  transport: z.literal("file"),
  /** The absolute path of the file here. */
  target: z.string(),
  /** The owner differs each time that the remote is added anew. */
  owner: z.string(),
});
/** A remote whose agents' hooks append to one file, which the dispatcher reads as it grows. */
export type SpoolRemote = z.infer<typeof spoolSchema>;

const remoteSchema = z.discriminatedUnion("transport", [reachedSchema, callingSchema, spoolSchema]);
export type Remote = z.infer<typeof remoteSchema>;

export function isReached(remote: Remote): remote is ReachedRemote {
  return remote.transport !== "http" && remote.transport !== "file";
}

/** The dispatcher does something for it. */
export function isFollowed(remote: Remote): remote is ReachedRemote | SpoolRemote {
  return remote.transport !== "http";
}

/** How the connection is; times are milliseconds since the epoch. */
const statusSchema = z.object({
  what: z.enum(["connected", "waiting"]),
  at: z.number(),
  /** Why there is no connection, and when the next attempt is. */
  code: z.string().optional(),
  why: z.string().optional(),
  hint: z.string().optional(),
  nextAt: z.number().optional(),
  /** How far the clock there is ahead. */
  clockAheadMs: z.number().optional(),
  /** When the last event came, where nothing else tells that the machine is there. */
  lastAt: z.number().optional(),
});
export type RemoteStatus = z.infer<typeof statusSchema>;

/** Windows reads `C:/` as a drive, so a name has at least two letters. */
export const isRemoteName = (name: string): boolean => /^[A-Za-z0-9_][\w.-]{1,63}$/.test(name);

function remotesFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "remotes");
}

export function remoteFolder(layout: Pick<Layout, "root">, name: string): string {
  return join(remotesFolder(layout), name);
}

const recordOf = (layout: Pick<Layout, "root">, name: string): string =>
  join(remoteFolder(layout, name), "remote.json");
const statusOf = (layout: Pick<Layout, "root">, name: string): string =>
  join(remoteFolder(layout, name), "status.json");

/** The remotes are sorted by name. A record that cannot be read is none. */
export function listRemotes(layout: Pick<Layout, "root">): Remote[] {
  return listNames(remotesFolder(layout)).flatMap((name) => {
    const remote = isRemoteName(name) ? readJson(recordOf(layout, name), remoteSchema) : undefined;
    return remote?.name === name ? [remote] : [];
  });
}

const secretPrefix = "hbr_";

/** `chance`: 32 random bytes. The secret is shown once; the record has its digest. */
export function newSecret(chance: Uint8Array): { secret: string; digest: string } {
  const secret = `${secretPrefix}${Buffer.from(chance).toString("base64url")}`;
  return { secret, digest: sha256(secret) };
}

/** The machine that has this secret. */
export function findCalling(layout: Pick<Layout, "root">, secret: string): CallingRemote | undefined {
  const digest = sha256(secret);
  return listRemotes(layout).find(
    (remote): remote is CallingRemote => remote.transport === "http" && isSameDigest(remote.digest, digest),
  );
}

export function writeRemote(layout: Pick<Layout, "root">, remote: Remote): void {
  ensurePrivateDir(remoteFolder(layout, remote.name));
  writeWhole(recordOf(layout, remote.name), JSON.stringify(remote));
}

/** The record goes first: without it, no one reads the folder, which stays if a dispatcher goes on writing into it. */
export function forgetRemote(layout: Pick<Layout, "root">, name: string): void {
  removeIfThere(recordOf(layout, name));
  try {
    removeTree(remoteFolder(layout, name));
  } catch (error) {
    if (codeOf(error) !== "ENOTEMPTY") throw error;
  }
}

export function readStatus(layout: Pick<Layout, "root">, name: string): RemoteStatus | undefined {
  return readJson(statusOf(layout, name), statusSchema);
}

export function writeStatus(layout: Pick<Layout, "root">, name: string, status: RemoteStatus): void {
  writeWholeSoon(statusOf(layout, name), JSON.stringify(status));
}
