// The environment variables and the current folder of this process, and other processes' variables.
import { readIfThere } from "./files/read.ts";

/** Passed on, so that only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}

/** These variables of another process of this user; undefined where the system does not show them. Linux only. */
export function environmentOf(pid: number, names: Iterable<string>): Record<string, string> | undefined {
  let text: string | undefined;
  try {
    text = readIfThere(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
  if (text === undefined) return undefined;
  const wanted = new Set(names);
  const pairs = text.split("\0").map((line): [string, string] => {
    const end = line.indexOf("=");
    return [line.slice(0, end), line.slice(end + 1)];
  });
  return Object.fromEntries(pairs.filter(([name]) => wanted.has(name)));
}

/** Whether `HOOKBELL_DISABLE` is set to anything but a no. */
export function isDisabled({ HOOKBELL_DISABLE: value = "" }: Environment): boolean {
  return !/^(|0|false|no|off)$/i.test(value);
}

/** The current folder, or `/` if it has been deleted. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
