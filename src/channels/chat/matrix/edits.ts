// Edits of a session's earlier message in a Matrix room.
import type { AgentEvent } from "../../../model/event.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { ChannelTools, ChannelDefinition } from "../../channel-type.ts";
import { takesPlace, type Update } from "../../session-message.ts";
import { roomRequest, type MatrixRoom } from "./room.ts";
import { membersOf, readJsonObject } from "../../vendor-answer.ts";
import { sha256 } from "../../../system/crypto.ts";

const lookTimeoutMs = 10_000;

/** Programs ignore an edit by another account. */
export function placeOf({ room, token }: { room: string; token: Secret }): { room: string; account: string } {
  return { room, account: sha256(token.reveal()).slice(0, 16) };
}

export function earlierEvent(
  settings: MatrixRoom & { update?: Update | undefined },
  told: AgentEvent,
  remembered: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const { room, account } = placeOf(settings);
  const isHere = remembered?.room === room && remembered.account === account;
  return takesPlace(settings, told) && isHere ? remembered.event : undefined;
}

/** Programs do not show an edit of a deleted message. */
export function forgettingDeleted(channel: ChannelDefinition): ChannelDefinition {
  return {
    ...channel,
    async send(request, tools) {
      const settings = request.settings as MatrixRoom;
      const event = earlierEvent(settings, request.event, request.remembered);
      const isGone = event !== undefined && (await isDeleted(settings, event, tools));
      return channel.send(isGone ? { ...request, remembered: undefined } : request, tools);
    },
  };
}

/** https://spec.matrix.org/latest/client-server-api/#get_matrixclientv3roomsroomideventeventid; in doubt, it is not. */
async function isDeleted(settings: MatrixRoom, event: string, tools: ChannelTools): Promise<boolean> {
  const path = `event/${encodeURIComponent(event)}`;
  const request = roomRequest(settings, { method: "GET", path });
  const answer = await tools.http(request, { timeoutMs: lookTimeoutMs, signal: tools.signal });
  if ("failure" in answer) return false;
  const { errcode, unsigned } = readJsonObject(answer.body);
  if (answer.status === 404) return errcode === "M_NOT_FOUND";
  return answer.status === 200 && membersOf(unsigned).redacted_because !== undefined;
}
