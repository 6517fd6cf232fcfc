// How a word is written in a command line. In model/ because agents, install and commands all write command lines.

/** A word for a POSIX shell; quoted only when it must be, since agents show the command to the user. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuoted(word);
}

/** A word for a POSIX shell, always quoted. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A call of Node that cmd.exe, PowerShell and Git Bash read alike. PowerShell does not run a quoted program, so Node is
 * called by its bare name and must be on PATH.
 */
export function windowsLine([, ...words]: readonly string[]): string {
  return `node ${words.map((word) => (/^[A-Za-z0-9_-]+$/.test(word) ? word : `"${word}"`)).join(" ")}`;
}
