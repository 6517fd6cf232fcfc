// Who sends a push message: a key pair of this computer's, and the token that it signs. https://www.rfc-editor.org/rfc/rfc8292
import { join } from "node:path";
import * as z from "zod";
import { newP256Keys, signP256 } from "../../../system/crypto.ts";
import { createExclusive } from "../../../system/files/create-exclusive.ts";
import { ensurePrivateDir } from "../../../system/files/files.ts";
import { readJson } from "../../../system/files/read.ts";
import { devicesDir } from "../../../system/paths.ts";

/** Both in base64url; a browser is given the public one. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const keysSchema: z.ZodType<VapidKeys> = z.object({ publicKey: z.string(), privateKey: z.string() });

/** A day is the most that push services take: https://www.rfc-editor.org/rfc/rfc8292#section-2 */
const tokenSeconds = 12 * 60 * 60;

/**
 * The keys are made once, because a browser's subscription works only with the key that it was given. Undefined if the
 * file is damaged.
 */
export function vapidKeys(stateDir: string, nowMs: number): VapidKeys | undefined {
  const path = join(devicesDir(stateDir), "vapid.key");
  const known = readJson(path, keysSchema);
  if (known !== undefined) return known;
  const made = newP256Keys();
  const inBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
  const keys = { publicKey: inBase64(made.publicKey), privateKey: inBase64(made.privateKey) };
  ensurePrivateDir(devicesDir(stateDir));
  // If two processes come here at once, the second reads what the first has written.
  createExclusive(path, JSON.stringify(keys), nowMs);
  return readJson(path, keysSchema);
}

/** The header `Authorization`. `contact` is a mailto: or https: address; push services other than Apple's do without. */
export function authorization(
  { publicKey, privateKey }: VapidKeys,
  endpoint: string,
  contact: string | undefined,
  nowMs: number,
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1000) + tokenSeconds, sub: contact };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const bytesOf = (text: string): Uint8Array => Buffer.from(text, "base64url");
  const signature = signP256({ privateKey: bytesOf(privateKey), publicKey: bytesOf(publicKey) }, signed);
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}
