// A member's credentials as a file to hand over: what the NATS client reads, and above it where the servers are.
import { listOf, objectIn, textOf } from "../../../model/json.ts";

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
