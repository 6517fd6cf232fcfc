// The keys of the server's users. The file is read at each request, so a removed key is refused at once.
import { join } from "node:path";
import * as z from "zod";
import { exitCodes, UserError } from "../../../model/errors.ts";
import { roles, type ApiRole } from "../contract/endpoints.ts";
import type { Clock } from "../../../system/clock.ts";
import { hmacSha256, isSameDigest, sha256 } from "../../../system/crypto.ts";
import { changeList, readList, type ListFile } from "./list-file.ts";

const keySchema = z.object({
  /** The user's id in every report. */
  name: z.string(),
  role: z.enum(roles),
  /** SHA-256, hexadecimal. A key has 256 random bits, so no slow hash is needed. */
  digest: z.string(),
  /** What the user's machines sign events with. It does not lead back to the key. */
  signingSecret: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type ApiKey = z.infer<typeof keySchema>;

const keyPrefix = "hbk_";
/** A name is a user's id in URLs and tables. */
const validName = /^[\w.@+-]{1,100}$/;

function fileIn(dataDir: string): ListFile<ApiKey> {
  return { path: join(dataDir, "keys.json"), item: keySchema };
}

export function readKeys(dataDir: string): ApiKey[] {
  return readList(fileIn(dataDir));
}

export interface NewKey {
  name: string;
  role: ApiRole;
  /** The key is shown once; the file does not have it. */
  key: string;
  signingSecret: string;
}

/** `chance`: 32 random bytes. */
export async function addKey(
  dataDir: string,
  { name, role }: Pick<ApiKey, "name" | "role">,
  clock: Clock,
  chance: Uint8Array,
): Promise<NewKey> {
  if (!validName.test(name)) {
    throw new UserError("keys.name", `${JSON.stringify(name)} cannot be a name`, {
      hint: "use letters, digits, and . _ - + @, such as ann or ann@example.org",
      exitCode: exitCodes.usage,
    });
  }
  const key = `${keyPrefix}${Buffer.from(chance).toString("base64url")}`;
  const signingSecret = `whsec_${hmacSha256(key, "hookbell events")}`;
  await changeList(fileIn(dataDir), clock, (keys) => {
    if (keys.some((known) => known.name === name)) {
      throw new UserError("keys.exists", `there is a key for ${name} already`, {
        hint: `to replace it, first run: hookbell keys remove ${name}`,
      });
    }
    return [...keys, { name, role, digest: sha256(key), signingSecret, createdAt: clock.now() }];
  });
  return { name, role, key, signingSecret };
}

export async function removeKey(dataDir: string, name: string, clock: Clock): Promise<void> {
  await changeList(fileIn(dataDir), clock, (keys) => {
    const others = keys.filter((key) => key.name !== name);
    if (others.length === keys.length) {
      throw new UserError("keys.unknown", `there is no key for ${name}`, { hint: "see: hookbell keys" });
    }
    return others;
  });
}

/** The comparison takes constant time, so that it says nothing of what nearly fits. */
export function findKey(keys: readonly ApiKey[], presented: string): ApiKey | undefined {
  const digest = sha256(presented);
  let found: ApiKey | undefined;
  for (const key of keys) if (isSameDigest(key.digest, digest)) found = key;
  return found;
}
