// Silence by hand.
import { isWindowsPath, windowsKey } from "../model/places/folder.ts";
import type { AgentEvent } from "../model/event.ts";
import { isHookChanged } from "../model/own-events.ts";
import { suppress, defer, isUrgent, type NotNow, type Candidate } from "./decision.ts";
import { formatTime } from "../model/figures/wall-clock.ts";

export const muteScopes = ["all", "project", "session", "agent", "channel"] as const;
export type MuteScope = (typeof muteScopes)[number];

export interface Mute {
  scope: MuteScope | "file";
  /** Empty for everything; the path of a project's file, which is about the events of that project only. */
  name: string;
  /** If absent, the mute lasts until it is ended by hand. */
  until?: number | undefined;
  /** Who pressed a channel's button for it, such as "Ann in phone". */
  by?: string | undefined;
}

export function isSameMute(one: Pick<Mute, "scope" | "name">, other: Pick<Mute, "scope" | "name">): boolean {
  return one.scope === other.scope && one.name === other.name;
}

const weighAgainMs = 24 * 60 * 60_000;
/** A file may change without a command of hookbell's. */
const readFileAgainMs = 10 * 60_000;

export function muteOf(
  mutes: readonly Mute[],
  event: Pick<AgentEvent, "project" | "session" | "agent" | "cwd">,
  channel: string | undefined,
  nowMs: number,
): Mute | undefined {
  const { project, session, agent, cwd } = event;
  const isMeant = ({ scope, name }: Mute): boolean =>
    scope === "file" ||
    { all: "", project, session, agent, channel }[scope] === name ||
    // There, a shell says the name of a folder as its user typed it.
    (scope === "project" && isWindowsPath(cwd) && windowsKey(project) === windowsKey(name));
  const endOf = ({ until = Infinity }: Mute): number => until;
  return mutes
    .filter((mute) => isMeant(mute) && endOf(mute) > nowMs)
    .toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
    .at(-1);
}

/** `project shop-web until 15:00, by Ann in phone` */
export function describeMute({ scope, name, until, by }: Mute, nowMs: number): string {
  if (scope === "file") return `by ${name}`;
  const what = scope === "all" ? "everything" : `${scope} ${name}`;
  const end = until === undefined ? "" : ` until ${formatTime(until, nowMs, undefined)}`;
  return `${what}${end}${by === undefined ? "" : `, by ${by}`}`;
}

export function mutePolicy(
  { event, channel, level }: Candidate,
  mutes: readonly Mute[],
  nowMs: number,
): NotNow | undefined {
  const meant = isHookChanged(event) ? mutes.filter(({ scope }) => scope === "all" || scope === "channel") : mutes;
  const mute = muteOf(meant, event, channel, nowMs);
  if (mute === undefined) return undefined;
  const isFile = mute.scope === "file";
  const why = `muted${isFile ? "" : ":"} ${describeMute(mute, nowMs)}`;
  if (!isUrgent(level)) return suppress("mute", why);
  const isEndless = mute.until === undefined && !isFile;
  const heldWhy = isEndless ? `${why}, until: hookbell unmute` : why;
  return defer("mute", mute.until ?? nowMs + (isFile ? readFileAgainMs : weighAgainMs), heldWhy, "mute");
}
