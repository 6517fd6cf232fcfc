// Requests about a Matrix room.
import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { serverUrl, withQuery } from "../../vendor-request.ts";

export interface MatrixRoom {
  homeserver: Secret;
  room: string;
  token: Secret;
  allowHttp?: boolean | undefined;
}

/** hookbell does not encrypt, so the homeserver could read what it sends there. */
export const encryptedRoom = "the room is encrypted, and hookbell does not encrypt what it sends there";

interface Call {
  method: "GET" | "PUT";
  path: string;
  body?: string;
  query?: Readonly<Record<string, string | undefined>>;
}

/** `path` is what follows the room's id, encoded: https://spec.matrix.org/latest/client-server-api/ */
export function roomRequest(settings: MatrixRoom, call: Call): HttpRequest {
  return matrixRequest(settings, { ...call, path: `rooms/${encodeURIComponent(settings.room)}/${call.path}` });
}

/** `path` is encoded. */
export function matrixRequest(
  { homeserver, token, allowHttp }: Omit<MatrixRoom, "room">,
  { method, path, body, query = {} }: Call,
): HttpRequest {
  return {
    method,
    url: withQuery(serverUrl(homeserver.reveal(), `/_matrix/client/v3/${path}`), query),
    isPlainHttpAllowed: allowHttp,
    headers: {
      authorization: `Bearer ${token.reveal()}`,
      ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
    },
    ...(body !== undefined && { body }),
  };
}
