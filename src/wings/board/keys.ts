// What each key does on the board. Pure: the next view, and what is to be done.
import type { BoardRow } from "../../overview/board.ts";
import type { Choice } from "../../model/answer.ts";
import type { KeyPress } from "../../system/terminal/full-screen.ts";

export interface Ui {
  /** The session that the person looks at, by its key. */
  selected: string | undefined;
  /** The session's place in the list, used when the session is gone. */
  index: number;
  mode:
    | { kind: "list" }
    | { kind: "keys" }
    | { kind: "whole"; from: number }
    | { kind: "reply"; event: string; text: string };
  /** The outcome of the last act. */
  says?: string | undefined;
}

export type Act =
  | { kind: "go" | "mute" | "page" | "quit" | "suspend" }
  /** `event` is the one of the question; a reply means what its words mean. */
  | { kind: "answer"; event: string; choice: Choice; message?: string };

export const firstUi: Ui = { selected: undefined, index: 0, mode: { kind: "list" } };

function keyOfRow({ record: { agent, session } }: BoardRow): string {
  return `${agent}\n${session}`;
}

/** The selected session. Before the person moves, and after its session is gone, the one at its place. */
export function selectedIn(rows: readonly BoardRow[], { selected, index }: Ui): BoardRow | undefined {
  return rows.find((row) => keyOfRow(row) === selected) ?? rows[Math.min(index, rows.length - 1)];
}

/** The keys that the last row names. */
export function keysFor(row: BoardRow | undefined, { mode }: Ui): { key: string; does: string }[] {
  const named = (key: string, does: string, isUseful = true): { key: string; does: string }[] =>
    isUseful ? [{ key, does }] : [];
  if (mode.kind === "keys") return named("any key", "back");
  const can = (choice: Choice): boolean => row !== undefined && canChoose(row, choice);
  return [
    ...named("enter", "go there", row !== undefined),
    ...named("a", "allow", can("allow")),
    ...named("d", row?.questions[0]?.open?.question.kind === "form" ? "decline" : "deny", can("deny")),
    ...named("r", "reply", can("deny") || can("reply")),
    ...named("m", row?.mute?.scope === "session" ? "unmute" : "mute 1h", row !== undefined),
    ...named("space", mode.kind === "whole" ? "back" : "all of it", row !== undefined),
    ...named("o", "page"),
    ...named("?", "keys"),
    ...named("q", "quit"),
  ];
}

export const keyTable: readonly (readonly [key: string, does: string])[] = [
  ["↑ ↓  j k", "choose a session; g and G: the first and the last; n: the next one that needs you"],
  ["enter  →  l", "go to its terminal"],
  [
    "a",
    "allow what it asks, once; only if all of the question is on the screen, and your rules let you allow it remotely",
  ],
  ["d", "deny it"],
  ["r", "reply in words (ctrl-j: a new line); where it asks for permission, deny it and say why"],
  ["1 to 9", "choose an option of its question"],
  ["m", "mute the session for an hour; m again ends the mute"],
  ["space", "show all about the session; ↑ and ↓ scroll; space again: back"],
  ["o", "open the page of hookbell serve"],
  ["esc", "back to the list"],
  ["ctrl-z  q", "stop for now; quit"],
];

/** Where to answer a question that no key answers. */
export function howToReach({ record: { terminal, host } }: BoardRow): string {
  if (host !== undefined) return `Answer it in its terminal on ${host}.`;
  return terminal === undefined
    ? "Answer it in its terminal, which hookbell does not know."
    : "Answer it in its terminal: Enter goes there.";
}

/** Whether its first question takes this answer from here. */
export function canChoose({ questions: [first] }: BoardRow, choice: Choice): boolean {
  return first?.open?.choices.includes(choice) === true;
}

/** `whole` is the event of the question that the person can see all of. */
export function pressed(
  key: KeyPress,
  ui: Ui,
  rows: readonly BoardRow[],
  whole: string | undefined,
): { ui: Ui; act?: Act } {
  const now: Ui = { ...ui, says: undefined };
  if (key.isCtrl && key.name === "c") return { ui: now, act: { kind: "quit" } };
  if (key.isCtrl && key.name === "z") return { ui: now, act: { kind: "suspend" } };
  if (ui.mode.kind === "reply") return whileReplying(key, now, ui.mode);
  // Text that is pasted by mistake must not answer.
  if (key.isPasted || key.isCtrl) return { ui };
  if (ui.mode.kind === "keys") return { ui: { ...now, mode: { kind: "list" } } };
  const row = selectedIn(rows, ui);
  const moved = move(key, now, rows, row);
  if (moved !== undefined) return { ui: moved };
  return { ui: now, ...act(key, now, row, whole) };
}

function move(key: KeyPress, ui: Ui, rows: readonly BoardRow[], row: BoardRow | undefined): Ui | undefined {
  // Node names g and G alike.
  const way = ways[key.text] ?? ways[key.name];
  if (ui.mode.kind === "whole") {
    if (key.name === "space" || key.name === "escape" || key.text === "h" || key.name === "left") {
      return { ...ui, mode: { kind: "list" } };
    }
    return way === undefined ? undefined : { ...ui, mode: { kind: "whole", from: Math.max(0, ui.mode.from + way) } };
  }
  if (key.name === "space") return row && { ...ui, selected: keyOfRow(row), mode: { kind: "whole", from: 0 } };
  const index = row === undefined ? 0 : rows.indexOf(row);
  const to = key.text === "n" ? nextAsking(rows, index) : way === undefined ? undefined : index + way;
  if (to === undefined) return undefined;
  const target = Math.max(0, Math.min(to, rows.length - 1));
  const chosen = rows[target];
  return { ...ui, index: target, selected: chosen && keyOfRow(chosen) };
}

const farAway = 1_000_000;
const ways: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  pageup: -10,
  pagedown: 10,
  home: -farAway,
  g: -farAway,
  end: farAway,
  G: farAway,
};

function nextAsking(rows: readonly BoardRow[], index: number): number | undefined {
  const asking = rows.flatMap(({ questions }, place) => (questions.length > 0 ? [place] : []));
  return asking.find((place) => place > index) ?? asking[0];
}

function act(key: KeyPress, ui: Ui, row: BoardRow | undefined, whole: string | undefined): { ui?: Ui; act?: Act } {
  if (key.text === "q") return { act: { kind: "quit" } };
  if (key.text === "?") return { ui: { ...ui, mode: { kind: "keys" } } };
  if (key.text === "o") return { act: { kind: "page" } };
  if (row === undefined) return {};
  const chosen = { ...ui, selected: keyOfRow(row) };
  const say = (says: string): { ui: Ui } => ({ ui: { ...chosen, says } });
  if (/^(?:return|enter|right)$/.test(key.name) || key.text === "l") return { ui: chosen, act: { kind: "go" } };
  if (key.text === "m") return { ui: chosen, act: { kind: "mute" } };
  const isAnswer = /^[adr1-9]$/.test(key.text);
  if (!isAnswer) return {};
  const [question] = row.questions;
  if (question === undefined) return say("This session asks nothing.");
  if (question.open === undefined) return say(question.ended ?? question.whyClosed ?? howToReach(row));
  if (key.text === "a") {
    if (!canChoose(row, "allow"))
      return say(`Not allowed from here: ${question.open.note ?? "it asks for no permission"}.`);
    if (whole !== question.event)
      return say(`Not allowed: read all of the question first (Space), in a larger window if it does not fit.`);
    return { ui: chosen, act: { kind: "answer", event: question.event, choice: "allow" } };
  }
  if (key.text === "d") {
    return canChoose(row, "deny")
      ? { ui: chosen, act: { kind: "answer", event: question.event, choice: "deny" } }
      : say("It asks for no permission; r replies.");
  }
  const isOption = key.text !== "r";
  if (isOption && !canChoose(row, "reply")) return say("It has no options.");
  return { ui: { ...chosen, mode: { kind: "reply", event: question.event, text: isOption ? key.text : "" } } };
}

/** Characters of a reply; give() takes no longer one. */
const maxReply = 4000;

function whileReplying(key: KeyPress, ui: Ui, mode: Ui["mode"] & { kind: "reply" }): { ui: Ui; act?: Act } {
  const { text, event } = mode;
  const typing = (now: string): { ui: Ui } => ({ ui: { ...ui, mode: { ...mode, text: now.slice(0, maxReply) } } });
  const over: Ui = { ...ui, mode: { kind: "list" } };
  // Ctrl-J; Enter is "return".
  const isNewLine = key.name === "enter" || (key.isPasted && key.name === "return");
  if (isNewLine) return typing(`${text}\n`);
  if (key.isPasted) return typing(text + key.text);
  if (key.name === "escape") return { ui: over };
  if (key.name === "return") {
    const message = text.trim();
    return message === "" ? { ui: over } : { ui: over, act: { kind: "answer", event, choice: "reply", message } };
  }
  if (key.isCtrl && key.name === "u") return typing("");
  if (key.isCtrl && key.name === "w") {
    const kept = text.trimEnd();
    return typing(kept.slice(0, kept.lastIndexOf(" ") + 1));
  }
  if (key.name === "backspace") return typing([...text].slice(0, -1).join(""));
  return key.isCtrl ? { ui } : typing(text + key.text);
}
