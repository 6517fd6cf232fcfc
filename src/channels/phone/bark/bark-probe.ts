import type { HttpResponse } from "../../../system/network/http.ts";
import { failed, type Failed } from "../../../model/outcome.ts";
import type { ChannelTools, ProbeResult } from "../../channel-type.ts";
import { notTheVendor } from "../../own-answer.ts";
import { probeRequest } from "../../probe-request.ts";
import { readJsonObject } from "../../vendor-answer.ts";

/** Whether the server knows the device; https://github.com/Finb/bark-server/blob/master/route_register.go */
export function probeBark(
  { url, allowHttp, newKey }: { url: string; allowHttp: boolean | undefined; newKey: string },
  tools: Pick<ChannelTools, "http" | "signal">,
): Promise<ProbeResult> {
  return probeRequest({ method: "GET", url, isPlainHttpAllowed: allowHttp }, tools, {
    well(answer) {
      if (isOlderServer(answer)) return "the server answers; it is too old to say whether it knows the device";
      return answer.status === 200 && readJsonObject(answer.body).code === 200
        ? "the server knows the device"
        : undefined;
    },
    failure: (answer): Failed =>
      answer.status === 400
        ? failed("gone", `the server does not know this device; ${newKey}`)
        : notTheVendor(answer, "Bark"),
    mend: 'check "key" and "server"',
  });
}

/** One that has no such question takes it for a message to a device called `register`. */
function isOlderServer({ status, body }: HttpResponse): boolean {
  const { message } = readJsonObject(body);
  return status === 400 && typeof message === "string" && message.includes("[register]");
}
