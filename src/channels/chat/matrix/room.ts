import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
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
