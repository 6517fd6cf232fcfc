// A process that stands for a recorded agent's in a replay: it starts what stands for the agent's commands.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createStartedList } from "../../../src/system/process/started.ts";

/** `script` gives the process a terminal, and `setsid` takes it away; both are of util-linux. */
export const standInParts = ["script", "setsid", "bash"];

export interface StandIn {
  pid: number;
  /** Resolves when a look at the process table counts it as started. */
  startCommand(id: number, argv: readonly string[], env: Readonly<Record<string, string>>): Promise<void>;
  endCommand(id: number): Promise<void>;
  end(): Promise<void>;
}

/** A file descriptor that never has anything to read keeps the commands waiting. */
const beginning = 'echo "pid $$"; exec 9<> <(:);';
const agent = `${beginning} while read -r line; do eval "$line"; done`;
const daemon = `${beginning} read -r _ <&9`;
/** A process table's look leaves out what has just started, and takes this process to be younger than it is if it began slowly. */
function isListed(pid: number): boolean {
  return createStartedList()(-Infinity, 0).some((each) => each.pid === pid);
}

export async function startStandIn(hasTerminal: boolean): Promise<StandIn> {
  const argv = hasTerminal
    ? ["script", "-qfc", `bash -c ${shellWord(agent)}`, "/dev/null"]
    : // Without `-f`, its parent may have a terminal.
      ["setsid", "-f", "bash", "-c", daemon];
  const [command = "", ...args] = argv;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.on("error", () => {});
  const heard = async (what: RegExp): Promise<number> => {
    for (;;) {
      const found = what.exec(said)?.[1];
      if (found !== undefined) return Number(found);
      if (child.stdout.closed) throw new Error(`the stand-in has ended: ${said}`);
      await sleep(2);
    }
  };
  const pid = await heard(/pid (\d+)/);
  const commands = new Map<number, number>();
  return {
    pid,
    async startCommand(id, argv, env) {
      const variables = Object.entries(env).map(([name, value]) => shellWord(`${name}=${value}`));
      const own = ["bash", "-c", scriptOf(argv), ...argv.slice(3, 4).map((word) => word.split("\n", 1)[0] ?? "")].map(
        shellWord,
      );
      child.stdin.write(`exec env ${[...variables, ...own].join(" ")} <&9 & echo "command ${id} $!"\n`);
      const commandPid = await heard(new RegExp(String.raw`command ${id} (\d+)`));
      commands.set(id, commandPid);
      // A look at a process that has not run its program yet would be the only one.
      while (!readFileSync(`/proc/${commandPid}/cmdline`, "utf8").startsWith(`bash\0-c\0${scriptOf(argv)}`))
        await sleep(2);
      while (!isListed(commandPid)) await sleep(5);
    },
    async endCommand(id) {
      kill(commands.get(id));
      commands.delete(id);
      await sleep(2);
    },
    async end() {
      for (const each of commands.values()) kill(each);
      const ended = once(child, "close");
      kill(pid);
      if (!child.stdout.closed) await ended;
    },
  };
}

/** The beginning of the script that the agent's signs read; the rest of it is not run. */
function scriptOf([, flag, script = ""]: readonly string[]): string {
  const beginning = flag === "-c" ? /^shopt [^\n]*?; _bgpids_file=/.exec(script)?.[0] : undefined;
  return beginning === undefined ? "read -r _" : "shopt -u nullglob; _bgpids_file=none; read -r _";
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
