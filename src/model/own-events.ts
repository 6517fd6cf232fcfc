// Events of hookbell itself: notices to the person, and trials of a hook.
import type { AgentEvent } from "./event.ts";

export const noticeEventName = "HookbellNotice";
export const ownNotice = "hookbell's own notice";

/** No payload's event has such an id. */
export const noticeIdPrefix = "evt_notice";

export function isOwnNotice({ id }: Pick<AgentEvent, "id">): boolean {
  return id.startsWith(noticeIdPrefix);
}

/** It stands in place of a session's id. What may be put right has one of its own, by which its notice is withdrawn. */
export function noticeSession(about?: string): string {
  return about === undefined ? "hookbell" : `hookbell ${about}`;
}

/** Whether the notice is of something that may be put right. */
export function isPassingNotice({ agent, session }: Pick<AgentEvent, "agent" | "session">): boolean {
  return agent === "hookbell" && session.startsWith(noticeSession(""));
}

/** What stands for several messages. */
export const summaryEventName = "Summary";

const quietSession = /^hookbell-verify-[0-9a-f]{24}$/;
const trialSession = /^hookbell-verify-(?:aloud-)?[0-9a-f]{24}$/;

export const verificationWhy = "verification";

/** Without `isDelivering`, nothing is sent. */
export function verificationSession(id: string, isDelivering: boolean): string {
  return `hookbell-${isDelivering ? "verify-aloud" : "verify"}-${id}`;
}

/** Whether it is of a verification that sends nothing. */
export function isVerification(session: string): boolean {
  return quietSession.test(session);
}

/** Whether it is of any verification, and no session of the person's. */
export function isTrial(session: string): boolean {
  return trialSession.test(session);
}

/** An event that stands for all sessions that wait, in a list of them. Receivers know the list by it; hookbell itself does not. */
export const ofAllSessions = { agent: "hookbell", session: "waiting" } as const;

/** What `hookbell send` sends. */
export const byHand = { agent: "hookbell", session: "send" } as const;

/**
 * What an agent of this machine will run. It is in no session, and a project's folder is only where it was found: neither who has
 * silenced the project, nor the project itself, silences it.
 */
export function isHookChanged({ agent, name }: Pick<AgentEvent, "agent" | "name">): boolean {
  return agent === byHand.agent && name === hookChanged;
}

export const hookChanged = "HookChanged";

/** The reason of the one about hookbell's own rules file. */
export const rulesChanged = "rules";

/** The reason of the one about hookbell's own hooks. */
export const ownHooksGone = "ownHooks";

/** What agents start, by the event's `notificationType`. */
const launchWords: ReadonlyMap<string, string> = new Map([
  ["server", "MCP server"],
  ["command", "command"],
  ["code", "plug-in"],
  ["task", "task"],
]);

/** Such as "a new hook" or "an MCP server that is back", by the event's reason and `notificationType`. */
export function changedLaunch(reason: string, type: string): string {
  const word = launchWords.get(type) ?? "hook";
  if (reason === "back") return `${type === "server" ? "an" : "a"} ${word} that is back`;
  return `a ${reason === "changed" ? "changed" : "new"} ${word}`;
}

export function isByHand({ agent, session }: Pick<AgentEvent, "agent" | "session">): boolean {
  return agent === byHand.agent && session === byHand.session;
}

/** The sessions of an agent share its usage limit, so the events about it name this in place of a session. */
export const usageLimitSession = "usage-limit";

/** The platform's events name it as their agent: `"agent": "platform"` in rules. */
export const platformAgentId = "platform";

/** What receivers are told. The platform's events stand in no session: theirs only keeps them apart in the state folder. */
export function toldSession({ agent, session }: Pick<AgentEvent, "agent" | "session">): string {
  return agent === platformAgentId ? "" : session;
}

/** hookbell's own events have sessions, too. */
export const ownAgents: ReadonlySet<string> = new Set([ofAllSessions.agent, platformAgentId]);

/** How the journal names a delivery of the list of waiting sessions. */
export const listName = "the list of waiting sessions";
