// The browsers that want to be notified: one file each, beside the device that `hookbell devices` knows.
import { ECDH } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { listNames, removeIfThere } from "../../../system/files/files.ts";
import { readJson } from "../../../system/files/read.ts";
import { writeWhole } from "../../../system/files/write.ts";
import { devicesDir } from "../../../system/paths.ts";

const maxEndpointLength = 2000;
const base64url = /^[\w-]+={0,2}$/;
/** An uncompressed point of P-256, and a secret: https://www.rfc-editor.org/rfc/rfc8291#section-3 */
const publicKeyBytes = 65;
const secretBytes = 16;

/** As `PushSubscription.toJSON()` of a browser has it. */
export const subscriptionSchema = z.object({
  /** The address works like a password of the push service, so it is treated as a secret. */
  endpoint: z
    .string()
    .max(maxEndpointLength)
    .refine((text) => text.startsWith("https://") && URL.canParse(text)),
  keys: z.object({
    p256dh: z.string().max(100).regex(base64url).refine(isPublicKey),
    auth: z
      .string()
      .max(50)
      .regex(base64url)
      .refine((text) => Buffer.from(text, "base64url").length === secretBytes),
  }),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

const storedSchema = subscriptionSchema.extend({
  /** The page's origin, which names hookbell to the push service. */
  origin: z.string(),
});
export type StoredSubscription = z.infer<typeof storedSchema>;

export interface Subscriber extends StoredSubscription {
  id: string;
  name: string;
}

const deviceSchema = z.object({ name: z.string() });

function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  try {
    return bytes.length === publicKeyBytes && ECDH.convertKey(bytes, "prime256v1").length > 0;
  } catch {
    return false;
  }
}

function pathOf(stateDir: string, id: string): string {
  return join(devicesDir(stateDir), `${id}.push`);
}

export function storeSubscription(stateDir: string, id: string, subscription: StoredSubscription): void {
  writeWhole(pathOf(stateDir, id), JSON.stringify(subscription));
}

/** False if there was none, or if the device has subscribed again meanwhile. */
export function removeSubscription(stateDir: string, id: string, endpoint?: string): boolean {
  const path = pathOf(stateDir, id);
  if (endpoint !== undefined && readJson(path, storedSchema)?.endpoint !== endpoint) return false;
  return removeIfThere(path);
}

/** Undefined if the device has not subscribed. */
export function subscriptionOf(stateDir: string, id: string): StoredSubscription | undefined {
  return readJson(pathOf(stateDir, id), storedSchema);
}

/** A subscription counts only beside its device, so that one stored in the moment of its revocation does nothing. */
export function listSubscribers(stateDir: string): Subscriber[] {
  const folder = devicesDir(stateDir);
  return listNames(folder)
    .filter((file) => file.endsWith(".push"))
    .flatMap((file) => {
      const id = file.slice(0, -".push".length);
      const device = readJson(join(folder, `${id}.json`), deviceSchema);
      const subscription = subscriptionOf(stateDir, id);
      return device === undefined || subscription === undefined ? [] : [{ ...subscription, id, name: device.name }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}
