import type { ChannelTools, ProbeResult } from "../../channel-type.ts";
import { encryptedMend, encryptionRequest, isEncrypted } from "./matrix-encryption.ts";
import { readMatrixError } from "./errors.ts";
import type { MatrixRoom } from "./room.ts";
import { notTheVendor } from "../../own-answer.ts";
import { readJsonObject } from "../../vendor-answer.ts";

const probeTimeoutMs = 10_000;

/** Whether the account is in the room and can be read there: what is sent into an encrypted room goes out in the clear. */
export async function probeMatrix(
  settings: MatrixRoom,
  tools: Pick<ChannelTools, "http" | "signal">,
): Promise<ProbeResult> {
  const answer = await tools.http(encryptionRequest(settings), { timeoutMs: probeTimeoutMs, signal: tools.signal });
  if ("failure" in answer) {
    return { status: "broken", detail: answer.detail, mend: "check the homeserver's address and the network" };
  }
  if (isEncrypted(answer)) {
    const detail = "the room is encrypted, and hookbell writes into none that is";
    return { status: "broken", detail, mend: encryptedMend };
  }
  const { errcode } = readJsonObject(answer.body);
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
