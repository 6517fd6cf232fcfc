// Matrix: a room without encryption, through the client-server API.
import * as matrixContent from "./message.ts";
import { delivered } from "../../../model/outcome.ts";
import type { ChannelTools, SendRequest } from "../../channel-type.ts";
import { plainLimits } from "../../rendering/compose.ts";
import { defineHttpChannel, exchangingBy, type HttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, replacingEarlier, takesPlace } from "../../session-message.ts";
import { unexpectedAnswer } from "../../vendor-answer.ts";
import { probeRequest } from "../../vendor-request.ts";
import { legendOf, matrixAnswers, offeringReactions, questionMark } from "./answers.ts";
import { readMatrixError } from "./errors.ts";
import { encryptedRoom, type MatrixRoom, type MatrixSettings, matrixSettings, roomRequest } from "./room.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import { sha256 } from "../../../system/crypto.ts";
import { objectIn, objectOf } from "../../../model/json.ts";

const docs = "https://spec.matrix.org/latest/client-server-api/#sending-events-to-a-room";

const sending = defineHttpChannel<MatrixSettings>({
  docs,
  settings: matrixSettings,
  isShared: true,
  limits: [
    {
      what: "the event",
      most: matrixContent.maxEventBytes,
      unit: "bytes",
      source: "https://spec.matrix.org/latest/client-server-api/#size-limits",
    },
    { what: "the plain form, as JSON", most: matrixContent.maxPlainBytes, unit: "bytes", source: "ours" },
    ...plainLimits(matrixContent.maxPlainBytes, ", as JSON"),
    { what: "the body in HTML, as JSON", most: matrixContent.maxHtmlBytes, unit: "bytes", source: "ours" },
    { what: "the title in HTML, as JSON", most: matrixContent.maxTitleBytes, unit: "bytes", source: "ours" },
    { what: "one field in HTML, as JSON", most: matrixContent.maxFieldBytes, unit: "bytes", source: "ours" },
  ],
  // The homeserver answers a repeat with the same event.
  isRepeatHarmless: true,
  request(request) {
    const { settings, message, event, deliveryId, question } = request;
    const replaces = earlierEvent(request);
    const msgtype = settings.msgtype ?? "m.notice";
    const content =
      question === undefined
        ? matrixContent.toMatrixContent(message, event.name, msgtype, replaces)
        : {
            ...matrixContent.toMatrixQuestion(message, event.name, msgtype, { legend: legendOf(question.buttons) }),
            [questionMark]: true,
          };
    return roomRequest(settings, {
      method: "PUT",
      path: `send/m.room.message/${encodeURIComponent(deliveryId)}`,
      body: JSON.stringify(content),
    });
  },
  readSuccess(response, request) {
    const { settings, question } = request;
    const { event_id: event } = objectIn(response.body);
    const isTaken = typeof event === "string" && event.startsWith("$");
    if (!isTaken) return unexpectedAnswer(response, "a Matrix homeserver");
    if (question !== undefined) return delivered({ remember: { room: settings.room, event } });
    if (!mayBeReplaced(request)) return delivered();
    // Clients ignore an edit of an edit.
    return delivered({ remember: { ...placeOf(settings), event: earlierEvent(request) ?? event } });
  },
  readFailure: readMatrixError,
  answers: matrixAnswers,
  // Whether the account is in the room, and the room is not encrypted: https://spec.matrix.org/latest/client-server-api/#mroomencryption
  probe: (settings, tools) =>
    probeRequest(roomRequest(settings, { method: "GET", path: "state/m.room.encryption" }), tools, {
      well({ status, body }) {
        const { algorithm, errcode } = objectIn(body);
        if (status === 200 && typeof algorithm === "string")
          return { status: "broken", detail: encryptedRoom, fix: "set the id of a room without encryption" };
        // Only members are told that there is no such state.
        return status === 404 && errcode === "M_NOT_FOUND"
          ? "the account can see the room, which is not encrypted"
          : undefined;
      },
      failure: (answer) =>
        readMatrixError(answer) ??
        (answer.status === 200 ? unexpectedAnswer(answer, "a Matrix homeserver") : undefined),
      fix: "check homeserver, room and token",
    }),
});

/** The answer to an edit says nothing about the earlier event. */
export const matrix = offeringReactions(replacingEarlier(forgettingDeleted(sending), () => undefined));

const lookTimeoutMs = 10_000;

/** Programs ignore an edit by another account. */
export function placeOf({ room, token }: { room: string; token: Secret }): { room: string; account: string } {
  return { room, account: sha256(token.reveal()).slice(0, 16) };
}

function earlierEvent(request: SendRequest<MatrixSettings>): string | undefined {
  const { settings, remembered } = request;
  const { room, account } = placeOf(settings);
  const isHere = remembered?.room === room && remembered.account === account;
  return takesPlace(request) && isHere ? remembered.event : undefined;
}

/** Programs do not show an edit of a deleted message. */
function forgettingDeleted(channel: HttpChannel): HttpChannel {
  return exchangingBy(channel, async (request, tools) => {
    const event = earlierEvent(request as SendRequest<MatrixSettings>);
    const isGone = event !== undefined && (await isDeleted(request.settings as MatrixRoom, event, tools));
    return channel.exchange(isGone ? { ...request, remembered: undefined } : request, tools);
  });
}

/** https://spec.matrix.org/latest/client-server-api/#get_matrixclientv3roomsroomideventeventid; in doubt, it is not. */
async function isDeleted(settings: MatrixRoom, event: string, tools: ChannelTools): Promise<boolean> {
  const path = `event/${encodeURIComponent(event)}`;
  const request = roomRequest(settings, { method: "GET", path });
  const answer = await tools.http(request, { timeoutMs: lookTimeoutMs, signal: tools.signal });
  if ("failure" in answer) return false;
  const { errcode, unsigned } = objectIn(answer.body);
  if (answer.status === 404) return errcode === "M_NOT_FOUND";
  return answer.status === 200 && objectOf(unsigned).redacted_because !== undefined;
}
