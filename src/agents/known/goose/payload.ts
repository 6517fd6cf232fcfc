import type { Agent } from "../../dialect/agent.ts";
import { genericFacts, usualTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { textOf } from "../../dialect/values.ts";

/** Block's goose: https://block.github.io/goose/docs/guides/context-engineering/hooks */
export const goose: Agent = {
  id: "goose",
  name: "goose",
  docs: "https://block.github.io/goose/docs/guides/context-engineering/hooks",
  isAuthor: (payload) =>
    textOf(payload.event) !== undefined &&
    textOf(payload.session_id) !== undefined &&
    textOf(payload.working_dir) !== undefined,
  isCalling: () => false,
  acceptsCamelCase: false,
  nativeName: (payload, given) => payload.event ?? payload.hook_event_name ?? given,
  usual: (payload) => ({ ...payload, cwd: payload.cwd ?? payload.working_dir }),
  common: { hook_event_name: filledString, session_id: filledString },
  events: {},
  types: { ...usualTypes, working_dir: "string" },
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    // There it is the person's prompt.
    return eventName === "UserPromptSubmit" ? { ...facts, message: undefined } : facts;
  },
};
