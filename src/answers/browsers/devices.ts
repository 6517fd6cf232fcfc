// The browsers that were paired with the page of `hookbell serve`, one file each in devices/, and beside them the open invitations.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../../outbox/layout.ts";
import { randomNonce, sha256 } from "../../system/crypto.ts";
import { createExclusive } from "../../system/files/create-exclusive.ts";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { touch, writeWhole } from "../../system/files/write.ts";
import { devicesDir } from "../../system/paths.ts";

/** `read` shows everything, `answer` answers questions, `administer` retries and discards what was not delivered. */
export const rights = ["read", "answer", "administer"] as const;
export type Right = (typeof rights)[number];

/** Times are milliseconds since the epoch. */
const deviceSchema = z.lazy(() =>
  z.object({
    id: z.string().regex(/^[0-9a-f]{8}$/),
    name: z.string(),
    rights: z.array(z.enum(rights)),
    pairedAt: z.number(),
    /** The public half of the key pair that the browser made, in base64url. The other half never leaves the browser. */
    publicKey: z.string().optional(),
    /** 1.0.0-rc.1 stored this instead: the digest of a key that the browser sent. It is good for one renewal. */
    key: z.string().optional(),
  }),
);
type StoredDevice = z.infer<typeof deviceSchema>;

export interface Device {
  id: string;
  name: string;
  /** What it may do now. */
  rights: readonly Right[];
  pairedAt: number;
  seenAt: number;
  /** Why it must be paired again before it may do more than read. */
  pairAgain?: PairAgain | undefined;
}

/** What shows that another program ran in the browser as the page. */
export const pairAgainReasons = ["noTicket", "otherServer", "foreignWorker"] as const;
export type PairAgain = (typeof pairAgainReasons)[number];

const pairAgainSchema = z.lazy(() => z.object({ why: z.enum(pairAgainReasons) }));

const invitationSchema = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    rights: z.array(z.enum(rights)),
    expiresAt: z.number(),
    /** The digest of the code, with which the browser proves that it has the code. */
    secret: z.string(),
  }),
);
type Invitation = z.infer<typeof invitationSchema>;

const invitationMs = 10 * 60_000;
const maxDevices = 100;

type Root = Pick<Layout, "root">;

/** Commands and the server change single files of it, so no two of them overwrite each other. */
export function devicesFolder({ root }: Root): string {
  return devicesDir(root);
}

function pathOf(layout: Root, id: string): string {
  return join(devicesFolder(layout), `${id}.json`);
}

function pairAgainPath(layout: Root, id: string): string {
  return join(devicesFolder(layout), `${id}.again`);
}

/** The name under which a browser that has the code asks for its invitation. It says nothing of the code. */
export function invitationOf(code: string): string {
  return sha256(`invitation ${code}`).slice(0, 32);
}

function invitationPath(layout: Root, invitation: string): string {
  return join(devicesFolder(layout), `${invitation}.invitation`);
}

/** Returns the code, of which only digests are stored. It pairs one browser, once. */
export function inviteDevice(
  layout: Root,
  { name, rights }: Pick<Invitation, "name" | "rights">,
  nowMs: number,
): string {
  const code = randomNonce();
  const invitation: Invitation = { name, rights, expiresAt: nowMs + invitationMs, secret: sha256(code) };
  ensurePrivateDir(devicesFolder(layout));
  removeExpired(layout, nowMs);
  writeWhole(invitationPath(layout, invitationOf(code)), JSON.stringify(invitation));
  return code;
}

function removeExpired(layout: Root, nowMs: number): void {
  for (const name of listNames(devicesFolder(layout))) {
    const path = join(devicesFolder(layout), name);
    if (!name.endsWith(".invitation")) continue;
    if ((readJson(path, invitationSchema)?.expiresAt ?? 0) <= nowMs) removeIfThere(path);
  }
}

export interface PairingProof {
  publicKey: string;
  /** Whether the browser has proved that it knows what belongs to the digest. */
  isProven(digest: string): boolean;
}

/** Undefined for a code that is wrong, used or expired. `usualName` is for an invitation without a name. */
export function pairDevice(
  layout: Root,
  invitation: string,
  { publicKey, isProven }: PairingProof,
  usualName: string,
  nowMs: number,
): Device | undefined {
  const path = invitationPath(layout, invitation);
  const found = readJson(path, invitationSchema);
  if (found === undefined || !isProven(found.secret)) return undefined;
  // Only one of several requests removes the file.
  if (!removeIfThere(path) || nowMs >= found.expiresAt) return undefined;
  if (listDevices(layout).length >= maxDevices) return undefined;
  const id = sha256(randomNonce()).slice(0, 8);
  const stored: StoredDevice = {
    id,
    name: found.name ?? usualName,
    rights: found.rights,
    pairedAt: nowMs,
    publicKey,
  };
  writeWhole(pathOf(layout, id), JSON.stringify(stored));
  return shown(layout, stored);
}

/** The digests of the keys that browsers have from 1.0.0-rc.1 and have not renewed. */
export function oldKeys(layout: Root): string[] {
  return storedDevices(layout).flatMap(({ publicKey, key }) =>
    publicKey === undefined && key !== undefined ? key : [],
  );
}

/** Gives a browser that 1.0.0-rc.1 has paired its new key; its old one is void from then on. */
export function renewDevice(layout: Root, { publicKey, isProven }: PairingProof): Device | undefined {
  const found = storedDevices(layout).find(
    (stored) => stored.publicKey === undefined && stored.key !== undefined && isProven(stored.key),
  );
  if (found === undefined) return undefined;
  const { key: _key, ...renewed } = { ...found, publicKey };
  writeWhole(pathOf(layout, found.id), JSON.stringify(renewed));
  return shown(layout, renewed);
}

/** Its file is read each time: a revoked device is refused at once. */
export function findDevice(layout: Root, id: string): (Device & { publicKey: string }) | undefined {
  const stored = /^[0-9a-f]{8}$/.test(id) ? readJson(pathOf(layout, id), deviceSchema) : undefined;
  if (stored?.publicKey === undefined || stored.id !== id) return undefined;
  return { ...shown(layout, stored), publicKey: stored.publicKey };
}

/** The devices that were paired first come first. */
export function listDevices(layout: Root): Device[] {
  return storedDevices(layout)
    .map((stored) => shown(layout, stored))
    .sort((a, b) => a.pairedAt - b.pairedAt);
}

function storedDevices(layout: Root): StoredDevice[] {
  return listNames(devicesFolder(layout))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readJson(join(devicesFolder(layout), name), deviceSchema) ?? []);
}

function shown(layout: Root, { id, name, rights: given, pairedAt }: StoredDevice): Device {
  const seenAt = statIfThere(pathOf(layout, id))?.mtimeMs ?? pairedAt;
  const isAgain = statIfThere(pairAgainPath(layout, id)) !== undefined;
  if (!isAgain) return { id, name, rights: given, pairedAt, seenAt };
  // A damaged file says as much as a whole one.
  const pairAgain = readJson(pairAgainPath(layout, id), pairAgainSchema)?.why ?? "noTicket";
  return { id, name, rights: given.filter((right) => right === "read"), pairedAt, seenAt, pairAgain };
}

/** From now on the device may only read, until the browser is paired again. */
export function requirePairing(layout: Root, { id }: Pick<Device, "id">, why: PairAgain, nowMs: number): void {
  createExclusive(pairAgainPath(layout, id), JSON.stringify({ why }), nowMs);
}

/** The file's modification time says it. Writing the file anew could bring a revoked device back. */
export function noteSeen(layout: Root, { id }: Pick<Device, "id">, nowMs: number): void {
  touch(pathOf(layout, id), nowMs);
}

/** False if there was none. What other files hold of the device goes with it. */
export function revokeDevice(layout: Root, { id }: Pick<Device, "id">): boolean {
  const isRevoked = removeIfThere(pathOf(layout, id));
  const folder = devicesFolder(layout);
  for (const name of listNames(folder)) if (name.startsWith(`${id}.`)) removeIfThere(join(folder, name));
  return isRevoked;
}
