import { delivered, type Outcome } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import { notTheVendor } from "./own-answer.ts";
import { readJsonObject } from "./vendor-answer.ts";

/** A 2xx counts only in the vendor's own words: the sign-in page of a hotel's network answers 200 as well. */
export function readJsonSuccess(
  response: HttpResponse,
  vendor: string,
  isTaken: (answer: Readonly<Record<string, unknown>>) => boolean,
): Outcome {
  return isTaken(readJsonObject(response.body))
    ? delivered({ detail: `answered ${response.status}` })
    : notTheVendor(response, vendor);
}
