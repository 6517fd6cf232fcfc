// Another way in: what an agent's own files, or another machine, say of a session that no payload reports.
import type { AgentEvent } from "../../model/event.ts";
import { lastPart } from "../../model/text.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { readSession } from "../../outbox/sessions.ts";
import { turnOf } from "../../sessions/state.ts";
import { uniqueName } from "../../system/files/files.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { SessionObservation } from "./observer.ts";
import { unasked } from "../event/ask.ts";
import { enqueue, type Enqueued } from "../event/enqueue.ts";
import { decide } from "../pipeline.ts";
import { trackEvent } from "../event/track.ts";

type ObservedEvent = { name: string; why?: string } & Partial<AgentEvent>;

/** What is observed of a session stands in the journal as an event. `why` says why no one is told; without it, rules decide. */
const observedNames: Partial<Record<SessionObservation["kind"], ObservedEvent>> = {
  asks: {
    name: "Notification",
    notificationType: "permission_prompt",
    level: "attention",
    message: "It asks you at its terminal.",
  },
  answered: { name: "Answered", why: "", isAnswer: true },
  interrupted: { name: "Interrupted", why: "the transcript says that you stopped the turn", means: "interrupted" },
  reviewOver: { name: "ReviewOver", why: "the agent's own reviewer has not decided in its time" },
  idle: { name: "Idle", why: "the agent records that it waits for a prompt", means: "interrupted" },
  failed: { name: "StopFailure", level: "error" },
  processGone: { name: "ProcessGone", why: "its process has ended" },
  told: { name: "Answered", why: "its machine says so" },
};

/** `how` says what tells of it, where it is not the usual. */
export function ingestObservation(
  dispatcher: Dispatcher,
  { agent, session }: Pick<AgentEvent, "agent" | "session">,
  observation: SessionObservation,
  how?: string,
): Enqueued {
  const { kind } = observation;
  const { why, name, ...facts }: ObservedEvent = observedNames[kind] ?? { name: kind, why: kind };
  const { layout, host, tools } = dispatcher;
  const before = readSession(layout, agent, session);
  const { folder: cwd = "", project = lastPart(cwd), branch, worktree } = before;
  const startedAt = turnOf(before)?.startedAt;
  const now = tools.clock.now();
  const position = uniqueName(now);
  const event: AgentEvent = {
    id: eventIdOf(position, now),
    name,
    agent,
    session,
    cwd,
    project,
    host,
    at: new Date(now).toISOString(),
    level: "info",
    branch,
    worktree,
    ...facts,
    ...(observation.kind === "failed" && {
      reason: observation.what,
      message: observation.message,
      durationMs: startedAt === undefined ? undefined : observation.at - startedAt,
    }),
  };
  const known = { position, ignored: how ?? why };
  const tracked =
    kind === "asks"
      ? trackEvent(dispatcher, { ...event, at: new Date(observation.at).toISOString() }, known)
      : trackEvent(dispatcher, event, { ...known, observation });
  const decided = decide(dispatcher, tracked);
  // Another machine says every few seconds how its sessions are, which is worth a line only where it ends a question.
  const isQuiet = kind === "told" && decided.retraction === undefined;
  const suppressed = isQuiet ? { by: "frequency" as const } : decided.suppressed;
  return enqueue(unasked({ ...decided, suppressed }), dispatcher);
}
