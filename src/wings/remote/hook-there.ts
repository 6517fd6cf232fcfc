// hookbell's folder on another machine: its hook, and the mark of the computer that follows it.
import { UserError } from "../../model/errors.ts";
import type { Host } from "./host.ts";
import type { ReachedRemote } from "./remotes.ts";

/** hooks/hookbell-remote.sh has the same path. */
const stateThere = ({ home }: Pick<Host, "home">): string => `${home}/.local/state/hookbell`;
const ownerThere = (host: Host): string => `${stateThere(host)}/owner`;

/** hooks/hookbell-hook.sh keeps so many, the oldest. */
export const maxWaiting = 10_000;

/** Agents there call it. */
export const hookThere = (host: Pick<Host, "home">): string => `${stateThere(host)}/hookbell-hook.sh`;

/** Whose the folder is: undefined for no one. */
export async function ownerOf(host: Host): Promise<string | undefined> {
  const found = await host.look(ownerThere(host));
  if (found.what === "none") return undefined;
  return found.what === "file" ? found.bytes.toString("utf8").trim() : "";
}

/** Whether hookbell itself is installed there, with Node. */
export async function hasOwnHookbell(host: Host): Promise<boolean> {
  return (await host.look(`${stateThere(host)}/installed.json`)).what !== "none";
}

/** Throws unless this computer follows the machine, and its hook is there. Brings the hook up to date. */
export async function requireOwnHook(host: Host, { name, owner }: ReachedRemote, hookText: string): Promise<void> {
  const found = await ownerOf(host);
  if (found === undefined) throw hookMissing(name);
  if (found !== owner) throw followedElsewhere(name);
  // A machine that is just being given back must not get its hook again.
  if ((await host.look(hookThere(host))).what === "none") throw hookMissing(name);
  await putHook(host, name, hookText);
}

export function hookMissing(name: string): UserError {
  return new UserError("remote.hook-missing", `${name} has no hook of hookbell any more`, {
    hint: `hookbell remote add ${name}`,
  });
}

export function followedElsewhere(name: string): UserError {
  return new UserError("remote.taken", `another computer follows ${name}, or another name of it does`, {
    hint: "hookbell remote remove, where it was added; two machines that share one home folder count as one",
  });
}

export async function putHook(host: Host, name: string, hookText: string): Promise<void> {
  await putThere(host, name, hookThere(host), hookText, true);
}

export async function putOwner(host: Host, { name, owner }: Pick<ReachedRemote, "name" | "owner">): Promise<void> {
  await putThere(host, name, ownerThere(host), `${owner}\n`, false);
}

async function putThere(host: Host, name: string, path: string, text: string, isProgram: boolean): Promise<void> {
  const found = await host.look(path);
  const before = found.what === "file" ? found.bytes : undefined;
  if (before?.toString("utf8") === text) return;
  const put = found.what === "failed" ? found : await host.put(path, before, new TextEncoder().encode(text), isProgram);
  if (put.what === "done") return;
  const why = put.what === "changed" ? "it is being changed" : put.why;
  throw new UserError("remote.unwritable", `${name}: ${path}: ${why}`);
}

const probeBytes = 16 * 1024;

/** Throws if an event would find no room there. */
export async function tryToWrite(host: Host, name: string): Promise<void> {
  const path = `${stateThere(host)}/probe`;
  const bytes = new Uint8Array(probeBytes).fill("x".charCodeAt(0));
  const put = await host.put(path, undefined, bytes, false);
  if (put.what === "failed") throw new UserError("remote.unwritable", `${name}: ${path}: ${put.why}`);
  await host.remove(path, bytes);
}

/** The folders that the hook needs and that are not there yet, the innermost first. */
export async function missingFolders(host: Host): Promise<string[]> {
  const folders = [stateThere(host), `${host.home}/.local/state`, `${host.home}/.local`];
  const found = await Promise.all(folders.map((folder) => host.look(folder)));
  return folders.filter((_, index) => found[index]?.what === "none");
}

export async function countWaiting(host: Host): Promise<number> {
  const names = await host.list(`${stateThere(host)}/incoming`);
  return names.filter((name) => !name.endsWith(".over.json")).length;
}

const droppedThere = (host: Host): string => `${stateThere(host)}/dropped`;

/** Counts the events that the hook there has dropped, because `maxWaiting` waited already. */
export async function countDropped(host: Host): Promise<number> {
  const found = await host.look(droppedThere(host));
  return found.what === "file" ? found.bytes.length : 0;
}

/** Begins to count anew, unless more have been dropped since there were so many. */
export async function forgetDropped(host: Host, count: number): Promise<void> {
  await host.remove(droppedThere(host), new TextEncoder().encode(".".repeat(count)));
}

/** Removes hookbell's own files there. Events that still wait keep their folder. */
export async function removeHook(host: Host, { madeFolders }: Pick<ReachedRemote, "madeFolders">): Promise<void> {
  await host.leave(madeFolders.includes(stateThere(host)));
  for (const folder of madeFolders) await host.removeFolder(folder);
}
