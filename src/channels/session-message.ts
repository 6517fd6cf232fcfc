// One message for each session that later ones replace, where a vendor can edit or replace messages.
import * as z from "zod";
import { type AgentEvent, isQuestion } from "../model/event.ts";
import { isPassingNotice } from "../model/own-events.ts";
import { delivered, failed } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import type { SendRequest } from "./channel-type.ts";
import { type Exchanged, exchangingBy, type HttpChannel } from "./http-channel.ts";
import { sha256 } from "../system/crypto.ts";

const updates = ["new", "replace"] as const;
export type Update = (typeof updates)[number];

/** Some vendors show an edited message without a sound or a push. */
export const silentEdit = "such an edit sends no notification";

/** Whether a message replaces its session's earlier one; `note` is what the vendor needs for that. */
export function updateSetting(usual: Update = "new", note = ""): z.ZodType<Update | undefined> {
  const meanings = {
    new: "each message is separate",
    replace: `a session's message replaces its earlier one${note === "" ? "" : ` (${note})`}`,
  };
  const other = usual === "new" ? "replace" : "new";
  return z
    .enum(updates)
    .optional()
    .describe(`"${usual}" (default): ${meanings[usual]}; "${other}": ${meanings[other]}`);
}

type Told = Pick<SendRequest<unknown>, "event" | "isList" | "isEdit">;
type Updating = Told & { settings: { update?: Update | undefined } };

/** Whether the message takes the place of the one that is remembered: an edit and the list of sessions that wait always do. */
export function takesPlace(request: Updating): boolean {
  return (
    request.isEdit === true || request.isList === true || (request.settings.update === "replace" && hasSession(request))
  );
}

/** Whether a later message may take this one's place: a list may replace a question, and that all is well again a notice. */
export function mayBeReplaced(request: Updating): boolean {
  const { event } = request;
  return takesPlace(request) || isPassingNotice(event) || (hasSession(request) && isQuestion(event));
}

/**
 * Whether the message may replace an earlier one: of hookbell's own, only the list of sessions that wait does, and a notice of what
 * may be put right.
 */
export function hasSession({ event, isList }: Told): boolean {
  return isList === true || isPassingNotice(event) || (event.session !== "" && event.agent !== "hookbell");
}

/**
 * A channel type that edits its session's earlier message, and sends a new one when that is gone. `look` reads the answer
 * to an edit. `isEdit` tells whether the request edits: an edit can be repeated when it may have arrived.
 */
export function replacingEarlier(
  channel: HttpChannel,
  look: (answer: HttpResponse) => "gone" | "unchanged" | undefined,
  isEdit: (request: SendRequest<never>) => boolean = () => false,
): HttpChannel {
  const definition = {
    ...channel,
    editsEarlier: (settings: unknown) => (settings as { update?: Update }).update === "replace",
    editsSilently: true as const,
    showsList: channel.showsList ?? (() => "joined" as const),
  };
  return exchangingBy(definition, async (request, tools) => {
    const asNew = { ...request, remembered: undefined };
    if (!hasSession(request)) return forgetful(await channel.exchange(asNew, tools));
    const exchanged = await channel.exchange(request, tools);
    const { outcome, answer } = exchanged;
    if (request.remembered === undefined || outcome.status === "delivered") return exchanged;
    if (answer === undefined || "failure" in answer) {
      const isRepeatable = outcome.reason === "unknown" && isEdit(request as SendRequest<never>);
      if (!isRepeatable) return exchanged;
      return { ...exchanged, outcome: failed("network", `${outcome.detail}; an edit can be repeated`) };
    }
    const seen = look(answer);
    if (seen === "gone") return channel.exchange(asNew, tools);
    if (seen === undefined) return exchanged;
    const already = delivered({ detail: "the message says so already", remember: { ...request.remembered } });
    return { ...exchanged, outcome: already };
  });
}

/** The next message without a session must not edit this one. */
function forgetful(exchanged: Exchanged): Exchanged {
  const { outcome } = exchanged;
  if (outcome.status === "failed") return exchanged;
  const { remember: _, ...rest } = outcome;
  return { ...exchanged, outcome: rest };
}

/** For vendors that replace a message by the next one with the same id: the id to send, and to remember. */
export function messageId(request: Updating & Pick<SendRequest<unknown>, "deliveryId" | "remembered">): string {
  return (takesPlace(request) ? request.remembered?.id : undefined) ?? request.deliveryId;
}

/** The event's session as 32 hexadecimal digits; the event itself where it has no session. */
export function sessionKey({ agent, session, id }: Pick<AgentEvent, "agent" | "session" | "id">): string {
  const what = session === "" ? id : `${agent}\n${session}`;
  return sha256(what).slice(0, 32);
}
