import { delivered, failed, type Failed, type Outcome } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import { quote } from "./http-channel.ts";

/** A 2xx of a vendor whose whole answer is `ok`, as with Slack's incoming webhooks and those made after them. */
export function readPlainOk(response: HttpResponse, vendor: string): Outcome {
  return response.body.trim() === "ok" ? delivered() : notTheVendor(response, vendor);
}

/** A 2xx without what the vendor says in one: half an answer, or somebody else's (the sign-in page of a hotel's network). */
export function notTheVendor(response: HttpResponse, vendor: string): Failed {
  if (response.bodyEnd === "broken") return failed("unknown", `the line broke in the middle of ${vendor}'s answer`);
  const mend = "check the URL, and what stands between here and there";
  return failed(
    "rejected",
    withQuote(`answered ${response.status}, but not as ${vendor} does; ${mend}`, quote(response.body)),
  );
}

/** The vendor's own words stand last, since what is too long is cut there, and cut here they could end in half a secret. */
export function withQuote(detail: string, said: string): string {
  return said === "" ? detail : `${detail} (it said "${said}")`;
}
