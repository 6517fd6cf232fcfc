import type { Failed } from "../../../model/outcome.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import type { ChannelTools, ProbeResult } from "../../channel-type.ts";
import { notTheVendor } from "../../own-answer.ts";
import { probeRequest } from "../../probe-request.ts";
import { readJsonObject } from "../../vendor-answer.ts";

/** A question that publishes nothing: whose token it is, else whether the server is well. */
export function probeNtfy(
  {
    url,
    token,
    allowHttp,
  }: { url: (path: string) => string; token?: Secret | undefined; allowHttp?: boolean | undefined },
  tools: Pick<ChannelTools, "http" | "signal">,
  readFailure: (response: HttpResponse) => Failed | undefined,
): Promise<ProbeResult> {
  // The server has no question about writing to a topic, only about reading it, which a token need not allow.
  const untold = "whether the topic may be written to, only `hookbell test` shows";
  const failure = (answer: HttpResponse): Failed => readFailure(answer) ?? notTheVendor(answer, "ntfy");
  const request = { method: "GET", isPlainHttpAllowed: allowHttp } as const;
  if (token === undefined) {
    // https://docs.ntfy.sh/config/#health-checks
    return probeRequest({ ...request, url: url("/v1/health") }, tools, {
      well: ({ body }) => (readJsonObject(body).healthy === true ? `the server is well; ${untold}` : undefined),
      failure,
      mend: 'check "server"',
    });
  }
  const headers = { authorization: `Bearer ${token.reveal()}` };
  return probeRequest({ ...request, url: url("/v1/account"), headers }, tools, {
    well: ({ status, body }) =>
      status === 200 && typeof readJsonObject(body).username === "string"
        ? `the server takes the token; ${untold}`
        : undefined,
    failure,
    mend: 'check "server" and "token"',
  });
}
