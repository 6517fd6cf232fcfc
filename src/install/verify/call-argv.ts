import type { EntryForm } from "../../agents/wiring.ts";
import type { Environment } from "../../system/environment.ts";

type Argv = readonly [string, ...string[]];

/** What the agent starts for a hook of its settings; undefined when it runs no command. */
export function callArgv(
  handler: Readonly<Record<string, unknown>>,
  { commandKey, shell, windows }: EntryForm,
  platform: NodeJS.Platform,
  env: Environment,
): { argv: Argv; shown: string } | undefined {
  const textOf = (key: string): string | undefined => {
    const value = handler[key];
    return typeof value === "string" ? value : undefined;
  };
  const isWindows = platform === "win32";
  const special = isWindows ? (textOf("powershell") ?? textOf("commandWindows")) : undefined;
  const command = special ?? textOf(commandKey) ?? textOf("command");
  if (command === undefined) return undefined;
  const { args } = handler;
  // A program and its arguments, past every shell.
  if (Array.isArray(args)) return { argv: [command, ...args.map(String)], shown: [command, ...args].join(" ") };
  if (!isWindows) return { argv: [...posixShell(shell, env), command], shown: command };
  const isPowershell = windows === "powershell" || textOf("powershell") !== undefined;
  const argv: Argv = isPowershell
    ? ["powershell", "-NoProfile", "-Command", command]
    : ["cmd.exe", "/d", "/s", "/c", `"${command}"`];
  return { argv, shown: command };
}

function posixShell(shell: EntryForm["shell"], env: Environment): readonly [string, string] {
  if (shell === "login") return [env.SHELL || "/bin/sh", "-lc"];
  return [shell === "bash" ? "bash" : "sh", "-c"];
}
