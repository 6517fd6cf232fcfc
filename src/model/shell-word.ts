// How a word is written in a command line.

/** For a POSIX shell; quoted only if needed: agents show the command. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuoted(word);
}

export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** For cmd.exe, PowerShell and Git Bash. PowerShell runs no quoted program, so Node must be on PATH. */
export function windowsLine([, ...words]: readonly string[]): string {
  return `node ${words.map((word) => (/^[A-Za-z0-9_-]+$/.test(word) ? word : `"${word}"`)).join(" ")}`;
}
