// Questions that wait on one machine and are answered on another: the first answer counts, and the asking machine checks it.
import { join } from "node:path";
import * as z from "zod";
import { describeEnd, give } from "../../../answers/give-answer.ts";
import { readAnswer, readQuestion, writeQuestion, type Question } from "../../../answers/questions.ts";
import { type Answer, type AskedElsewhere, choices } from "../../../model/answer.ts";
import { messageOf } from "../../../model/errors.ts";
import { parseJson } from "../../../model/json.ts";
import { writeJournal } from "../../../outbox/journal.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere, tryToRemove } from "../../../system/files/files.ts";
import { readJson } from "../../../system/files/read.ts";
import { writeWholeSoon } from "../../../system/files/write.ts";
import { isConflict, type Nats, type NatsEntry } from "../../../system/network/nats.ts";
import type { ForeignEvent } from "../stream/consume.ts";
import { entryKey, buckets, type Member } from "../names.ts";
import { fleetFolder } from "../stream/unpublished.ts";

/** How hooks of other machines get answers here. */
export interface FleetAsking {
  /** Asks the person, if this machine's rules and allow list let it. */
  ask(question: AskedElsewhere, host: string): Promise<void>;
  /** Undefined for no decision. `leave`: another process will wait on. */
  answer(question: AskedElsewhere, leave: AbortSignal): Promise<Answer | undefined>;
  /** The asking machine no longer waits for an answer. */
  answeredThere(question: AskedElsewhere, host: string): void;
}

export interface QuestionTools {
  layout: Layout;
  nats: Pick<Nats, "put" | "isUp">;
  member: Member;
  asking: FleetAsking;
  now(): number;
  /** The machine that shows the question of an event of this one. */
  askedOn(eventId: string): string | undefined;
  /** Aborted when this process stops waiting. */
  signal: AbortSignal;
  onFailed(error: unknown): void;
}

const maxEnded = 1000;

const ownSchema = z.object({ eventId: z.string(), id: z.string(), digest: z.string(), isSaid: z.boolean() });
type Own = z.infer<typeof ownSchema>;

const foreignSchema = z.object({
  id: z.string(),
  eventId: z.string(),
  agentId: z.string().optional(),
  eventName: z.string().optional(),
  text: z.string(),
  host: z.string(),
  digest: z.string(),
});
type Foreign = z.infer<typeof foreignSchema>;

/** The digest is that of the tool, its input, session, folder and host; a nonce never leaves its machine. */
const saidSchema = z.object({
  digest: z.string(),
  ended: z.string().optional(),
  /** The question's agent still asks, in its terminal. */
  isUnanswered: z.boolean().optional(),
});
type Ending = Pick<Answer, "by" | "isUnanswered">;

const answerSchema = z.object({
  digest: z.string(),
  choice: z.enum(choices),
  message: z.string().optional(),
  by: z.string(),
  channel: z.string().optional(),
  host: z.string(),
});

export class FleetQuestions {
  private readonly tools: QuestionTools;
  private readonly folders: { own: string; foreign: string };
  /** The questions of this machine that are open, by event. */
  private readonly own: Map<string, Own>;
  /** The events of other machines whose questions wait here. */
  private readonly waiting = new Set<string>();
  /** Answers that the broker does not have yet. */
  private readonly unsent = new Map<string, { question: Foreign; answer: Answer }>();
  /** How questions of other machines ended; the end may come before the question has been asked here. */
  private readonly ended = new Map<string, Ending>();

  constructor(tools: QuestionTools) {
    this.tools = tools;
    const folder = fleetFolder(tools.layout);
    this.folders = { own: join(folder, "asked"), foreign: join(folder, "asking") };
    for (const each of Object.values(this.folders)) ensurePrivateDir(each);
    const kept = listNames(this.folders.own).flatMap((name) => readJson(join(this.folders.own, name), ownSchema) ?? []);
    this.own = new Map(kept.map((one) => [one.eventId, one]));
  }

  /** Says that a question is open here, and what an answer must be bound to. */
  open(eventId: string, { id, digest }: Pick<Question, "id" | "digest">): void {
    this.writeOwn({ eventId, id, digest, isSaid: false });
  }

  /** Asks what another machine asks. */
  async prepare({ eventId, host, position, body }: ForeignEvent): Promise<void> {
    const { question: digest, agentId, eventName, text } = body;
    if (digest === undefined || this.ended.has(eventId)) return;
    const question = { id: position, eventId, agentId, eventName, text };
    await this.tools.asking.ask(question, host);
    writeWholeSoon(this.pathOf("foreign", eventId), JSON.stringify({ ...question, host, digest }));
  }

  /** Waits for the answers to all that was prepared. */
  begin(): void {
    for (const name of listNames(this.folders.foreign)) {
      const path = join(this.folders.foreign, name);
      const question = readJson(path, foreignSchema);
      if (question === undefined) tryToRemove(path);
      else if (!this.waiting.has(question.eventId)) {
        this.waiting.add(question.eventId);
        void this.wait(question);
      }
    }
  }

  /** The id of the question here that the event of another machine asks, while it waits. */
  idOf(eventId: string): string | undefined {
    return this.readForeign(eventId)?.id;
  }

  noteAnswer({ key, value }: NatsEntry): void {
    const { layout, now } = this.tools;
    const asked = this.own.get(key.slice(key.lastIndexOf(".") + 1));
    const given = answerSchema.safeParse(parseJson(value)).data;
    const question = asked && readQuestion(layout, asked.id);
    if (question === undefined || given === undefined) return;
    const { digest, host, ...answer } = given;
    const by = `${answer.by} on ${host}`;
    const refuse = (why: string): void =>
      writeJournal(layout, now(), { kind: "answer", what: "refused", question: question.id, by, why });
    // The tool, input, session, folder and host must be those of the question that waits now.
    if (digest !== question.digest) return refuse("it answers another question");
    const { what, text } = give(layout, question, { ...answer, by, at: now() });
    if (what === "refused") refuse(text);
  }

  noteQuestion({ key, value }: NatsEntry): void {
    const [, host = "", eventId = ""] = key.split(".");
    const said = saidSchema.safeParse(parseJson(value)).data;
    if (host === this.tools.member.host || said?.ended === undefined) return;
    this.ended.set(eventId, { by: `${said.ended} on ${host}`, isUnanswered: said.isUnanswered });
    const [oldest = ""] = this.ended.keys();
    if (this.ended.size > maxEnded) this.ended.delete(oldest);
    const asked = this.waiting.has(eventId) ? this.readForeign(eventId) : undefined;
    if (asked !== undefined) this.endHere(asked);
  }

  /** Whether a question of this machine is open, or an answer is to be sent. */
  isBusy(): boolean {
    return this.own.size + this.unsent.size > 0;
  }

  /** Tells the other machines of what has begun and ended here. */
  async look(): Promise<void> {
    const { nats, onFailed } = this.tools;
    if (!nats.isUp()) return;
    try {
      await this.sendAnswers();
      for (const one of this.own.values()) await this.lookAt(one);
    } catch (error) {
      onFailed(messageOf(error));
    }
  }

  private async lookAt(one: Own): Promise<void> {
    const { layout } = this.tools;
    this.noteShown(one);
    const question = readQuestion(layout, one.id);
    const answer = readAnswer(layout, one.id);
    if (question === undefined || answer !== undefined) {
      const by = question === undefined ? "this question is over" : describeEnd(question, answer);
      await this.say(one, { by, isUnanswered: answer === undefined || answer.isUnanswered });
      this.own.delete(one.eventId);
      removeIfThere(this.pathOf("own", one.eventId));
    } else if (!one.isSaid) {
      await this.say(one);
      this.writeOwn({ ...one, isSaid: true });
    }
  }

  /** What no channel shows on any machine ends soon, so a question that another one shows is noted as shown. */
  private noteShown({ eventId, id }: Own): void {
    const { layout, askedOn } = this.tools;
    const question = readQuestion(layout, id);
    const host = question?.shown.length === 0 ? askedOn(eventId) : undefined;
    if (question === undefined || host === undefined) return;
    writeQuestion(layout, { ...question, shown: [{ channel: `fleet (${host})`, place: {} }] });
  }

  private async say({ eventId, digest }: Own, { by, ...ending }: Partial<Ending> = {}): Promise<void> {
    const { nats, member } = this.tools;
    const said = JSON.stringify({ digest, ended: by, ...ending });
    await nats.put(buckets.questions.name, entryKey(member, eventId), said);
  }

  private async wait(question: Foreign): Promise<void> {
    const { asking, nats, signal, onFailed } = this.tools;
    this.endHere(question);
    const answer = await asking.answer(question, signal).catch(() => undefined);
    if (signal.aborted) return;
    tryToRemove(this.pathOf("foreign", question.eventId));
    this.waiting.delete(question.eventId);
    if (answer === undefined) return;
    this.unsent.set(question.eventId, { question, answer });
    if (nats.isUp()) await this.sendAnswers().catch(onFailed);
  }

  private endHere(asked: Foreign): void {
    const { layout, asking, now } = this.tools;
    const ending = this.ended.get(asked.eventId);
    if (ending === undefined) return;
    const question = readQuestion(layout, asked.id);
    if (question !== undefined) give(layout, question, { choice: "none", ...ending, at: now() });
    if (ending.isUnanswered !== true) asking.answeredThere(asked, asked.host);
  }

  private async sendAnswers(): Promise<void> {
    const { nats, member } = this.tools;
    for (const [eventId, { question, answer }] of this.unsent) {
      const { choice, message, by, channel } = answer;
      const value = JSON.stringify({ digest: question.digest, choice, message, by, channel, host: member.host });
      try {
        await nats.put(buckets.answers.name, entryKey({ ...member, host: question.host }, eventId), value, 0);
      } catch (error) {
        // Another machine was the first to answer.
        if (!isConflict(error)) throw error;
      }
      this.unsent.delete(eventId);
    }
  }

  private writeOwn(one: Own): void {
    this.own.set(one.eventId, one);
    writeWholeSoon(this.pathOf("own", one.eventId), JSON.stringify(one));
  }

  private readForeign(eventId: string): Foreign | undefined {
    return readJson(this.pathOf("foreign", eventId), foreignSchema);
  }

  private pathOf(kind: "own" | "foreign", eventId: string): string {
    return join(this.folders[kind], `${eventId}.json`);
  }
}
