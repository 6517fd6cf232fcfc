// Finds the agent, project and event of a journal entry.
import { agentEventNames } from "../../agents/event-names.ts";
import { observations } from "../../agents/known-events.ts";
import { placeOf } from "../../sessions/names.ts";
import type { JournalEntry } from "../../outbox/journal.ts";
import { isAskingEvent } from "../../model/event.ts";
import { levelOfEvent } from "../../model/level.ts";
import { objectOf, textOf } from "../../model/json.ts";

export interface About {
  agent?: string;
  /** The project, and what tells its session from others there. */
  place?: string;
  event?: string;
  /** The start of its text. */
  words?: string;
}

/** Limits memory when a journal is followed for weeks. */
const maxEvents = 20_000;

/** Attempts contain it. Decisions, and attempts of older releases, refer to an earlier event. */
export function createAbout(): (entry: JournalEntry) => About {
  const events = new Map<string, About>();
  return (entry) => {
    if (entry.kind === "event") {
      const { id, name, ...event } = objectOf(entry.event);
      const about = aboutOf(event, name);
      if (typeof id === "string") events.set(id, about);
      const [oldest] = events.keys();
      if (events.size > maxEvents && oldest !== undefined) events.delete(oldest);
      return about;
    }
    const { event, words, ...others } = objectOf(entry.about);
    const own = { ...aboutOf(others, event), ...(typeof words === "string" ? { words } : {}) };
    if (Object.keys(own).length > 0) return own;
    return (typeof entry.event === "string" ? events.get(entry.event) : undefined) ?? {};
  };
}

function aboutOf({ agent, project, label, sessionName, sessionWords }: Record<string, unknown>, event: unknown): About {
  const names = { label: textOf(label), sessionName: textOf(sessionName), sessionWords: textOf(sessionWords) };
  return {
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof project === "string" ? { place: placeOf({ project, ...names }) } : {}),
    ...(typeof event === "string" ? { event } : {}),
  };
}

/** Whether it only decides that no one is told of a step of a session, such as a prompt: no one expects to be. */
export function isRoutine({ kind, deliveries, silent }: JournalEntry, { event = "" }: About): boolean {
  if (kind !== "decision" || levelOfEvent(event) !== "info" || isAskingEvent({ name: event })) return false;
  if (!observations.has(event) && !agentEventNames.includes(event)) return false;
  const isEmpty = !Array.isArray(deliveries) || deliveries.length === 0;
  return isEmpty && !(Array.isArray(silent) && silent.some((each) => objectOf(each).by !== undefined));
}

/** The id of the event that it is about. */
export function eventOf({ event }: JournalEntry): string | undefined {
  const id = typeof event === "string" ? event : objectOf(event).id;
  return typeof id === "string" ? id : undefined;
}
