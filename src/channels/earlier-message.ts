import * as z from "zod";
import { delivered } from "../model/outcome.ts";
import type { HttpFailure, HttpResponse } from "../system/http.ts";
import type { ChannelType } from "./define-channel.ts";

/** Whether a channel writes over its session's earlier message. */
export function updateSetting(): z.ZodType<"new" | "replace" | undefined> {
  return z
    .enum(["new", "replace"])
    .optional()
    .describe(
      "new (unless said otherwise): every message stands by itself; replace: one message a session, edited silently",
    );
}

/**
 * A channel type that edits its session's earlier message, and sends a new one when that is gone. `look` says of the
 * vendor's answer to the edit whether the earlier message cannot be edited any more, or says the same already.
 */
export function replacingEarlier(
  channel: ChannelType,
  look: (answer: HttpResponse) => "gone" | "unchanged" | undefined,
): ChannelType {
  return {
    ...channel,
    async send(request, tools) {
      if (request.remembered === undefined) return channel.send(request, tools);
      let answer: HttpResponse | HttpFailure | undefined;
      const outcome = await channel.send(request, {
        ...tools,
        http: async (made, options) => (answer = await tools.http(made, options)),
      });
      if (outcome.status === "delivered" || answer === undefined || "failure" in answer) return outcome;
      const seen = look(answer);
      if (seen === "unchanged") return delivered({ detail: "it says so already", remember: { ...request.remembered } });
      return seen === "gone" ? channel.send({ ...request, remembered: undefined }, tools) : outcome;
    },
  };
}
