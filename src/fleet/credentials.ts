// Reads who a credentials file is for. The broker checks its signature, this does not.
import { listOf, objectIn, objectOf, textOf } from "../model/json.ts";
import type { Member } from "./names.ts";
import { type Role, roles } from "./rights.ts";

export interface ReadCredentials extends Member {
  role: Role;
  /** The public key. */
  key: string;
}

/** Undefined if `fleet` has not made them. */
export function readCredentials(text: string): ReadCredentials | undefined {
  const token = /-----BEGIN NATS USER JWT-----\s+(\S+)/.exec(text)?.[1] ?? "";
  const claims = objectIn(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const tags = listOf(objectOf(claims.nats).tags).flatMap((tag) => textOf(tag) ?? []);
  const tag = (name: string): string | undefined =>
    tags.find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1);
  const role = roles.find((each) => each === tag("role"));
  const [org, person, host, key] = [tag("org"), tag("person"), tag("host"), textOf(claims.sub)];
  if (role === undefined || org === undefined || person === undefined || host === undefined || key === undefined)
    return undefined;
  return { org, person, host, role, key };
}
