// What `hookbell import` needs to know about another notifier.
import { splitCommand } from "../../../install/command/owner.ts";
import { readIfThere } from "../../../system/files/read.ts";
import type { Environment } from "../../../system/environment.ts";
import { objectOf } from "../../../model/json.ts";
import type { importedTools } from "../../help/set-up.ts";

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
  /** The files that were read. */
  files: string[];
  channels: ImportedChannel[];
  rules: ImportedRule[];
  /** Top-level members of the rules file, such as `quietHours`. */
  whole: Record<string, unknown>;
  /** Sentences about what hookbell does differently or not at all. */
  notCarriedOver: string[];
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
  read(place: PeerPlace): ImportedSettings;
  /** A path of its program, with slashes. */
  program: RegExp;
}

/** Whether a simple command runs its program. What a pipe or a list runs is a person's own command, and stays. */
export function runsPeer({ program }: Pick<Peer, "program">, command: string, args: readonly string[]): boolean {
  const words = args.length > 0 ? [command, ...args] : splitCommand(command);
  return words?.some((word) => program.test(word.replaceAll("\\", "/"))) === true;
}

/** An empty object if there is no such file. Throws a SyntaxError if it is not JSON. */
export function readSettingsObject(path: string): Record<string, unknown> {
  return objectOf(JSON.parse(readIfThere(path)?.replace(/^\uFEFF/, "") ?? "{}"));
}

/** These tools take "false" for false. */
export function isOn(value: unknown, usual: boolean): boolean {
  if (value === undefined || value === null) return usual;
  return typeof value === "string" ? value.toLowerCase() === "true" : value === true;
}

export function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
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
