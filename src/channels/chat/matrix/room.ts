// Requests about a Matrix room.
import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { serverUrl } from "../../vendor-request.ts";

export interface MatrixRoom {
  homeserver: Secret;
  room: string;
  token: Secret;
  allowHttp?: boolean | undefined;
}

/** `path` is what follows the room's id, encoded: https://spec.matrix.org/latest/client-server-api/ */
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
