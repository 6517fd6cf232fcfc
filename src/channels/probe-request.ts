import type { Failed } from "../model/outcome.ts";
import type { HttpRequest, HttpResponse } from "../system/network/http.ts";
import type { ChannelTools, ProbeResult } from "./channel-type.ts";

const probeTimeoutMs = 10_000;

/** What a vendor says to a question (or why it cannot be asked) that sends no message: `well` is the detail when all is well, else undefined. */
export async function probeRequest(
  request: HttpRequest | Failed,
  tools: Pick<ChannelTools, "http" | "signal">,
  read: {
    well: (answer: HttpResponse) => string | undefined;
    failure: (answer: HttpResponse) => Failed | undefined;
    /** The settings to look at. */
    mend: string;
  },
): Promise<ProbeResult> {
  if ("status" in request) return { status: "broken", detail: request.detail, mend: read.mend };
  const answer = await tools.http(request, { timeoutMs: probeTimeoutMs, signal: tools.signal });
  if ("failure" in answer) return { status: "broken", detail: answer.detail, mend: `${read.mend}, and the network` };
  const detail = read.well(answer);
  if (detail !== undefined) return { status: "ok", detail };
  return { status: "broken", detail: read.failure(answer)?.detail ?? `answered ${answer.status}`, mend: read.mend };
}
