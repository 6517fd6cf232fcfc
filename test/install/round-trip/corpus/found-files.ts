// Settings files as they are found, and what must become of them.
import type { AgentId, Files } from "../install.ts";

export interface FoundFiles {
  name: string;
  agent: AgentId;
  files: Files;
  /** Part of the problem that keeps the file from being edited. */
  refused?: RegExp;
  exitCode?: number;
  /** `line:column` of the problem. */
  at?: string;
  warned?: RegExp;
  /** The file that gets the events that stand nowhere yet. */
  into?: string;
  /** Nothing to do: everything is there already. */
  hasHooks?: true;
  /** Our hooks stand in it already; uninstall takes these out as well. */
  hasOurs?: true;
  /** Taking out by edits alone cannot know how little there was. */
  isReversible?: false;
}

/** The groups of one event, with one command. */
export const group = (command: string): string =>
  `[{"hooks":[{"type":"command","command":${JSON.stringify(command)},"timeout":10}]}]`;
export const lines = (...all: string[]): string => all.join("\n");
/** One command for each of these events. */
export const all = (events: string[], command: string): string =>
  events.map((event) => `"${event}":${group(command)}`).join(",");
