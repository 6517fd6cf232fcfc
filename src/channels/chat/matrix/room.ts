import { failed } from "../../../model/outcome.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpRequest, HttpResponse } from "../../../system/network/http.ts";
import type { ChannelDefinition } from "../../channel-type.ts";
import { readJsonObject } from "../../vendor-answer.ts";
import { serverUrl } from "../../vendor-request.ts";

/** Where a channel's messages go, as its settings have it. */
export interface MatrixRoom {
  homeserver: Secret;
  room: string;
  token: Secret;
  allowHttp?: boolean | undefined;
}

/** A request about the room: https://spec.matrix.org/latest/client-server-api/; `path` holds what comes after its id, encoded. */
export function roomRequest(
  { homeserver, room, token, allowHttp }: MatrixRoom,
  request: { method: "GET" | "PUT"; path: string; body?: string },
): HttpRequest {
  const { method, path, body } = request;
  return {
    method,
    url: serverUrl(homeserver.reveal(), `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/${path}`),
    isPlainHttpAllowed: allowHttp,
    headers: {
      authorization: `Bearer ${token.reveal()}`,
      ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
    },
    ...(body !== undefined && { body }),
  };
}

const lookTimeoutMs = 10_000;

/** Asks for https://spec.matrix.org/latest/client-server-api/#mroomencryption, which only encrypted rooms have. */
export function encryptionRequest(settings: MatrixRoom): HttpRequest {
  return roomRequest(settings, { method: "GET", path: "state/m.room.encryption" });
}

export function isEncrypted({ status, body }: HttpResponse): boolean {
  return status === 200 && typeof readJsonObject(body).algorithm === "string";
}

export const encryptedMend = "set the id of a room without encryption";

/**
 * A Matrix channel that writes nothing into an encrypted room, since that would go out in the clear. It looks each time:
 * a member may switch encryption on at any moment. Where the homeserver cannot say just now, its answer to the question
 * stands for the one to the message, which waits.
 */
export function refusingEncrypted(channel: ChannelDefinition): ChannelDefinition {
  return {
    ...channel,
    async send(request, tools) {
      const asked = encryptionRequest(request.settings as MatrixRoom);
      const answer = await tools.http(asked, { timeoutMs: lookTimeoutMs, signal: tools.signal });
      if ("status" in answer && isEncrypted(answer)) {
        return failed("gone", `the room is encrypted, and hookbell would write into it in the clear; ${encryptedMend}`);
      }
      const hasSaid = "status" in answer && answer.status !== 429 && answer.status < 500;
      return channel.send(request, hasSaid ? tools : { ...tools, http: () => Promise.resolve(answer) });
    },
  };
}
