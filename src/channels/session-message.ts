import { createHash } from "node:crypto";
import * as z from "zod";
import type { AgentEvent } from "../model/event.ts";
import { delivered, failed, type Outcome } from "../model/outcome.ts";
import type { HttpFailure, HttpResponse } from "../system/network/http.ts";
import type { ChannelDefinition, SendRequest } from "./channel-type.ts";

const updates = ["new", "replace"] as const;
export type Update = (typeof updates)[number];

/** For vendors that show an edited message without a sound or a push; whoever wants to be called each time needs new ones. */
export const silentEdit = "the edit rings nobody";

/** Whether a channel writes over its session's earlier message; `note` is what the vendor needs for it. */
export function updateSetting(usual: Update = "new", note = ""): z.ZodType<Update | undefined> {
  const meanings = {
    new: "every message stands by itself",
    replace: `one message a session, which the next one replaces${note === "" ? "" : ` (${note})`}`,
  };
  const other = usual === "new" ? "replace" : "new";
  return z
    .enum(updates)
    .optional()
    .describe(`${usual} (unless said otherwise): ${meanings[usual]}; ${other}: ${meanings[other]}`);
}

/**
 * Whether the event is one of a session, whose earlier message it may replace. What hookbell says itself (a summary of
 * many, a notice, `hookbell send`) and what has no session is about something else each time.
 */
export function hasSession({ agent, session }: Pick<AgentEvent, "agent" | "session">): boolean {
  return session !== "" && agent !== "hookbell";
}

/**
 * A channel type that edits its session's earlier message, and sends a new one when that is gone. `look` says of the
 * vendor's answer to the edit whether the earlier message cannot be edited any more, or says the same already; `isEdit`,
 * whether what is remembered makes the request an edit: that one can be repeated when nobody knows if it arrived.
 */
export function replacingEarlier(
  channel: ChannelDefinition,
  look: (answer: HttpResponse) => "gone" | "unchanged" | undefined,
  isEdit: (request: SendRequest<never>) => boolean = () => false,
): ChannelDefinition {
  return {
    ...channel,
    async send(request, tools) {
      if (!hasSession(request.event))
        return forgetful(await channel.send({ ...request, remembered: undefined }, tools));
      if (request.remembered === undefined) return channel.send(request, tools);
      let answer: HttpResponse | HttpFailure | undefined;
      const outcome = await channel.send(request, {
        ...tools,
        http: async (made, options) => (answer = await tools.http(made, options)),
      });
      if (outcome.status === "delivered") return outcome;
      if (answer === undefined || "failure" in answer) {
        const isRepeatable = outcome.reason === "unknown" && isEdit(request as SendRequest<never>);
        return isRepeatable ? failed("network", `${outcome.detail}; an edit can be repeated`) : outcome;
      }
      const seen = look(answer);
      if (seen === "unchanged") return delivered({ detail: "it says so already", remember: { ...request.remembered } });
      return seen === "gone" ? channel.send({ ...request, remembered: undefined }, tools) : outcome;
    },
  };
}

/** Nothing would come back for it, and the next message of its kind is not to find it. */
function forgetful(outcome: Outcome): Outcome {
  if (outcome.status === "failed" || outcome.remember === undefined) return outcome;
  const { remember: _, ...rest } = outcome;
  return rest;
}

/** 32 hexadecimal digits that stand for the event's session at a vendor; for the event alone where it has none. */
export function sessionKey({ agent, session, id }: Pick<AgentEvent, "agent" | "session" | "id">): string {
  const what = session === "" ? id : `${agent}\n${session}`;
  return createHash("sha256").update(what).digest("hex").slice(0, 32);
}
