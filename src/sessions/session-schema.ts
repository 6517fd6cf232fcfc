// The shape of a session on the disk, which calls subagents helpers, as 1.0.0-rc.1 does. Commands that only print the journal do not load it, nor zod.
import * as z from "zod";

/** Who says so: a hook's event, the transcript, the process table, or the person by an answer or a click. */
const sources = ["hook", "transcript", "process", "person"] as const;

/** A turn that has not ended. */
export const turnSchema = z.lazy(() =>
  z.object({
    /** Unknown where no prompt was reported. */
    startedAt: z.number().optional(),
    /** The agent's own id of the turn. */
    id: z.string().optional(),
    /** The tool that runs. `words` is a preview without credentials. */
    tool: z.object({ since: z.number(), words: z.string().optional() }).optional(),
    /** The tool call that ended last, as `words` says one. */
    lastTool: z.string().optional(),
    helpers: z.number(),
    /** What the agent asked in this turn. */
    requests: z.array(z.object({ text: z.string(), headline: z.string().optional(), at: z.number() })).optional(),
  }),
);

const stateSchema = z.lazy(() => {
  const facts = {
    since: z.number(),
    /** A sentence without any of the agent's own words. */
    reason: z.string(),
    source: z.enum(sources),
  };
  return z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("working"), ...facts, turn: turnSchema }),
    /** `question` is the id of the last of the session's open questions. Without a turn, the agent asks between turns. */
    z.object({ kind: z.literal("needsYou"), ...facts, question: z.string(), turn: turnSchema.optional() }),
    /** The turn has ended. Without subagents, the last one has just ended, and the agent goes on by itself. */
    z.object({
      kind: z.literal("waitsForHelpers"),
      ...facts,
      helpers: z.number(),
      /** When the turn began: the turn ends with what the agent does after its subagents. */
      startedAt: z.number().optional(),
    }),
    z.object({ kind: z.literal("waitsForLimit"), ...facts, until: z.number().optional() }),
    /** `isSeen`: the person has reacted to a notification of it. */
    z.object({ kind: z.literal("done"), ...facts, isSeen: z.boolean() }),
    z.object({ kind: z.literal("failed"), ...facts }),
    z.object({ kind: z.literal("interrupted"), ...facts }),
    z.object({ kind: z.literal("idle"), ...facts }),
    /** `turn` is the one that the process left open. */
    z.object({ kind: z.literal("gone"), ...facts, turn: turnSchema.optional() }),
    z.object({ kind: z.literal("unknown"), ...facts }),
  ]);
});
type State = z.infer<typeof stateSchema>;

/** The person has not reacted to it yet. */
export const openEventSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    at: z.number(),
    name: z.string(),
    /** Credentials are masked. A question is kept in full, other events as a preview. */
    words: z.string().optional(),
    /** The tool call that asks, with a digest of its input. */
    call: z.object({ tool: z.string(), input: z.string() }).optional(),
    /** The agent's own id of the question. */
    question: z.string().optional(),
    /** The transcript of who asks: a subagent may have one of its own. */
    transcript: z.string().optional(),
    /** The subagent that asks; undefined for the session's own agent. */
    helper: z.string().optional(),
    /** Begins the names of its payload's files, and is the id of the question whose hook waits. */
    position: z.string().optional(),
    /** The channels that are told of it, or will be. */
    channels: z.array(z.string()).optional(),
    /** A Notification that only reminds of the end of a turn, or of a question. */
    isReminder: z.boolean().optional(),
    /** The id of the question that it reminds of. */
    reminds: z.string().optional(),
    /** The agent's own reviewer decides about it first, so that the person is not asked yet. */
    isReviewed: z.boolean().optional(),
    /** The person has answered it on a channel, and the agent has not gone on yet. */
    isAnswered: z.boolean().optional(),
  }),
);

export const unknownState: State = { kind: "unknown", since: 0, reason: "No event of it has come.", source: "hook" };

/** The fields of a session's record that the reducer keeps. A record of an earlier version has no state: it is unknown. */
export const sessionFields = {
  project: z.string().optional(),
  lastSeenAt: z.number(),
  state: z.lazy(() => stateSchema.catch(unknownState)),
  /** Ends of turns since the person's last prompt. */
  stops: z.number().optional(),
  /** The session that started this one; "unknown" where the agent does not say. */
  helperOf: z.string().optional(),
  /** Subagents that have not ended, where each is known: those that are sessions, and those whose transcript tells of their end. */
  helpers: z.array(z.object({ session: z.string(), since: z.number(), transcript: z.string().optional() })).optional(),
  open: z.array(openEventSchema).optional(),
  closed: z.array(z.object({ id: z.string(), afterMs: z.number() })).optional(),
  /** The person's last act on one of its notifications, such as "clicked": they know, whether they answered or not. */
  acted: z.object({ at: z.number(), how: z.string(), isAnswer: z.boolean().optional() }).optional(),
  /** When the machine that it runs on said how it was, if that is another one: that includes all earlier events. */
  toldAt: z.number().optional(),
};

export const blankSession: z.infer<z.ZodObject<typeof sessionFields>> = { lastSeenAt: 0, state: unknownState };
