// Open questions, one file each in questions/, and beside it the answer's, which only one process can create.
import { join } from "node:path";
import * as z from "zod";
import { choices, type Answer } from "../model/answer.ts";
import type { Layout } from "../outbox/layout.ts";
import { sha256 } from "../system/crypto.ts";
import { createExclusive } from "../system/files/create-exclusive.ts";
import {
  ensurePrivateDir,
  listAside,
  listNames,
  removeIfThere,
  statIfThere,
  tryToRemove,
} from "../system/files/files.ts";
import { findDistrust } from "../system/files/inspect-path.ts";
import { readIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { hostName } from "../system/process/identity.ts";

const fieldSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    text: z.string(),
    options: z
      .array(
        z.object({
          label: z.string(),
          value: z.union([z.string(), z.number(), z.boolean()]),
          description: z.string().optional(),
        }),
      )
      .readonly(),
    takesOther: z.boolean(),
    isMany: z.boolean(),
    isOptional: z.boolean(),
    schema: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** Times are milliseconds since the epoch. */
const questionSchema = z.lazy(() =>
  z.object({
    /** The name of its payload in incoming/, without the ending. */
    id: z.string().regex(/^[\w-]+$/),
    agent: z.string(),
    kind: z.enum(["permission", "question", "form", "prompt"]),
    session: z.string(),
    cwd: z.string(),
    host: z.string(),
    /** Another machine asks. Its name may be that of this one. */
    isElsewhere: z.boolean().optional(),
    branch: z.string().optional(),
    /** The tool that asks for a permission, the server of a form; empty for other questions. */
    tool: z.string(),
    /** What an answer in words fills in. */
    fields: z.array(fieldSchema).readonly(),
    /** The whole input, with invisible characters visible and credentials masked. */
    text: z.string(),
    /** Whether `text` leaves nothing out. */
    isWhole: z.boolean(),
    /** Whether the user's list lets channels allow it. */
    isAllowable: z.boolean(),
    /** Whether the page of `hookbell serve` shows it to browsers that may answer. */
    isOnPage: z.boolean().optional(),
    /** The agent's suggestion for the session, unless it allows more than the user's list. */
    forSession: z.record(z.string(), z.unknown()).optional(),
    /** The hash of tool, input, session, folder and host. */
    digest: z.string(),
    /** The hash of all fields above: what was asked must be what is answered. */
    seal: z.string(),
    askedAt: z.number(),
    expiresAt: z.number(),
    /** The agent's terminal asks as well, so waiting keeps no one from answering there. Version 1.0.0-rc.1 does not write it. */
    showsDialog: z.boolean().optional(),
    /** A part of the call that decides an answer is not as its agent writes it, so no list allows it. Not in version 1.0.0-rc.1 either. */
    isOdd: z.boolean().optional(),
    /** The hook that waits. */
    pid: z.number(),
    /** The processes by which the agent asks: no answer may come from one that they have started. */
    asker: z.array(z.object({ pid: z.number(), start: z.string() })),
    /** Digests of what decides whom each channel reaches from the hook: another dispatcher may reach someone else. */
    routes: z.record(
      z.string(),
      z.object({
        /** The rules file, the state folder and the home folder by their paths, and the channel's settings. */
        settings: z.string(),
        /** Session bus, or proxies and certificates: the hook's own, and those of an empty environment. */
        ways: z.array(z.string()),
        /** The environment variables that its secrets name, as far as the hook has them. */
        secrets: z.record(z.string(), z.string()),
      }),
    ),
    /** The nonces are hashed; each counts once, for one choice on one channel. */
    nonces: z.array(
      z.object({
        hash: z.string(),
        choice: z.enum(choices),
        /** The option that it stands for. */
        message: z.string().optional(),
        channel: z.string(),
      }),
    ),
    /** The buttons that mute its project; their nonces are hashed, too. Version 1.0.0-rc.1 does not write them. */
    snoozes: z
      .array(
        z.object({
          hash: z.string(),
          channel: z.string(),
          project: z.string(),
          expiresAt: z.number(),
          isUsed: z.boolean().optional(),
        }),
      )
      .optional(),
    /**
     * The places where the question is shown, by what each channel remembers, with the title shown there and its project. The
     * first says until when the hook waits, if that is before `expiresAt`.
     */
    shown: z.array(
      z.object({
        channel: z.string(),
        place: z.record(z.string(), z.string()),
        title: z.string().optional(),
        project: z.string().optional(),
        until: z.number().optional(),
      }),
    ),
  }),
);
export type Question = z.infer<typeof questionSchema>;

/** When the hook stops waiting: it waits for a time that counts from the moment at which the question is shown first. */
export function endsAt({ expiresAt, shown }: Pick<Question, "expiresAt" | "shown">): number {
  return Math.min(expiresAt, shown[0]?.until ?? expiresAt);
}

const answerSchema = z.lazy(() =>
  z.object({
    choice: z.enum([...choices, "none"]),
    message: z.string().optional(),
    by: z.string(),
    isUnanswered: z.boolean().optional(),
    channel: z.string().optional(),
    at: z.number(),
  }),
);

export function questionsFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "questions");
}

function pathOf(layout: Pick<Layout, "root">, id: string, ending: "json" | "answer" | "obeyed"): string {
  return join(questionsFolder(layout), `${id}.${ending}`);
}

/** The digest that binds an answer to what was asked. */
export function digestOf(asked: { tool: string; input: unknown; session: string; cwd: string; host: string }): string {
  return sha256(JSON.stringify([asked.tool, asked.input, asked.session, asked.cwd, asked.host]));
}

export function sealOf({
  nonces: _nonces,
  snoozes: _snoozes,
  shown: _shown,
  seal: _seal,
  showsDialog: _showsDialog,
  ...asked
}: Omit<Question, "seal"> & { seal?: string }): string {
  return sha256(JSON.stringify(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The question is durable when it returns; throws the system's error on a full disk. */
export function writeQuestion(layout: Pick<Layout, "root">, question: Question): void {
  ensurePrivateDir(questionsFolder(layout));
  writeWhole(pathOf(layout, question.id, "json"), JSON.stringify(question));
}

/** Undefined also for a torn or changed question. */
export function readQuestion(layout: Pick<Layout, "root">, id: string): Question | undefined {
  try {
    const text = readIfThere(pathOf(layout, id, "json"));
    const question = text === undefined ? undefined : questionSchema.safeParse(JSON.parse(text)).data;
    return question !== undefined && question.id === id && sealOf(question) === question.seal ? question : undefined;
  } catch {
    return undefined;
  }
}

/** The most questions of each machine that may be open, more than any person answers at once. */
const maxOpenOfMachine = 100;

/**
 * The machine whose share of the places a question takes: a remote, a machine of the fleet with all that it follows itself,
 * or undefined for this one.
 */
export function machineOf({ host, isElsewhere }: Pick<Question, "host" | "isElsewhere">): string | undefined {
  // Version 1.0.0-rc.1 did not write `isElsewhere`.
  return isElsewhere === true || host !== hostName() ? host.split("/", 1)[0] : undefined;
}

/** Oldest first, and no more of each machine than it may have. Questions that have ended stay in the list for some seconds. */
export function listQuestions(layout: Pick<Layout, "root">): Question[] {
  const counts = new Map<string | undefined, number>();
  const found: Question[] = [];
  for (const name of namesOf(layout)) {
    const question = readQuestion(layout, name.slice(0, -ending.length));
    if (question === undefined) continue;
    const machine = machineOf(question);
    const nth = (counts.get(machine) ?? 0) + 1;
    counts.set(machine, nth);
    if (nth <= maxOpenOfMachine) found.push(question);
  }
  return found;
}

/** The machines whose places are all taken. */
export function fullMachines(layout: Pick<Layout, "root">): (string | undefined)[] {
  const machines = listQuestions(layout).map(machineOf);
  return [...new Set(machines)].filter((machine) => isFull(machines, machine));
}

function isFull(machines: readonly (string | undefined)[], machine: string | undefined): boolean {
  return machines.filter((each) => each === machine).length >= maxOpenOfMachine;
}

/** Such as "100 questions of devbox wait". */
export function describeFull(machine: string | undefined): string {
  return `${maxOpenOfMachine} questions of ${machine ?? "this machine"} wait`;
}

/** The questions that can still be answered. */
export function openQuestions(layout: Pick<Layout, "root">, nowMs: number): Question[] {
  return listQuestions(layout).filter((each) => endsAt(each) > nowMs && readAnswer(layout, each.id) === undefined);
}

/** What people read and type. The last part of an id differs most between questions. */
export function questionIdOf({ digest, id }: Pick<Question, "digest" | "id">): string {
  return `${digest.slice(0, 4)}${id.split("-")[1]?.slice(-4) ?? ""}`;
}

const ending = ".json";

function namesOf(layout: Pick<Layout, "root">): string[] {
  return listNames(questionsFolder(layout)).filter((name) => name.endsWith(ending));
}

/** Why the question cannot wait here; undefined if it can. Where other users can write, an answer may be theirs. */
export function whyNoPlace(
  layout: Pick<Layout, "root">,
  question: Pick<Question, "host" | "isElsewhere">,
): string | undefined {
  const folder = questionsFolder(layout);
  ensurePrivateDir(folder);
  const distrust = findDistrust(folder);
  if (distrust !== undefined) return `${distrust.path} ${distrust.why}, so an answer in ${folder} may be theirs`;
  const machine = machineOf(question);
  return isFull(listQuestions(layout).map(machineOf), machine) ? `${describeFull(machine)} already` : undefined;
}

const abandonedMs = 60 * 60_000;

/** Removes what killed processes left, and what cannot be read. */
export function removeAbandoned(layout: Pick<Layout, "root">, nowMs: number): void {
  const folder = questionsFolder(layout);
  for (const name of [...listNames(folder), ...listAside(folder)]) {
    const { mtimeMs = nowMs } = statIfThere(join(folder, name)) ?? {};
    const [id = ""] = name.split(".", 1);
    if (nowMs - mtimeMs > abandonedMs && readQuestion(layout, id) === undefined) tryToRemove(join(folder, name));
  }
}

/** False when there is one already: the first one counts, across processes. */
export function createAnswer(layout: Pick<Layout, "root">, id: string, answer: Answer): boolean {
  const path = pathOf(layout, id, "answer");
  if (!createExclusive(path, JSON.stringify(answer), answer.at)) return false;
  // Without a question, its answer was removed too, and this one came in its place.
  if (statIfThere(pathOf(layout, id, "json")) !== undefined) return true;
  removeIfThere(path);
  return false;
}

/** An answer file that cannot be used is no decision. */
export function readAnswer(layout: Pick<Layout, "root">, id: string): Answer | undefined {
  const path = pathOf(layout, id, "answer");
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return { choice: "none", by: "an unreadable answer", at: statIfThere(path)?.mtimeMs ?? 0 };
  }
}

/** The hook says so before it tells the agent, so no answer is obeyed twice. False when another hook has. */
export function markObeyed(layout: Pick<Layout, "root">, id: string, nowMs: number): boolean {
  return createExclusive(pathOf(layout, id, "obeyed"), "", nowMs);
}

export function isObeyed(layout: Pick<Layout, "root">, id: string): boolean {
  return statIfThere(pathOf(layout, id, "obeyed")) !== undefined;
}

/** Remove the question first: without it, no other file counts. */
export function removeQuestion(layout: Pick<Layout, "root">, id: string): void {
  for (const ending of ["json", "answer", "obeyed"] as const) removeIfThere(pathOf(layout, id, ending));
}
