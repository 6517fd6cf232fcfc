import * as z from "zod";
import type { SecretSource } from "../model/privacy/secret.ts";
import { urlProblem } from "../system/network/destination.ts";
import { secretSetting } from "./settings.ts";

/**
 * A webhook's URL, which is a secret. One that stands in the rules file is checked when they are loaded, one that comes
 * from elsewhere when it is used; `explain` may add what the vendor's URLs look like.
 */
export function urlSetting(
  description: string,
  explain: (url: string) => string | undefined = () => undefined,
): z.ZodType<SecretSource> {
  return secretSetting(description).superRefine((source, context) => {
    if (source.from !== "literal") return;
    const url = source.value.reveal();
    const problem = urlProblem(url) ?? explain(url);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `the URL ${problem}` });
  });
}

/** Lets `http://` leave this machine, for receivers in the person's own network. */
export function allowHttpSetting(): z.ZodType<boolean | undefined> {
  return z
    .boolean()
    .optional()
    .describe("Allow http:// to other machines: everybody on the way can read and change the message");
}
