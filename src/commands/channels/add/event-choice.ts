import { cut } from "../../../model/text.ts";
import { suggest } from "../../../rules/nearest.ts";
import type { Rules } from "../../../rules/rules.ts";
import type { Option } from "../../console/ask.ts";

/** Which events shall notify a channel: rules that are there, by their place, and kinds of events. */
export interface NotifyChoice {
  joined: number[];
  kinds: EventKind[];
}

/** What `--events` takes, each as the rule that it becomes. */
const eventKinds = {
  attention: { label: "needs me", meaning: "when an agent waits for you, or something failed" },
  finished: { label: "done", meaning: "when an agent has finished its turn" },
  every: { label: "everything", meaning: "every event, your own prompts and helpers as well" },
} as const;
export type EventKind = keyof typeof eventKinds;

const kindNames = Object.keys(eventKinds) as EventKind[];
const nobody = "none";
const conditions: Record<EventKind, object> = {
  attention: { when: { level: ["attention", "error"] } },
  finished: { when: { event: "Stop" } },
  every: {},
};
const maxNameLength = 50;

/** `--events attention,finished` and `--rule NAME`; undefined when neither says anything. */
export function choiceFromFlags(
  events: readonly string[] = [],
  ruleNames: readonly string[] = [],
  { rules }: Rules,
): { choice: NotifyChoice | undefined; problems: string[] } {
  const words = events.flatMap((each) => each.split(",")).map((word) => word.trim());
  if (words.length === 0 && ruleNames.length === 0) return { choice: undefined, problems: [] };
  const problems: string[] = [];
  const kinds = words
    .filter((word) => word !== nobody)
    .flatMap((word) => {
      const kind = kindNames.find((name) => name === word);
      if (kind === undefined) {
        const hint = suggest(word, [...kindNames, nobody], "kinds of events");
        problems.push(`--events takes no ${JSON.stringify(word)}; ${hint}`);
      }
      return kind ?? [];
    });
  const joined = ruleNames.flatMap((ruleName) => {
    const place = rules.findIndex(({ name }) => name === ruleName);
    if (place !== -1) return place;
    const names = rules.map(({ name }) => name);
    problems.push(`there is no rule ${JSON.stringify(ruleName)}; ${suggest(ruleName, names, "rules")}`);
    return [];
  });
  return { choice: { joined: [...new Set(joined)], kinds: [...new Set(kinds)] }, problems };
}

/** What to choose from, and what is likely: that the channel hears of what others hear of. */
export function notifyOptions({ rules }: Rules): { options: Option[]; likely: string[] } {
  const own = rules.map(({ name, notify }, place) => ({
    value: String(place),
    label: `as the rule "${name}"`,
    hint: notify.length === 0 ? "which notifies nobody" : `with ${notify.join(", ")}`,
    isSilent: notify.length === 0,
  }));
  const kinds = kindNames.map((kind) => ({ value: kind, label: eventKinds[kind].meaning, hint: "a new rule" }));
  const audible = own.filter(({ isSilent }) => !isSilent);
  return {
    options: [...audible.map(({ isSilent: _, ...option }) => option), ...kinds],
    likely: audible.length === 0 ? ["attention"] : audible.map(({ value }) => value),
  };
}

export function choiceFromOptions(values: readonly string[]): NotifyChoice {
  const kinds = kindNames.filter((kind) => values.includes(kind));
  return { kinds, joined: values.filter((value) => /^\d+$/.test(value)).map(Number) };
}

/** The new rules that the kinds become. */
export function rulesFor(channel: string, kinds: readonly EventKind[], { rules }: Rules): Record<string, unknown>[] {
  return kinds.map((kind) => {
    const wanted = ruleName(channel, kind);
    const isTaken = rules.some(({ name }) => name === wanted);
    return { ...(isTaken ? {} : { name: wanted }), ...conditions[kind], notify: [channel] };
  });
}

function ruleName(channel: string, kind: EventKind): string {
  return `${cut(channel, maxNameLength)}: ${eventKinds[kind].label}`;
}

/** What the rules are called that were made for the channel. */
export function ruleNamesFor(channel: string): string[] {
  return kindNames.map((kind) => ruleName(channel, kind));
}
