// The file of a member: what the NATS client reads, who it is for, and above that where the servers are.
import { listOf, objectIn, objectOf, textOf } from "../../model/json.ts";
import type { Member } from "./names.ts";
import { type FleetRole, roles } from "./rights.ts";

export interface ReadCredentials extends Member {
  role: FleetRole;
  /** The public key. */
  key: string;
}

/** What a token says; empty if it is none. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  objectIn(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));

/** The broker checks the signature, this does not. Undefined if `fleet` has not made them. */
export function readCredentials(text: string): ReadCredentials | undefined {
  const token = /-----BEGIN NATS USER JWT-----\s+(\S+)/.exec(text)?.[1] ?? "";
  const claims = claimsOf(token);
  const tags = listOf(objectOf(claims.nats).tags).flatMap((tag) => textOf(tag) ?? []);
  const tag = (name: string): string | undefined =>
    tags.find((each) => each.startsWith(`${name}:`))?.slice(name.length + 1);
  const role = roles.find((each) => each === tag("role"));
  const [org, person, host, key] = [tag("org"), tag("person"), tag("host"), textOf(claims.sub)];
  if (role === undefined || org === undefined || person === undefined || host === undefined || key === undefined)
    return undefined;
  return { org, person, host, role, key };
}

/** A dot separates the names, since neither has one. */
export const credentialsName = ({ person, host }: { person: string; host: string }): string =>
  `${person}.${host}.creds`;

const mark = "# hookbell ";

export interface Where {
  servers: readonly string[];
  /** The certificate of the authority itself: its file is on the administrator's machine. */
  authority?: string | undefined;
}

/** NATS clients read only what is between the marks of the format. */
export function withServers(credentials: string, { servers, authority }: Where): string {
  return `${mark}${JSON.stringify({ servers, authority })}\n${credentials}`;
}

export function serversIn(text: string): Where | undefined {
  const line = text.split("\n").find((each) => each.startsWith(mark));
  if (line === undefined) return undefined;
  const { servers, authority } = objectIn(line.slice(mark.length));
  return { servers: listOf(servers).flatMap((each) => textOf(each) ?? []), authority: textOf(authority) };
}
