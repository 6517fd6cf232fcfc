// The browsers that were paired with the page of `hookbell serve`, one file each in devices/, and beside them the open invitations.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../outbox/layout.ts";
import { isSameDigest, randomNonce, sha256 } from "../system/crypto.ts";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { touch, writeWhole } from "../system/files/write.ts";
import { devicesDir } from "../system/paths.ts";

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
    /** Digests of the two halves of its token: a browser sends cookies to every port of a host, and its storage to none. */
    cookie: z.string(),
    key: z.string(),
  }),
);
type StoredDevice = z.infer<typeof deviceSchema>;
export type Device = Omit<StoredDevice, "cookie" | "key"> & { seenAt: number };

const invitationSchema = z.lazy(() =>
  z.object({ name: z.string().optional(), rights: z.array(z.enum(rights)), expiresAt: z.number() }),
);
type Invitation = z.infer<typeof invitationSchema>;

const invitationMs = 10 * 60_000;
const maxDevices = 100;

/** Commands and the server change single files of it, so no two of them overwrite each other. */
export function devicesFolder({ root }: Pick<Layout, "root">): string {
  return devicesDir(root);
}

function pathOf(layout: Pick<Layout, "root">, id: string): string {
  return join(devicesFolder(layout), `${id}.json`);
}

function invitationPath(layout: Pick<Layout, "root">, code: string): string {
  return join(devicesFolder(layout), `${sha256(code).slice(0, 32)}.invitation`);
}

/** Returns the code, of which only the digest is stored. It pairs one browser, once. */
export function inviteDevice(
  layout: Pick<Layout, "root">,
  { name, rights }: Pick<Invitation, "name" | "rights">,
  nowMs: number,
): string {
  const code = randomNonce();
  const invitation: Invitation = { name, rights, expiresAt: nowMs + invitationMs };
  ensurePrivateDir(devicesFolder(layout));
  removeExpired(layout, nowMs);
  writeWhole(invitationPath(layout, code), JSON.stringify(invitation));
  return code;
}

function removeExpired(layout: Pick<Layout, "root">, nowMs: number): void {
  for (const name of listNames(devicesFolder(layout))) {
    const path = join(devicesFolder(layout), name);
    if (!name.endsWith(".invitation")) continue;
    if ((readJson(path, invitationSchema)?.expiresAt ?? 0) <= nowMs) removeIfThere(path);
  }
}

/** Both halves of its token, which are shown only now. */
export interface PairedDevice {
  device: Device;
  cookie: string;
  key: string;
}

/** Undefined for a code that is unknown, used or expired. `usualName` is for an invitation without a name. */
export function pairDevice(
  layout: Pick<Layout, "root">,
  code: string,
  usualName: string,
  nowMs: number,
): PairedDevice | undefined {
  const path = invitationPath(layout, code);
  const invitation = readJson(path, invitationSchema);
  // Only one of several requests removes the file.
  if (invitation === undefined || !removeIfThere(path) || nowMs >= invitation.expiresAt) return undefined;
  if (listDevices(layout).length >= maxDevices) return undefined;
  const id = sha256(randomNonce()).slice(0, 8);
  const [cookie, key] = [`${id}.${randomNonce()}${randomNonce()}`, `${randomNonce()}${randomNonce()}`];
  const named = { id, name: invitation.name ?? usualName, rights: invitation.rights, pairedAt: nowMs };
  const stored: StoredDevice = { ...named, cookie: sha256(cookie), key: sha256(key) };
  writeWhole(pathOf(layout, id), JSON.stringify(stored));
  return { device: { ...named, seenAt: nowMs }, cookie, key };
}

/** The device with this token, whose file is read each time: a revoked one is refused at once. */
export function deviceOf(layout: Pick<Layout, "root">, cookie: string, key: string): Device | undefined {
  const [, id] = /^([0-9a-f]{8})\.[\w-]+$/.exec(cookie) ?? [];
  const stored = id === undefined ? undefined : readJson(pathOf(layout, id), deviceSchema);
  if (stored === undefined || stored.id !== id) return undefined;
  if (!isSameDigest(stored.cookie, sha256(cookie)) || !isSameDigest(stored.key, sha256(key))) return undefined;
  return shown(layout, stored);
}

/** The devices that were paired first come first. */
export function listDevices(layout: Pick<Layout, "root">): Device[] {
  return listNames(devicesFolder(layout))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readJson(join(devicesFolder(layout), name), deviceSchema) ?? [])
    .map((stored) => shown(layout, stored))
    .sort((a, b) => a.pairedAt - b.pairedAt);
}

function shown(layout: Pick<Layout, "root">, { cookie: _cookie, key: _key, ...device }: StoredDevice): Device {
  return { ...device, seenAt: statIfThere(pathOf(layout, device.id))?.mtimeMs ?? device.pairedAt };
}

/** The file's modification time says it. Writing the file anew could bring a revoked device back. */
export function noteSeen(layout: Pick<Layout, "root">, { id }: Device, nowMs: number): void {
  touch(pathOf(layout, id), nowMs);
}

/** False if there was none. What other files hold of the device goes with it. */
export function revokeDevice(layout: Pick<Layout, "root">, { id }: Pick<Device, "id">): boolean {
  const isRevoked = removeIfThere(pathOf(layout, id));
  const folder = devicesFolder(layout);
  for (const name of listNames(folder)) if (name.startsWith(`${id}.`)) removeIfThere(join(folder, name));
  return isRevoked;
}
