// The key pair by which browsers know the server of the page, and what its tickets are made of. It is made once and kept.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../../outbox/layout.ts";
import { hmacSha256, newP256Keys, randomKey, sha256, signP256 } from "../../system/crypto.ts";
import { createExclusive } from "../../system/files/create-exclusive.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { devicesDir } from "../../system/paths.ts";

/** All in base64url. */
const storedSchema = z.object({ publicKey: z.string(), privateKey: z.string(), tickets: z.string() });

export interface PageKey {
  /** An uncompressed point of P-256 in base64url. A paired browser keeps it. */
  publicKey: string;
  sign(text: string): string;
  /** What belongs to the ticket with this id, in base64. A server that starts later finds the same. */
  ticketSecret(id: string): string;
}

export function pageKeyPath({ root }: Pick<Layout, "root">): string {
  return join(devicesDir(root), "server.key");
}

/** Undefined if the file is damaged. A new key would make each paired browser take this server for a stranger. */
export function pageKey(layout: Pick<Layout, "root">, nowMs: number): PageKey | undefined {
  const path = pageKeyPath(layout);
  const stored = readJson(path, storedSchema) ?? makeKey(layout, nowMs);
  if (stored === undefined) return undefined;
  const { publicKey } = stored;
  const [point, secret] = [publicKey, stored.privateKey].map((text) => Buffer.from(text, "base64url"));
  if (point === undefined || secret === undefined) return undefined;
  return {
    publicKey,
    sign: (text) => signP256({ privateKey: secret, publicKey: point }, text),
    ticketSecret: (id) => hmacSha256(stored.tickets, id),
  };
}

function makeKey(layout: Pick<Layout, "root">, nowMs: number): z.infer<typeof storedSchema> | undefined {
  const inBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
  const made = newP256Keys();
  const stored = {
    publicKey: inBase64(made.publicKey),
    privateKey: inBase64(made.privateKey),
    tickets: inBase64(randomKey()),
  };
  ensurePrivateDir(devicesDir(layout.root));
  // If two processes come here at once, the second reads what the first has written.
  createExclusive(pageKeyPath(layout), JSON.stringify(stored), nowMs);
  return readJson(pageKeyPath(layout), storedSchema);
}

/** Part of a pairing link, so that the browser knows the server before it says anything. 128 bits, in hex. */
export function fingerprintOf(publicKey: string): string {
  return sha256(publicKey).slice(0, 32);
}
