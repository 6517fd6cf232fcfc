// `hookbell serve --fleet FILE`: counts the events of everyone in a fleet, by the stream instead of by HTTPS.
import { usageOfPayload } from "../../../agents/dialect/usage.ts";
import { readPayload } from "../../../agents/read-payload.ts";
import { readCredentials, serversIn } from "../credentials.ts";
import type { FedEvent } from "./feed.ts";
import { exitCodes, UserError } from "../../../model/errors.ts";
import { ownAgents } from "../../../model/own-events.ts";
import { Secret } from "../../../model/privacy/secret.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { countedSchema, type EventOf, whyRefused } from "../../platform/server/store/events.ts";
import type { ServerOptions } from "../../platform/server/server.ts";
import type { CommandIo } from "../../../console/command-io.ts";

/** Throws a `UserError` for a file that is no server's. */
export function openFeed(
  file: string,
  { clock, random }: CommandIo,
  onNote: (text: string) => void,
): NonNullable<ServerOptions["feed"]> {
  const text = readIfThere(file);
  if (text === undefined) throw new UserError("fleet.noFile", `there is no file ${file}`);
  const [member, where] = [readCredentials(text), serversIn(text)];
  if (member?.role !== "server" || where === undefined) {
    const is = member === undefined ? "" : `: its role is ${member.role}`;
    throw new UserError("fleet.badFile", `${file} is not a file of hookbell fleet add --role server${is}`, {
      hint: "on the administrator's machine: hookbell fleet add NAME/serve --role server",
      exitCode: exitCodes.badInput,
    });
  }
  // The file of a rotation takes the place of the one before.
  const connection = () => {
    const now = readIfThere(file) ?? text;
    const { servers, authority } = serversIn(now) ?? where;
    return Promise.resolve({ servers, authority, credentials: new Secret(now) });
  };
  return async (count, signal) => {
    const { followEvents } = await import("./feed.ts");
    const take = (events: readonly FedEvent[]): void => count(events.flatMap((each) => eventOf(each, clock.now())));
    await followEvents({ member, tools: { clock, random }, connection, take, onNote, signal });
  };
}

/** The payload as a webhook has it. What cannot be counted is left out, since it would be refused by HTTPS too. */
function eventOf({ person, eventId, body }: FedEvent, nowMs: number): EventOf[] {
  const { agentId, eventName, text, from, at, silence } = body;
  const reading = readPayload(text, { agentId, eventName, env: {} });
  if (reading.status === "invalid" || silence === "repeat") return [];
  const { agentEvent, eventName: name, usual, facts } = reading;
  const event = {
    id: eventId,
    name,
    agentEvent,
    agent: ownAgents.has(reading.agentId) ? "generic" : reading.agentId,
    session: from === undefined ? facts.session : `${from}:${facts.session}`,
    at: new Date(at).toISOString(),
    usage: usageOfPayload(usual, agentEvent ?? name),
  };
  const counted = countedSchema.safeParse(event).data;
  if (counted === undefined || whyRefused(counted, nowMs) !== undefined) return [];
  return [{ event: counted, user: person, isIgnored: silence === "ignored" }];
}
