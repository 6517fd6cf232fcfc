import type { EntryForm } from "../../agents/wiring.ts";
import { powershellWord } from "../../agents/quote-word.ts";

/**
 * The command's members of a hook on Windows. Each agent starts commands in its own way there; these follow their
 * documentation, and none of them was tried.
 */
export function windowsEntry(
  { windows, commandKey }: Pick<EntryForm, "windows" | "commandKey">,
  argv: readonly string[],
): Readonly<Record<string, unknown>> {
  const [program = "", ...words] = argv;
  switch (windows) {
    // No shell at all.
    case "arguments":
      return { command: program, args: words };
    // Git Bash and cmd.exe.
    case "quoted":
      return { command: doubleQuoted(argv) };
    case "powershell":
      return { command: inPowershell(argv) };
    case "powershellField":
      return {
        ...(commandKey === "command" ? { command: inAnyShell(argv) } : {}),
        powershell: inPowershell(argv),
      };
    // Codex: `command` is for everybody else, and must be there all the same.
    case "commandWindows":
      return { command: doubleQuoted(argv), commandWindows: doubleQuoted(argv) };
    case "anyShell":
      return { command: inAnyShell(argv) };
  }
}

/** A quoted program alone is just a text to PowerShell; `&` calls it. */
function inPowershell(argv: readonly string[]): string {
  return `& ${argv.map(powershellWord).join(" ")}`;
}

/** Where nobody says which shell it is: a bare `node` is called by all of them, a quoted path by some only. */
function inAnyShell([, ...words]: readonly string[]): string {
  return `node ${doubleQuoted(words)}`;
}

function doubleQuoted(words: readonly string[]): string {
  return words.map((word) => (/^[A-Za-z0-9_-]+$/.test(word) ? word : `"${word}"`)).join(" ");
}
