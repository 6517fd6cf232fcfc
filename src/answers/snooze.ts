// The button that silences a question's project for an hour. It answers nothing: the question goes on waiting.
import type { SnoozeButton } from "../model/answer.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { printableLine } from "../model/text.ts";
import { addMute, readMutes } from "../outbox/attention.ts";
import type { Layout } from "../outbox/layout.ts";
import { type Mute, muteOf } from "../policies/mute.ts";
import { isSameDigest, randomNonce, sha256 } from "../system/crypto.ts";
import { endsAt, listQuestions, readAnswer, writeQuestion, type Question } from "./questions.ts";

const snoozeMs = 60 * 60_000;
/** "1h" alone could be read as "allow for an hour". */
const label = "Mute 1h";

type Snooze = NonNullable<Question["snoozes"]>[number];

/** A button for one channel, with what the question's file keeps of it. */
export function newSnooze(
  { expiresAt }: Pick<Question, "expiresAt">,
  { channel, project }: Pick<Snooze, "channel" | "project">,
): { button: SnoozeButton; stored: Snooze } {
  const nonce = randomNonce();
  return { button: { label, nonce }, stored: { hash: sha256(nonce), channel, project, expiresAt } };
}

export interface FoundSnooze {
  question: Question;
  snooze: Snooze;
}

/** The button with this nonce, of a channel for which `isMeant` is true. */
export function findSnooze(
  layout: Pick<Layout, "root">,
  nonce: string,
  isMeant: (channel: string, question: Question) => boolean,
): FoundSnooze | undefined {
  const hash = sha256(nonce);
  for (const question of listQuestions(layout)) {
    const snooze = question.snoozes?.find((each) => isSameDigest(each.hash, hash) && isMeant(each.channel, question));
    if (snooze !== undefined) return { question, snooze };
  }
  return undefined;
}

/** Mutes the project, once for each button. Returns whether it did, and what to tell the person. */
export function snooze(
  layout: Layout,
  { question, snooze: pressed }: FoundSnooze,
  by: string,
  nowMs: number,
): { isMuted: boolean; text: string } {
  const { channel, expiresAt } = pressed;
  const project = printableLine(pressed.project);
  const not = (why: string): { isMuted: false; text: string } => ({ isMuted: false, text: `Not muted: ${why}.` });
  if (nowMs >= expiresAt) return not("this button no longer counts");
  const before = muteOfProject(layout, question, pressed, nowMs);
  if (pressed.isUsed === true && before === undefined) return not("this button has been used");
  // The button is used up before anything acts on it, as an answer is on the disk before its hook obeys.
  const snoozes = question.snoozes?.map((each) => (each.hash === pressed.hash ? { ...each, isUsed: true } : each));
  writeQuestion(layout, { ...question, snoozes });
  const until = nowMs + snoozeMs;
  // A second press makes it no longer.
  const isLonger = before !== undefined && (pressed.isUsed === true || (before.until ?? Infinity) >= until);
  if (!isLonger) {
    addMute(layout, { scope: "project", name: pressed.project, until, by: `${by} in ${channel}` }, nowMs);
  }
  const end = isLonger ? before.until : until;
  const silent = `${project} is ${isLonger ? "already " : ""}silent${end === undefined ? "" : ` until ${formatTime(end, nowMs, undefined)}`}`;
  const isOpen = readAnswer(layout, question.id) === undefined && nowMs < endsAt(question);
  const still = isOpen ? "This question still waits for an answer" : "This question is over";
  const name = /^[\w./-]+$/.test(project) ? project : JSON.stringify(project);
  const scope = isLonger && before.scope === "all" ? "" : ` --project ${name}`;
  return { isMuted: true, text: `${silent}. ${still}. To end the silence: hookbell unmute${scope}` };
}

/** What mutes the whole project, not only this session or this agent. */
function muteOfProject(
  layout: Layout,
  { cwd }: Pick<Question, "cwd">,
  { project }: Snooze,
  nowMs: number,
): Mute | undefined {
  const mutes = readMutes(layout, nowMs).filter(({ scope }) => scope === "all" || scope === "project");
  return muteOf(mutes, { project, session: "", agent: "", cwd }, undefined, nowMs);
}
