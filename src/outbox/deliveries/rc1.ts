// Deliveries as 1.0.0-rc.1 wrote them: they name no kind, and their rule, id, event and optional members told it.
import { objectOf } from "../../model/json.ts";
import type { DeliveryKind } from "../../model/delivery.ts";

/** The version that 1.0.0-rc.1 wrote into each delivery. */
export const rc1FormatVersion = 1;

/** The same delivery in today's form, as far as it is one: who reads it checks the rest. */
export function deliveryOfRc1(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { takesBack, ...rest } = value;
  const kind = kindOf(value);
  const { agent, session } = objectOf(value.event);
  const isOfList = kind === "edit" && agent === "hookbell" && session === "waiting";
  const own = { ...(isOfList && { isOfList }), ...(typeof takesBack === "string" && { why: takesBack }) };
  return { ...rest, version: 2, kind, ...own };
}

function kindOf({
  takesBack,
  summarises,
  question,
  rule,
  event: told,
}: Readonly<Record<string, unknown>>): DeliveryKind {
  const { id, name, session } = objectOf(told);
  if (takesBack !== undefined) return "retraction";
  if (summarises !== undefined) return "summary";
  if (rule === "hookbell's own list") return "list";
  if (rule === "hookbell's own edit") return "edit";
  if (typeof id === "string" && id.startsWith("evt_notice")) return "notice";
  if (question !== undefined) return "question";
  if (name === "Stuck") return "stuck";
  if (session === "usage-limit" && name === "LimitReached") return "limitReached";
  return session === "usage-limit" && name === "LimitReset" ? "limitReset" : "event";
}
