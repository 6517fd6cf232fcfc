import type { AgentTarget } from "../../install/target/agent-target.ts";
import type { Rule } from "../../rules/rules.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";

/** A question that nobody hears: some agents ask by a Notification, others by a PermissionRequest. */
export interface UnheardQuestion {
  agent: string;
  event: string;
  /** Rules that wait for the other of the two. */
  rules: string[];
  /** What is wrong. */
  text: string;
  mend: string;
}

const questions = ["Notification", "PermissionRequest"] as const;

/** What these agents ask and no rule hears, though a rule waits for questions under the other name. */
export function findUnheardQuestions(
  rules: readonly Rule[],
  targets: readonly Pick<AgentTarget, "id" | "name" | "wiring" | "isOlder">[],
): UnheardQuestion[] {
  return targets.flatMap(({ id, name, wiring, isOlder }) => {
    // A release without hooks cannot ask.
    const sent = isOlder ? [] : Object.values(wiring.events).flatMap(({ means }) => means);
    return questions.flatMap((event): UnheardQuestion[] => {
      if (!sent.includes(event) || isEventAwaited(rules, id, event) || isSilenced(rules, id, event)) return [];
      const meant = rules.filter((rule) => questions.some((other) => isEventAwaited([rule], id, other)));
      if (meant.length === 0) return [];
      const names = meant.map((rule) => JSON.stringify(rule.name));
      return [
        {
          agent: id,
          event,
          rules: meant.map((rule) => rule.name),
          text: `${name} asks its questions by ${event}, which no rule hears`,
          mend: `in the rule ${names.join(", ")} write "event": ${JSON.stringify(questions).replace(",", ", ")}, then run hookbell init --agent ${id}`,
        },
      ];
    });
  });
}

/** A rule that names the event and notifies nobody is meant so. */
function isSilenced(rules: readonly Rule[], id: string, event: string): boolean {
  return rules.some(
    ({ when, ...rule }) =>
      rule.notify.length === 0 &&
      when.some(({ field }) => field === "event") &&
      when.every(({ field }) => field === "event" || field === "agent") &&
      isEventAwaited([{ ...rule, when, notify: [""] }], id, event),
  );
}
