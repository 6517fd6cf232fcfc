// Environment variables, and the current folder.
import { readIfThere } from "./files/read.ts";

/** Only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}

/** Undefined where the system does not show them. Linux only. */
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
