// Which events notify a new channel: existing rules that it joins, and new ones.
import { cut } from "../../../model/text.ts";
import { suggest } from "../../../rules/nearest.ts";
import type { Rules } from "../../../rules/rules.ts";
import type { AskMore } from "../../../console/ask.ts";
import { eventWords, whenWords } from "../../help/set-up.ts";

export interface NotifyChoice {
  /** Indexes of existing rules. */
  joined: number[];
  kinds: EventKind[];
  /** The new rules' `away`: how long the user must be away before the channel rings. Undefined: it always rings. */
  away?: string | undefined;
}

export type EventKind = Exclude<(typeof eventWords)[number], "none">;

const eventKinds: Record<EventKind, { label: string; meaning: string; when?: object; defaults?: false }> = {
  attention: {
    label: "needs me",
    meaning: "an agent waits for you, or something failed",
    when: { level: ["attention", "error"] },
  },
  finished: { label: "done", meaning: "an agent finished its turn", when: { event: "Stop" } },
  // The usual "defaults" leave out short turns, and whatever happens while the user looks at the terminal.
  every: {
    label: "everything",
    meaning: "every event except single tool calls: also short turns, your own prompts and the agent's subagents",
    defaults: false,
  },
};
const kindNames = Object.keys(eventKinds) as EventKind[];
const maxNameLength = 50;

/** Reads `--events` and `--rule`; undefined if neither is given. */
export function choiceFromFlags(
  events: readonly string[] = [],
  ruleNames: readonly string[] = [],
  { rules }: Rules,
): { choice: NotifyChoice | undefined; problems: string[] } {
  const words = events.flatMap((each) => each.split(",")).map((word) => word.trim());
  const names = rules.map(({ name }) => name);
  const problems = [
    ...words
      .filter((word) => !eventWords.some((known) => known === word))
      .map((word) => `--events ${JSON.stringify(word)}: ${suggest(word, eventWords, "it takes")}`),
    ...ruleNames
      .filter((name) => !names.includes(name))
      .map((name) => `there is no rule ${JSON.stringify(name)}; ${suggest(name, names, "rules")}`),
  ];
  if (words.length === 0 && ruleNames.length === 0) return { choice: undefined, problems };
  const joined = ruleNames.map((name) => names.indexOf(name)).filter((place) => place !== -1);
  const kinds = kindNames.filter((kind) => words.includes(kind));
  return { choice: { joined: [...new Set(joined)], kinds }, problems };
}

/** The usual choices first; "custom" also offers existing rules. */
export async function askEvents(ask: AskMore, channel: string, { rules }: Rules): Promise<NotifyChoice | undefined> {
  const picked = await ask.pick(`Which events should notify "${channel}"?`, [
    { value: "attention", label: "An agent needs me, or something failed" },
    { value: "attention,finished", label: "Also when an agent is done" },
    { value: "every", label: "Everything" },
    { value: "custom", label: "Custom: choose from your rules" },
  ]);
  if (picked === undefined) return undefined;
  if (picked !== "custom") return { joined: [], kinds: kindNames.filter((kind) => picked.split(",").includes(kind)) };
  const own = rules.flatMap(({ name, notify }, place) =>
    notify.length === 0
      ? []
      : [{ value: String(place), label: `like rule "${name}"`, hint: `with ${notify.join(", ")}` }],
  );
  const others = kindNames.map((kind) => ({
    value: kind,
    label: `when ${eventKinds[kind].meaning}`,
    hint: "a new rule",
  }));
  const chosen = await ask.chooseAny(
    `When should "${channel}" be notified?`,
    [...own, ...others],
    own.map(({ value }) => value),
  );
  return (
    chosen && {
      joined: own
        .map(({ value }) => value)
        .filter((place) => chosen.includes(place))
        .map(Number),
      kinds: kindNames.filter((kind) => chosen.includes(kind)),
    }
  );
}

/** The examples of docs/reference/ATTENTION.md use the same time. */
const usuallyAway = "60s";

/** The value of `--when` as a rule's `away`. */
export function awayOf(when: (typeof whenWords)[number]): string | undefined {
  return when === "away" ? usuallyAway : undefined;
}

/** The first choice is "away" only where hookbell can tell whether the user is at the computer. */
export async function askWhen(
  ask: AskMore,
  channel: string,
  canTellPresence: boolean,
): Promise<(typeof whenWords)[number] | undefined> {
  const away = { value: "away", label: "Only when I am away from this computer" };
  const always = { value: "always", label: "Always" };
  const options = canTellPresence
    ? [away, always]
    : [always, { ...away, hint: "hookbell cannot tell here whether you are away, so it would always ring" }];
  const picked = await ask.pick(`When should "${channel}" ring?`, options);
  return whenWords.find((word) => word === picked);
}

/** The new rules of a choice. */
export function rulesFor(channel: string, { kinds, away }: NotifyChoice, { rules }: Rules): Record<string, unknown>[] {
  return kinds.map((kind) => {
    const name = ruleName(channel, kind);
    const { when, defaults } = eventKinds[kind];
    const isTaken = rules.some((rule) => rule.name === name);
    return {
      ...(isTaken ? {} : { name }),
      ...(when === undefined ? {} : { when }),
      notify: [channel],
      ...(defaults === undefined ? {} : { defaults }),
      ...(away === undefined ? {} : { away }),
    };
  });
}

function ruleName(channel: string, kind: EventKind): string {
  return `${cut(channel, maxNameLength)}: ${eventKinds[kind].label}`;
}

/** Names of the rules that `add` creates for a channel. */
export function ruleNamesFor(channel: string): string[] {
  return kindNames.map((kind) => ruleName(channel, kind));
}
