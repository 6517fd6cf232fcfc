// Finds processes by what /proc says of them, without a program that the machine may lack. Linux only.
import { readdirSync, readFileSync } from "node:fs";

/** Process ids whose command line contains the text; dead ones have no command line. */
export const processesWithArgument = (text: string): number[] => findProcesses("cmdline", text);

/** Process ids whose environment contains the text. */
export const processesWithEnvironment = (text: string): number[] => findProcesses("environ", text);

function findProcesses(file: "cmdline" | "environ", text: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/${file}`, "utf8").includes(text) ? [Number(name)] : [];
    } catch {
      // Another user's process, or one that has ended.
      return [];
    }
  });
}
