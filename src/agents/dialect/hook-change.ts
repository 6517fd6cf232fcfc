// What hookbell's own event says of programs that agents will run. No agent sends it.
import { type Members, objectOf, objectsOf, textOf } from "../../model/json.ts";
import type { PayloadFacts, Payload } from "./agent.ts";

const maxHooks = 5;
const maxWords = 300;
/** Channels that may quote nothing get these. */
const singleWord = /^[\w.-]{1,60}$/;

export function hookChangeFacts(payload: Payload): Partial<PayloadFacts> {
  const { summary, none } = objectOf(payload.own_words);
  const areWords = [summary, none].every((words) => textOf(words) !== undefined && String(words).length <= maxWords);
  const hooks = objectsOf(payload.hooks).slice(0, maxHooks).map(hookFrom);
  return {
    ...(areWords ? { ownWords: { summary: String(summary), none: String(none) } } : {}),
    ...(hooks.length === 0 ? {} : { hooks }),
    ...(typeof payload.hook_count === "number" ? { hookCount: payload.hook_count } : {}),
    ...(textOf(payload.project) === undefined ? {} : { project: textOf(payload.project) }),
  };
}

function hookFrom({
  id,
  agent,
  kind,
  scope,
  event,
  command,
  before,
  file,
  line,
}: Members): NonNullable<PayloadFacts["hooks"]>[number] {
  const word = (value: unknown): string => (typeof value === "string" && singleWord.test(value) ? value : "");
  return {
    id: word(id),
    agent: word(agent),
    kind: word(kind),
    scope: word(scope),
    event: textOf(event),
    command: textOf(command),
    ...(textOf(before) === undefined ? {} : { before: textOf(before) }),
    file: textOf(file),
    ...(typeof line === "number" ? { line } : {}),
  };
}
