/**
 * The words of a simple shell command, unquoted; undefined when it is more than one (pipes, lists, redirections,
 * substitutions). Backslashes are kept where they look like those of a Windows path.
 */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  const isWindowsPath = /(?:^|["'\s])[A-Za-z]:\\/.test(command);
  while (index < command.length) {
    const char = command.charAt(index);
    if (/\s/.test(char)) {
      if (/[\r\n]/.test(char) && command.slice(index).trim() !== "") return undefined;
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'") {
      const end = command.indexOf("'", index + 1);
      if (end === -1) return undefined;
      word = (word ?? "") + command.slice(index + 1, end);
      index = end;
    } else if (char === '"') {
      const quoted = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(command.slice(index));
      if (quoted === null) return undefined;
      const inner = quoted[1] ?? "";
      if (/`|\$\(/.test(inner)) return undefined;
      word = (word ?? "") + (isWindowsPath ? inner : inner.replace(/\\(["$`\\])/g, "$1"));
      index += quoted[0].length - 1;
    } else if (char === "\\" && !isWindowsPath) {
      word = (word ?? "") + command.charAt(index + 1);
      index += 1;
    } else if ("|;&<>()`".includes(char) && !(char === "&" && index === 0 && command.charAt(1) === " ")) {
      return undefined;
    } else if (char !== "&") {
      word = (word ?? "") + char;
    }
    index += 1;
  }
  if (word !== undefined) words.push(word);
  return words;
}
