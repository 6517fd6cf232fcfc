// How a word is written in a command line.

/** A word of a POSIX shell. It is quoted only if needed, since agents show the command. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuoted(word);
}

export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A line for cmd.exe, PowerShell and Git Bash. PowerShell runs no quoted program, so Node must be on PATH. */
export function windowsLine([, ...words]: readonly string[]): string {
  return `node ${words.map((word) => (/^[A-Za-z0-9_-]+$/.test(word) ? word : `"${word}"`)).join(" ")}`;
}
