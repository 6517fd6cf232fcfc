// Questions that wait on one machine and are answered on another: the first answer counts, and the asking machine checks it.
import { join } from "node:path";
import * as z from "zod/mini";
import { describeEnd, give } from "../../answers/give-answer.ts";
import { readAnswer, readQuestion, writeQuestion, type Question } from "../../answers/questions.ts";
import { type Answer, type AskedElsewhere, choices } from "../../model/answer.ts";
import { messageOf } from "../../model/errors.ts";
import { parseJson } from "../../model/json.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere, tryToRemove } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import { isConflict, type Nats, type NatsEntry } from "../../system/network/nats.ts";
import type { ForeignEvent } from "../consume.ts";
import { entryKey, buckets, type Member } from "../names.ts";
import { fleetFolder } from "../unpublished.ts";

/** How hooks of other machines get answers here. */
export interface FleetAsking {
  /** Asks the person, if this machine's rules and allow list let it. */
  ask(question: AskedElsewhere, host: string): Promise<void>;
  /** Undefined for no decision. `leave`: another process will wait on. */
  answer(question: AskedElsewhere, leave: AbortSignal): Promise<Answer | undefined>;
  /** The asking machine no longer waits for an answer. */
  answeredThere(question: AskedElsewhere, host: string): void;
}

export interface FleetQuestions {
  /** Says that a question is open here, and what an answer must be bound to. */
  open(eventId: string, question: Pick<Question, "id" | "digest">): void;
  /** Asks what another machine asks. */
  prepare(event: ForeignEvent): Promise<void>;
  /** Waits for the answers to all that was prepared. */
  begin(): void;
  /** The id of the question here that the event of another machine asks, while it waits. */
  idOf(eventId: string): string | undefined;
  noteAnswer(entry: NatsEntry): void;
  noteQuestion(entry: NatsEntry): void;
  /** Whether a question of this machine is open, or an answer is to be sent. */
  isBusy(): boolean;
  /** Tells the other machines of what has begun and ended here. */
  look(): Promise<void>;
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
  agentId: z.optional(z.string()),
  eventName: z.optional(z.string()),
  text: z.string(),
  host: z.string(),
  digest: z.string(),
});
type Foreign = z.infer<typeof foreignSchema>;

/** The digest is that of the tool, its input, session, folder and host; a nonce never leaves its machine. */
const saidSchema = z.object({
  digest: z.string(),
  ended: z.optional(z.string()),
  /** The question's agent still asks, in its terminal. */
  isUnanswered: z.optional(z.boolean()),
});
type Ending = Pick<Answer, "by" | "isUnanswered">;

const answerSchema = z.object({
  digest: z.string(),
  choice: z.enum(choices),
  message: z.optional(z.string()),
  by: z.string(),
  channel: z.optional(z.string()),
  host: z.string(),
});

export function createQuestions(tools: QuestionTools): FleetQuestions {
  const { layout, nats, member, asking, now, signal } = tools;
  const folders = { own: join(fleetFolder(layout), "asked"), foreign: join(fleetFolder(layout), "asking") };
  for (const folder of Object.values(folders)) ensurePrivateDir(folder);
  const waiting = new Set<string>();
  /** Answers that the broker does not have yet. */
  const unsent = new Map<string, { question: Foreign; answer: Answer }>();
  /** How questions of other machines ended; the end may come before the question has been asked here. */
  const ended = new Map<string, Ending>();
  const pathOf = (kind: keyof typeof folders, eventId: string): string => join(folders[kind], `${eventId}.json`);
  const own = new Map<string, Own>(
    listNames(folders.own).flatMap((name) => {
      const one = readJson(join(folders.own, name), ownSchema);
      return one === undefined ? [] : [[one.eventId, one]];
    }),
  );
  const writeOwn = (one: Own): void => {
    own.set(one.eventId, one);
    writeWholeSoon(pathOf("own", one.eventId), JSON.stringify(one));
  };
  const say = async ({ eventId, digest }: Own, { by, ...ending }: Partial<Ending> = {}): Promise<void> => {
    const said = JSON.stringify({ digest, ended: by, ...ending });
    await nats.put(buckets.questions.name, entryKey(member, eventId), said);
  };

  const sendAnswers = async (): Promise<void> => {
    for (const [eventId, { question, answer }] of unsent) {
      const { choice, message, by, channel } = answer;
      const value = JSON.stringify({ digest: question.digest, choice, message, by, channel, host: member.host });
      try {
        await nats.put(buckets.answers.name, entryKey({ ...member, host: question.host }, eventId), value, 0);
      } catch (error) {
        // Another machine was the first to answer.
        if (!isConflict(error)) throw error;
      }
      unsent.delete(eventId);
    }
  };
  const endHere = (asked: Foreign): void => {
    const ending = ended.get(asked.eventId);
    if (ending === undefined) return;
    const question = readQuestion(layout, asked.id);
    if (question !== undefined) give(layout, question, { choice: "none", ...ending, at: now() });
    if (ending.isUnanswered !== true) asking.answeredThere(asked, asked.host);
  };
  const wait = async (question: Foreign): Promise<void> => {
    endHere(question);
    const answer = await asking.answer(question, signal).catch(() => undefined);
    if (signal.aborted) return;
    tryToRemove(pathOf("foreign", question.eventId));
    waiting.delete(question.eventId);
    if (answer === undefined) return;
    unsent.set(question.eventId, { question, answer });
    if (nats.isUp()) await sendAnswers().catch(tools.onFailed);
  };
  /** What no channel shows on any machine ends soon, so a question that another one shows is noted as shown. */
  const noteShown = ({ eventId, id }: Own): void => {
    const question = readQuestion(layout, id);
    const host = question?.shown.length === 0 ? tools.askedOn(eventId) : undefined;
    if (question === undefined || host === undefined) return;
    writeQuestion(layout, { ...question, shown: [{ channel: `fleet (${host})`, place: {} }] });
  };
  return {
    open: (eventId, { id, digest }) => writeOwn({ eventId, id, digest, isSaid: false }),
    async prepare({ eventId, host, position, body }) {
      const { question: digest, agentId, eventName, text } = body;
      if (digest === undefined || ended.has(eventId)) return;
      const question = { id: position, eventId, agentId, eventName, text };
      await asking.ask(question, host);
      writeWholeSoon(pathOf("foreign", eventId), JSON.stringify({ ...question, host, digest }));
    },
    begin() {
      for (const name of listNames(folders.foreign)) {
        const question = readJson(join(folders.foreign, name), foreignSchema);
        if (question === undefined) tryToRemove(join(folders.foreign, name));
        else if (!waiting.has(question.eventId)) {
          waiting.add(question.eventId);
          void wait(question);
        }
      }
    },
    idOf: (eventId) => readJson(pathOf("foreign", eventId), foreignSchema)?.id,
    noteAnswer({ key, value }) {
      const eventId = key.slice(key.lastIndexOf(".") + 1);
      const asked = own.get(eventId);
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
    },
    noteQuestion({ key, value }) {
      const [, host = "", eventId = ""] = key.split(".");
      const said = saidSchema.safeParse(parseJson(value)).data;
      if (host === member.host || said?.ended === undefined) return;
      ended.set(eventId, { by: `${said.ended} on ${host}`, isUnanswered: said.isUnanswered });
      const [oldest = ""] = ended.keys();
      if (ended.size > maxEnded) ended.delete(oldest);
      const asked = waiting.has(eventId) ? readJson(pathOf("foreign", eventId), foreignSchema) : undefined;
      if (asked !== undefined) endHere(asked);
    },
    isBusy: () => own.size + unsent.size > 0,
    async look() {
      if (!nats.isUp()) return;
      try {
        await sendAnswers();
        for (const one of own.values()) {
          noteShown(one);
          const question = readQuestion(layout, one.id);
          const answer = readAnswer(layout, one.id);
          if (question === undefined || answer !== undefined) {
            const by = question === undefined ? "this question is over" : describeEnd(question, answer);
            await say(one, { by, isUnanswered: answer === undefined || answer.isUnanswered });
            own.delete(one.eventId);
            removeIfThere(pathOf("own", one.eventId));
          } else if (!one.isSaid) {
            await say(one);
            writeOwn({ ...one, isSaid: true });
          }
        }
      } catch (error) {
        tools.onFailed(messageOf(error));
      }
    },
  };
}
