import type { ChannelTools, ProbeResult } from "./define-channel.ts";
import { readMatrixError } from "./matrix-errors.ts";
import { roomRequest, type MatrixRoom } from "./matrix-room.ts";
import { notTheVendor } from "./own-answer.ts";
import { readJsonObject } from "./vendor-code.ts";

const probeTimeoutMs = 10_000;

/** Whether the account is in the room and can be read there: what is sent into an encrypted room goes out in the clear. */
export async function probeMatrix(
  settings: MatrixRoom,
  tools: Pick<ChannelTools, "http" | "signal">,
): Promise<ProbeResult> {
  const answer = await tools.http(roomRequest(settings, { method: "GET", path: "state/m.room.encryption" }), {
    timeoutMs: probeTimeoutMs,
    signal: tools.signal,
  });
  if ("failure" in answer) {
    return { status: "broken", detail: answer.detail, mend: "check the homeserver's address and the network" };
  }
  const { algorithm, errcode } = readJsonObject(answer.body);
  if (answer.status === 200 && typeof algorithm === "string") {
    return {
      status: "broken",
      detail: "the room is encrypted, and hookbell would write into it without",
      mend: "set the id of a room without encryption",
    };
  }
  // Members are told that there is no such state; everybody else is told off.
  if (answer.status === 404 && errcode === "M_NOT_FOUND") {
    return { status: "ok", detail: "the account can see the room, which is not encrypted" };
  }
  const { detail } =
    readMatrixError(answer) ??
    (answer.status === 200
      ? notTheVendor(answer, "a Matrix homeserver")
      : { detail: `the homeserver answered ${answer.status}` });
  return { status: "broken", detail, mend: "check homeserver, room and token" };
}
