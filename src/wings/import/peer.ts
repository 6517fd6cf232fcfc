// What `hookbell import` needs to know about another notifier.
import { findHookSetup } from "../../agents/hook-setups.ts";
import { splitCommand } from "../../install/command/owner.ts";
import type { Environment } from "../../system/environment.ts";
import type { importedTools } from "./help.ts";
import type { SettingsReader } from "./settings-reader.ts";

export interface ImportedChannel {
  name: string;
  /** The settings as the rules file has them, with the secrets in them. */
  settings: { type: string } & Record<string, unknown>;
}

export interface ImportedRule {
  name: string;
  when?: Record<string, unknown>;
  /** Names of `channels`. */
  notify: string[];
  [setting: string]: unknown;
}

export interface ImportedSettings {
  channels: ImportedChannel[];
  rules: ImportedRule[];
  /** Top-level members of the rules file, such as `quietHours`. */
  whole: Record<string, unknown>;
  /** What the tool notifies of when this hook runs; empty if of nothing. A sentence if hookbell cannot know. */
  alertsOf(hook: PeerHook): Alert[] | string;
}

/** A notification that the tool sends, and that rules must send before its hook may go. */
export interface Alert {
  /** Hookbell's name. */
  event: string;
  notificationType?: string;
  /** Names of `channels`. */
  notify: readonly string[];
}

/** A hook that runs the tool. */
export interface PeerHook {
  agentId: string;
  path: string;
  /** The agent's name of the event, and what hookbell makes of it. */
  event: string;
  means: readonly string[];
  /** As the file has it. */
  matcher: string;
  /** What the matcher lets through; undefined for everything. */
  matches: readonly string[] | undefined;
  /** The tool's program, with slashes, and the words after it. */
  program: string;
  args: readonly string[];
}

export interface PeerPlace {
  home: string;
  env: Environment;
}

export interface Peer {
  id: (typeof importedTools)[number];
  name: string;
  /** The page that documents its settings and its format. */
  docs: string;
  /** The files that show that it is in use here; the first is its settings file. */
  places(place: PeerPlace): string[];
  /** The account names what is not carried over. */
  read(place: PeerPlace, account: SettingsReader, hooks: readonly PeerHook[]): ImportedSettings;
  /** A path of its program, with slashes. */
  program: RegExp;
  /** The words after it that are known, with a blank between them. */
  args: RegExp;
}

/** The words of a simple command that runs its program. What a pipe or a list runs is a person's own command. */
export function wordsOfPeer(
  { program }: Pick<Peer, "program">,
  command: string,
  args: readonly string[],
): { before: string[]; program: string; after: string[] } | undefined {
  const words = args.length > 0 ? [command, ...args] : splitCommand(command);
  const at = words?.findIndex((word) => program.test(word.replaceAll("\\", "/"))) ?? -1;
  if (words === undefined || at === -1) return undefined;
  return { before: words.slice(0, at), program: words[at]?.replaceAll("\\", "/") ?? "", after: words.slice(at + 1) };
}

/** Whether a person's own command, such as a pipe, has its program somewhere in it. */
export function mentionsPeer({ program }: Pick<Peer, "program">, command: string): boolean {
  return command.split(/[\s;|&()<>"'`=]+/).some((word) => program.test(word.replaceAll("\\", "/")));
}

/** The kinds of Notification that a hook lets through. */
export function typesOf({ agentId, matches }: PeerHook): readonly string[] {
  return matches ?? Object.keys(findHookSetup(agentId)?.notificationTypes ?? {});
}

/** A Telegram channel. Numbers of chats are numbers in the rules file. */
export function telegramChannel(token: string, chat: string): ImportedChannel["settings"] {
  return { type: "telegram", token, chat: /^-?\d+$/.test(chat) ? Number(chat) : chat };
}

/** An ntfy channel. The topic is a secret, since everyone who knows it can read along. */
export function ntfyChannel(topic: string, server: string | undefined, content: string): ImportedChannel["settings"] {
  const isOwn = server !== undefined && !/^https:\/\/ntfy\.sh\/?$/.test(server);
  const place = isOwn ? { server: server.replace(/\/$/, ""), ...overHttp(server) } : {};
  return { type: "ntfy", ...place, topic, content };
}

export function overHttp(url: string): { allowHttp?: true } {
  return url.startsWith("http://") ? { allowHttp: true } : {};
}

/** A rule that no channel is left for would tell no one. */
export function withChannels(rules: readonly ImportedRule[]): ImportedRule[] {
  return rules.filter(({ notify, final }) => notify.length > 0 || final === true);
}
