// Whether the hook waits for an answer to its question. Pure.

import type { Asked, Payload } from "../agents/dialect/agent.ts";
import { isOfHelper } from "../agents/dialect/values.ts";
import type { ObservedPresence } from "../system/presence/probe.ts";

export interface AnswerSettings {
  /** What an answer may allow: `Edit`, `Bash(npm test *)`. */
  allow: readonly string[];
  /** When the hook waits. */
  hold: "away" | "always" | "never";
  holdForMs: number;
  /** So many prompts in a row. */
  nextPrompt?: number | undefined;
}

/** The user is away without any input for so long. */
const awayAfterMs = 60_000;

/** Why the hook does not wait; undefined when it does. `observe` is asked last, since it takes time. */
export async function whyNotToWait(
  given: {
    asked: Pick<Asked, "kind" | "showsDialog"> | undefined;
    payload: Payload;
    /** The agent's own reviewer decides first. */
    isReviewed?: boolean;
    /** No channel could show all that is asked. */
    isShortened?: true | undefined;
    settings: AnswerSettings | undefined;
    hasChannel: boolean;
    /** Ends of turns since the person's last prompt at the terminal. */
    stops: number;
  },
  observe: () => Promise<ObservedPresence>,
): Promise<string | undefined> {
  const { asked, payload, isShortened, settings, hasChannel, stops } = given;
  if (asked === undefined) return "this agent takes no answer here";
  if (settings === undefined || settings.hold === "never") return '"answers" is not switched on';
  if (asked.kind === "prompt" && stops >= (settings.nextPrompt ?? 0)) {
    return settings.nextPrompt === undefined
      ? '"answers.nextPrompt" is not set'
      : "the limit of prompts in a row is reached";
  }
  if (isShortened === true) return "the payload is too long to be shown whole";
  if (given.isReviewed === true) return "the agent's own reviewer decides first";
  if (!hasChannel) return 'no channel has "answers": true';
  if (payload.permission_mode === "bypassPermissions") return "the agent needs no permission in this mode";
  // It would be silent in its terminal until the hook ends.
  if (isOfHelper(payload)) return "a helper's question";
  if (settings.hold === "always" && asked.showsDialog) return undefined;
  const { idleMs, isLocked } = await observe();
  if (isLocked === true) return undefined;
  // Where the terminal shows the question as well, waiting does no harm.
  if (idleMs === undefined) return asked.showsDialog ? undefined : "hookbell cannot tell whether you are away";
  return idleMs >= awayAfterMs ? undefined : "you are at the computer";
}
