// Finds the agent, project and event of a journal entry.
import { placeOf } from "../../sessions/names.ts";
import type { JournalEntry } from "../../outbox/journal.ts";
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

/** The id of the event that it is about. */
export function eventOf({ event }: JournalEntry): string | undefined {
  const id = typeof event === "string" ? event : objectOf(event).id;
  return typeof id === "string" ? id : undefined;
}
