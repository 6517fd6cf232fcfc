// Matrix's settings, and requests about a room.
import * as z from "zod";
import type { Resolved } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { silentEdit, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { serverUrl, withQuery } from "../../vendor-request.ts";
import { noticeTypes } from "./message.ts";

export const matrixSettings = z.strictObject({
  homeserver: urlSetting("The homeserver's address, https://matrix.example.org"),
  room: z
    .string()
    .regex(/^![^\s]{1,254}$/, {
      error:
        "expected the room's id, which starts with ! (in the room's settings, under Advanced); an alias is not enough",
    })
    .describe("The id of a room without encryption that the account has joined, !...:example.org"),
  token: secretSetting("The account's access token"),
  msgtype: z
    .enum(noticeTypes)
    .optional()
    .describe('"m.notice" (default): phones show it without a sound; "m.text": like a message of a person'),
  update: updateSetting("new", silentEdit),
  allowHttp: allowHttpSetting(),
});
export type MatrixSettings = z.output<typeof matrixSettings>;
export type MatrixRoom = Pick<Resolved<MatrixSettings>, "homeserver" | "room" | "token" | "allowHttp">;

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
