// Tells the person who answers from the agent that asks, by the processes between each and its terminal. Pure.
import type { ProcessInChain } from "../system/process/identity.ts";

/** A process; its start time tells it from a later one with the same id. */
export interface KnownProcess {
  pid: number;
  start: string;
}

const shells: ReadonlySet<string> = new Set([
  "ash",
  "bash",
  "busybox",
  "csh",
  "dash",
  "elvish",
  "fish",
  "ksh",
  "mksh",
  "nu",
  "pwsh",
  "sh",
  "tcsh",
  "zsh",
]);

export const isShell = (program: string): boolean => shells.has(program);

/** Whether every program of the user descends from it, agents and the person's terminals alike. */
const isOfEveryone = ({ pid, parentPid, program }: Pick<ProcessInChain, "pid" | "parentPid" | "program">): boolean =>
  pid <= 1 || (parentPid <= 1 && program === "systemd");

/**
 * The processes by which an agent asks: from the hook's parent, which comes first, up to the agent and the programs that started it, but not
 * the shell in which the person started it. Without such a shell, only up to the first program that is no shell: what
 * is above it, such as an editor or tmux, may also be above the person's terminals.
 */
export function agentAmong(parents: readonly ProcessInChain[]): KnownProcess[] {
  const common = parents.findIndex(isOfEveryone);
  const ancestors = common === -1 ? parents : parents.slice(0, common);
  const first = ancestors.findIndex(({ program }) => !isShell(program));
  const isOfPerson = ({ program, hasTerminal, leadsGroup }: ProcessInChain): boolean =>
    isShell(program) && hasTerminal && leadsGroup;
  const shell = ancestors.findIndex((each, index) => index > first && isOfPerson(each));
  const known = ancestors.slice(0, first === -1 || shell === -1 ? first + 1 : shell);
  return known.map(({ pid, start }) => ({ pid, start }));
}

/** The caller and its ancestors up to the process that leads their terminal's session; empty if none of them does. */
export function upToTerminal(caller: readonly ProcessInChain[]): ProcessInChain[] {
  const leader = caller.findIndex(({ leadsSession }) => leadsSession);
  const isAtTerminal =
    caller[0]?.hasTerminal === true &&
    caller[leader]?.hasTerminal === true &&
    caller[leader]?.device === caller[0]?.device;
  return isAtTerminal ? caller.slice(0, leader + 1) : [];
}

export const isSameKnown = (one: KnownProcess, other: KnownProcess): boolean =>
  one.pid === other.pid && one.start === other.start;

export function descendsFrom(caller: readonly ProcessInChain[], known: readonly KnownProcess[]): boolean {
  return caller.some((each) => !isOfEveryone(each) && known.some((other) => isSameKnown(each, other)));
}
