// A connection to another machine: starts hooks/hookbell-remote.sh there, and speaks its protocol. What comes back is untrusted.
import { join } from "node:path";
import { messageOf, UserError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import type { Clock } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import { readIfThere } from "../../system/files/read.ts";
import { ownPackageFolder } from "../../system/package.ts";
import { type Conversation, ConversationEnd, converse } from "../../system/process/converse.ts";
import type { ReachedRemote } from "./remotes.ts";
import { endOfScript, transports } from "./transports.ts";

/** What is at a path there. */
type RemotePath =
  | { what: "file"; bytes: Buffer; isWritable: boolean }
  | { what: "folder" }
  | { what: "none" }
  | { what: "failed"; why: string };

export type Changed = { what: "done" } | { what: "changed" } | { what: "failed"; why: string };

export interface RemoteEvent {
  /** The file's name there, of letters, digits, `.`, `_` and `-`. */
  name: string;
  bytes: Buffer;
  isAsking: boolean;
}

export interface HostTools {
  clock: Clock;
  env: Environment;
  signal: AbortSignal;
}

/** The script there says at least every 20 s that it lives; ssh gives up after 45 s without an answer. */
const silenceMs = 60_000;
const maxFileBytes = 10 * 1024 * 1024;
/** The hook there refuses more than 8 MiB. */
const maxEventBytes = 9 * 1024 * 1024;
const maxEvents = 64;
/** hooks/hookbell-remote.sh sends no further event once a batch has so many bytes. Of a larger batch, the rest is not kept: it comes again. */
const fullBatchBytes = 8 * 1024 * 1024;
const maxHomeLength = 1024;
/** More than the events that a hook keeps. */
const maxNames = 20_000;

type Remote = Pick<ReachedRemote, "name" | "transport" | "target">;

export async function connect(remote: Remote, { clock, env, signal }: HostTools): Promise<Host> {
  const argv = transports[remote.transport].argv(remote.target);
  const conversation = converse({ argv, env, clock, silenceMs, signal });
  const exchange = new Exchange(remote, conversation);
  conversation.write(`${remoteScript()}${endOfScript}\n`);
  return await exchange.guarded(async () => {
    const line = await conversation.readLine();
    const [, seconds, system = "", home = ""] = /^hookbell 1 (\d{9,12}) (\S{1,40}) (.*)$/.exec(line) ?? [];
    if (seconds === undefined) throw exchange.strange(line);
    if (!isPath(home) || home.length > maxHomeLength || home === "/") {
      throw new UserError("remote.home", `${remote.name} says that its home folder is ${shown(home) || "unknown"}`, {
        hint: "set HOME there to a folder of your own",
      });
    }
    const clockAheadMs = Number(seconds) * 1000 - clock.now();
    return new Host(exchange, { home, system: shown(system), clockAheadMs });
  });
}

/** Sends each question at once, and reads its answer after those before it. */
class Exchange {
  readonly conversation: Conversation;
  private readonly remote: Remote;
  /** What is being read. */
  private reading: Promise<unknown> = Promise.resolve();

  constructor(remote: Remote, conversation: Conversation) {
    this.remote = remote;
    this.conversation = conversation;
  }

  ask<T>(command: string, read: (conversation: Conversation) => Promise<T>): Promise<T> {
    this.conversation.write(command);
    const own = this.reading.then(() => this.guarded(() => read(this.conversation)));
    this.reading = own.catch(() => {});
    return own;
  }

  /** What `read` throws ends the connection. */
  async guarded<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw this.failed(error);
    }
  }

  failed(error: unknown): unknown {
    this.conversation.end();
    return error instanceof ConversationEnd ? describeEnd(this.remote, error) : error;
  }

  strange(line: string): UserError {
    return new UserError(
      "remote.strange",
      `${this.remote.name} sent what hookbell does not understand: ${shown(line)}`,
      { hint: "something there writes to standard output before the script runs, such as a shell's start-up file" },
    );
  }

  /** Throws for more than `maxBytes`. */
  sizeIn(text: string | undefined, maxBytes: number): number {
    const size = Number(text);
    if (size <= maxBytes) return size;
    const { name } = this.remote;
    throw new UserError("remote.tooLarge", `${name} sends a file of ${text} bytes, more than ${maxBytes}`);
  }

  reported(why: string): UserError {
    return new UserError("remote.failed", `${this.remote.name}: ${shown(why)}`);
  }
}

/** Questions may be asked at once: they are answered in their order. Each rejects with a `UserError` when the connection ends. */
export class Host {
  /** An absolute path there, without control characters. */
  readonly home: string;
  /** What `uname -s` says. */
  readonly system: string;
  readonly clockAheadMs: number;
  private readonly exchange: Exchange;

  constructor(exchange: Exchange, { home, system, clockAheadMs }: Pick<Host, "home" | "system" | "clockAheadMs">) {
    this.exchange = exchange;
    this.home = home;
    this.system = system;
    this.clockAheadMs = clockAheadMs;
  }

  async look(path: string): Promise<RemotePath> {
    const got = await this.ask(`look ${path}\n`);
    if (got.what === "done" || got.what === "changed") throw this.exchange.failed(this.exchange.strange(got.what));
    return got;
  }

  /** The names in a folder, without those that have unusual characters; empty where there is none. */
  list(path: string): Promise<string[]> {
    return this.exchange.ask(`list ${path}\n`, async ({ readLine }) => {
      const names: string[] = [];
      for (;;) {
        const said = await readLine();
        if (said === "done") return names;
        const named = /^name ([\w.-]{1,255})$/.exec(said)?.[1];
        if (named === undefined || names.length === maxNames) throw this.exchange.strange(said);
        if (named !== "." && named !== "..") names.push(named);
      }
    });
  }

  /** The path of a program there. */
  findProgram(name: string): Promise<string | undefined> {
    return this.find(`which ${name}\n`);
  }

  variable(name: string): Promise<string | undefined> {
    return this.find(`value ${name}\n`);
  }

  /** Changes nothing if the file is no longer as `before`; undefined stands for no file. */
  put(path: string, before: Uint8Array | undefined, after: Uint8Array, isProgram: boolean): Promise<Changed> {
    const mode = isProgram ? "700" : "600";
    return this.change(`put ${mode} ${path}\n${contentLines(before)}${contentLines(after)}`);
  }

  remove(path: string, before: Uint8Array): Promise<Changed> {
    return this.change(`drop ${path}\n${contentLines(before)}${contentLines(undefined)}`);
  }

  /** Does nothing to a folder that is not empty. */
  async removeFolder(path: string): Promise<void> {
    await this.change(`rmdir ${path}\n`);
  }

  /** Removes hookbell's own files there, and their folder if it is to go and holds nothing else. */
  async leave(isFolderOurs: boolean): Promise<void> {
    await this.change(`leave ${isFolderOurs ? "remove" : "keep"}\n`);
  }

  /** From now on, this connection hands the events over, if the machine's owner is this one. */
  follow(owner: string): Promise<Changed> {
    return this.change(`follow ${owner}\n`);
  }

  /** Removes events there, which are kept here. */
  forget(names: readonly string[]): void {
    this.exchange.conversation.write(names.map((each) => `forget ${each}\n`).join(""));
  }

  /** What the hook of an event prints for its agent, if it still waits; empty for no decision. */
  answer(event: string, text: string): void {
    this.exchange.conversation.write(`answer ${event}\n${contentLines(new TextEncoder().encode(text))}`);
  }

  /** The oldest events, once there are some: at most 64, and none after 8 MiB of them. `onAlive` is called now and then until there are. */
  next(onAlive: () => void): Promise<RemoteEvent[]> {
    const { exchange } = this;
    return exchange.ask("next\n", async ({ readLine, readBytes, skipBytes }) => {
      const events: RemoteEvent[] = [];
      let [sent, sentBytes] = [0, 0];
      for (;;) {
        const said = await readLine();
        const [, kind, file, size] = /^(event|asking) ([\w.-]{1,250}\.json) (\d{1,15})$/.exec(said) ?? [];
        if (said === "end" && events.length > 0) return events;
        if (said === "alive" && events.length === 0) {
          onAlive();
          continue;
        }
        const why = said === "replaced" ? "another hookbell has connected to it" : /^failed (.*)$/.exec(said)?.[1];
        if (why !== undefined) throw exchange.reported(why);
        if (file === undefined || sent === maxEvents) throw exchange.strange(said);
        sent += 1;
        const bytes = exchange.sizeIn(size, maxEventBytes);
        if (sentBytes >= fullBatchBytes) await skipBytes(bytes);
        else events.push({ name: file, bytes: await readBytes(bytes), isAsking: kind === "asking" });
        sentBytes += bytes;
      }
    });
  }

  end(): void {
    this.exchange.conversation.end();
  }

  private ask(command: string): Promise<RemotePath | Changed> {
    return this.exchange.ask(command, async ({ readLine, readBytes }) => {
      const line = await readLine();
      const [, rights, size] = /^file ([rw]) (\d{1,15})$/.exec(line) ?? [];
      if (size !== undefined) {
        const bytes = await readBytes(this.exchange.sizeIn(size, maxFileBytes));
        return { what: "file", bytes, isWritable: rights === "w" };
      }
      const why = /^failed (.*)$/.exec(line)?.[1];
      if (why !== undefined) return { what: "failed", why: shown(why) };
      if (line === "folder" || line === "none" || line === "done" || line === "changed") return { what: line };
      throw this.exchange.strange(line);
    });
  }

  private async change(command: string): Promise<Changed> {
    const got = await this.ask(command);
    if (got.what === "done" || got.what === "changed" || got.what === "failed") return got;
    throw this.exchange.failed(this.exchange.strange(got.what));
  }

  private find(command: string): Promise<string | undefined> {
    return this.exchange.ask(command, async ({ readLine }) => {
      const line = await readLine();
      if (line === "none" || line === "found ") return undefined;
      const found = /^found (.*)$/.exec(line)?.[1];
      if (found === undefined) throw this.exchange.strange(line);
      return isPath(found) ? found : undefined;
    });
  }
}

function isPath(text: string): boolean {
  return text.startsWith("/") && printableLine(text) === text;
}

const maxShown = 200;

function shown(text: string): string {
  return printableLine(text).slice(0, maxShown);
}

/** The text has no comments, since shells read it byte by byte. */
function remoteScript(): string {
  const path = join(ownPackageFolder(), "hooks", "hookbell-remote.sh");
  const text = readIfThere(path);
  if (text === undefined) throw new Error(`${path} is missing`);
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return lines.join("\n");
}

const bytesInLine = 512;

/** Lines for `printf %b`, in which only printable ASCII stands for itself. */
function contentLines(content: Uint8Array | undefined): string {
  if (content === undefined) return "none\n";
  const lines = ["begin"];
  for (let at = 0; at < content.length; at += bytesInLine) {
    const part = Array.from(content.subarray(at, at + bytesInLine), (byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\0${byte.toString(8).padStart(3, "0")}`,
    );
    lines.push(`=${part.join("")}`);
  }
  return `${lines.join("\n")}\n.\n`;
}

/** What ssh says, by the words of https://github.com/openssh/openssh-portable. */
const knownEnds: readonly { said: RegExp; code: string; what: string; hint(by: string): string }[] = [
  {
    said: /Permission denied|Too many authentication failures/,
    code: "remote.refused",
    what: "refuses your key",
    hint: (by) => `the dispatcher cannot type a password: load a key into ssh-agent until this works: ${by}`,
  },
  {
    said: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    code: "remote.hostKeyChanged",
    what: "has another key than before",
    hint: (by) =>
      `if you have not reinstalled it, someone may be impersonating it; if you have, this names the line to remove: ${by}`,
  },
  {
    said: /Host key verification failed/,
    code: "remote.hostKey",
    what: "has a key that ssh does not know",
    hint: () => "check that it is the right machine: connect once by hand, and ssh shows the key and asks",
  },
  {
    said: /Could not resolve|timed out|refused|No route to host|unreachable|Connection (?:closed|reset)|No such container|is not running|not found|there is no program/i,
    code: "remote.unreachable",
    what: "cannot be reached",
    hint: (by) => `to try it: ${by}`,
  },
];

function describeEnd({ name, transport, target }: Remote, { message, stderr }: ConversationEnd): UserError {
  const detail = shown(stderr.split("\n").findLast((line) => line.trim() !== "") ?? "");
  const known = knownEnds.find(({ said }) => said.test(`${stderr}\n${message}`));
  const by = transports[transport].trial(target);
  return new UserError(
    known?.code ?? "remote.ended",
    `${name} ${known?.what ?? "ended the connection"}: ${detail || shown(message)}`,
    { hint: known?.hint(by) ?? `to try it: ${by}` },
  );
}

export function describeFailure(error: unknown): { code: string; why: string; hint?: string | undefined } {
  if (error instanceof UserError) return { code: error.code, why: error.message, hint: error.hint };
  return { code: "remote.failed", why: messageOf(error) };
}
