// The keys of a fleet's administrator, and the tokens that they sign: operator, account, members. Kept in one private file.
import { join } from "node:path";
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
  fromSeed,
  newScopedSigner,
  type User,
} from "@nats-io/jwt";
import * as z from "zod";
import { UserError } from "../../../model/errors.ts";
import { parseJson } from "../../../model/json.ts";
import { ensurePrivateDir } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { writeWhole } from "../../../system/files/write.ts";
import { consumerName, type Member } from "../names.ts";
import { type FleetRole, rightsTemplate, roles } from "../rights.ts";

const memberSchema = z.object({
  person: z.string(),
  host: z.string(),
  role: z.enum(roles),
  /** The public key of its credentials. */
  key: z.string(),
  /** The public key before the last rotation, valid until the new one has been used. */
  previousKey: z.string().optional(),
});
export type MemberRecord = z.infer<typeof memberSchema>;

const authoritySchema = z.object({
  org: z.string(),
  servers: z.array(z.string()),
  /** The file of the authority that signed the servers' certificates, if it is not a public one. */
  ca: z.string().optional(),
  /** Private keys. A member's own is not among them: only its credentials file has it. */
  seeds: z.object({
    operator: z.string(),
    system: z.string(),
    account: z.string(),
    ...(Object.fromEntries(roles.map((role) => [role, z.string()])) as Record<FleetRole, z.ZodString>),
  }),
  members: z.array(memberSchema),
  /** Public keys that the broker refuses, with the time from which on, in seconds since the epoch. */
  revoked: z.record(z.string(), z.number()),
});
export type Authority = z.infer<typeof authoritySchema>;

const unlimited = { data: -1, payload: -1, subs: -1 } as const;

export function fleetDir(configDir: string): string {
  return join(configDir, "fleet");
}

const authorityFile = (configDir: string): string => join(fleetDir(configDir), "authority.json");

export function readAuthority(configDir: string): Authority | undefined {
  const path = authorityFile(configDir);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const read = authoritySchema.safeParse(parseJson(text));
  if (read.success) return read.data;
  throw new UserError("fleet.damaged", `${path} is damaged`, { hint: "restore it from a backup" });
}

export function writeAuthority(configDir: string, authority: Authority): string {
  const path = authorityFile(configDir);
  ensurePrivateDir(fleetDir(configDir));
  writeWhole(path, `${JSON.stringify(authority, undefined, 2)}\n`);
  return path;
}

export function createAuthority(of: { org: string; servers: readonly string[]; ca?: string | undefined }): Authority {
  const { org, servers, ca } = of;
  const seeds = {
    operator: seedOf(createOperator()),
    system: seedOf(createAccount()),
    account: seedOf(createAccount()),
    ...(Object.fromEntries(roles.map((role) => [role, seedOf(createAccount())])) as Record<FleetRole, string>),
  };
  return { org, servers: [...servers], ...(ca === undefined ? {} : { ca }), seeds, members: [], revoked: {} };
}

type Key = ReturnType<typeof createUser>;

const seedOf = (key: Key): string => new TextDecoder().decode(key.getSeed());
const keyOf = (seed: string): Key => fromSeed(new TextEncoder().encode(seed));
export const publicKeyOf = (seed: string): string => keyOf(seed).getPublicKey();

/** A member's rights are in the account's token, as templates: its own token stays short, and an update reaches every member. */
export async function accountToken({ org, seeds, revoked }: Authority): Promise<string> {
  const scoped = roles.map((role) => {
    const { publish, subscribe } = rightsTemplate(role, org);
    const template = { ...unlimited, pub: { allow: publish }, sub: { allow: subscribe } };
    return newScopedSigner(keyOf(seeds[role]), role, template);
  });
  const limits = { ...unlimited, conn: -1, leaf: 0, imports: -1, exports: -1, wildcards: true };
  const jetStream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const account = { limits: { ...limits, ...jetStream }, signing_keys: scoped, revocations: revoked };
  return await encodeAccount(`hookbell ${org}`, keyOf(seeds.account), account, { signer: keyOf(seeds.operator) });
}

export interface ServerTokens {
  operator: string;
  /** Public key and token of the system account. */
  system: [key: string, token: string];
}

export async function serverTokens({ org, seeds }: Authority): Promise<ServerTokens> {
  const [operator, system] = [keyOf(seeds.operator), keyOf(seeds.system)];
  const limits = { ...unlimited, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true };
  return {
    operator: await encodeOperator(`hookbell ${org}`, operator, { system_account: system.getPublicKey() }),
    system: [system.getPublicKey(), await encodeAccount("SYS", system, { limits }, { signer: operator })],
  };
}

/** Credentials that are used at once and kept nowhere. They end by themselves. */
const briefS = 120;

export async function briefCredentials(
  { org, seeds }: Authority,
  what: "system" | "admin" | { role: FleetRole; person: string; host: string },
  nowMs: number,
): Promise<string> {
  const times = { exp: Math.ceil(nowMs / 1000) + briefS };
  const user = createUser();
  if (typeof what === "object") return await memberCredentials(user, { org, ...what }, what.role, seeds, times);
  const issuer = keyOf(what === "system" ? seeds.system : seeds.account);
  return format(await encodeUser(`hookbell ${what}`, user, issuer, { ...unlimited }, times), user);
}

/** Makes new credentials; the caller writes down the public key. */
export async function issueCredentials(
  { org, seeds }: Authority,
  { person, host, role }: Pick<MemberRecord, "person" | "host" | "role">,
): Promise<{ key: string; credentials: string }> {
  const user = createUser();
  const credentials = await memberCredentials(user, { org, person, host }, role, seeds, {});
  return { key: user.getPublicKey(), credentials };
}

async function memberCredentials(
  user: Key,
  member: Member,
  role: FleetRole,
  seeds: Authority["seeds"],
  times: { exp?: number },
): Promise<string> {
  const tags = [`org:${member.org}`, `person:${member.person}`, `host:${member.host}`, `role:${role}`];
  const claims = { issuer_account: publicKeyOf(seeds.account), tags } as Partial<User>;
  const name = consumerName(member);
  return format(await encodeUser(name, user, keyOf(seeds[role]), claims, { ...times, scopedUser: true }), user);
}

const format = (token: string, user: Key): string => new TextDecoder().decode(fmtCreds(token, user));
