// Commands that hookbell advises, as the user's shell reads them: a POSIX shell, on Windows PowerShell.
import { powerShellQuoted, shellWord } from "../text.ts";

type Platform = NodeJS.Platform;

/** A word of such a command. cmd.exe reads most of those for PowerShell, too. */
export function typedWord(word: string, platform: Platform = process.platform): string {
  if (platform !== "win32") return shellWord(word);
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // In double quotes, PowerShell would read these; it takes typographic quotes for the others.
  return /[$`"\u201c-\u201e]/.test(word) ? powerShellQuoted(word) : `"${word}"`;
}

export function removeCommand(paths: readonly string[], platform: Platform = process.platform): string {
  const words = paths.map((path) => typedWord(path, platform));
  return platform === "win32" ? `Remove-Item -Recurse ${words.join(", ")}` : `rm -r ${words.join(" ")}`;
}

export function copyCommand(from: string, to: string, platform: Platform = process.platform): string {
  const program = platform === "win32" ? "Copy-Item" : "cp";
  return `${program} ${typedWord(from, platform)} ${typedWord(to, platform)}`;
}

/** One that other users cannot read. */
export function makeFolderCommand(path: string, platform: Platform = process.platform): string {
  return `mkdir ${platform === "win32" ? "" : "-m 700 "}${typedWord(path, platform)}`;
}

export function unsetCommand(variable: string, platform: Platform = process.platform): string {
  return platform === "win32" ? `Remove-Item Env:${variable}` : `unset ${variable}`;
}

export function makeWritableCommand(path: string, platform: Platform = process.platform): string {
  const word = typedWord(path, platform);
  return platform === "win32" ? `attrib -r ${word}` : `chmod u+w ${word}`;
}

export function makeRunnableAdvice(path: string, platform: Platform = process.platform): string {
  if (platform !== "win32") return `run chmod +x ${typedWord(path, platform)}`;
  return "name a program (.exe) or a script (.cmd, .bat, .ps1)";
}

/** Windows keeps other users out of a user's folders. */
export function writeSecretAdvice(platform: Platform = process.platform): string {
  return `write the secret into it${platform === "win32" ? "" : ", mode 0600"}`;
}
