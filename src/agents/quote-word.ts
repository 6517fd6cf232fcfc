/** A word for a POSIX shell; quoted only when it must be, since agents show the command to the person. */
export function posixWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word for PowerShell, in which single quotes take everything as it is, the curly ones for quotes as well. */
export function powershellWord(word: string): string {
  return /^[A-Za-z0-9_-]+$/.test(word) ? word : `'${word.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}
