// How goose's payloads are read: https://block.github.io/goose/docs/guides/context-engineering/hooks
import type { Agent } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { textOf } from "../../../model/json.ts";

export const goose: Agent = {
  id: "goose",
  name: "goose",
  docs: "https://block.github.io/goose/docs/guides/context-engineering/hooks",
  isAuthor: (payload) =>
    textOf(payload.event) !== undefined &&
    textOf(payload.session_id) !== undefined &&
    textOf(payload.working_dir) !== undefined,
  variables: { ofHooks: [], ofCommands: ["GOOSE_TERMINAL"] },
  nativeName: (payload, given) => payload.event ?? payload.hook_event_name ?? given,
  withCommonNames: (payload) => ({ ...payload, cwd: payload.cwd ?? payload.working_dir }),
  types: { ...commonTypes, working_dir: "string" },
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    // `message` is the user's prompt in this event.
    return eventName === "UserPromptSubmit" ? { ...facts, message: undefined } : facts;
  },
};
