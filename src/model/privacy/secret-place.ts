// Where a secret stands in a text, and how the places are found one after the other.

/** A secret if it has a kind. The search continues at its end. */
export interface SecretPlace {
  start: number;
  end: number;
  kind?: string;
}

export interface Pass {
  /** Global, with bounded repetitions. */
  beginning: RegExp;
  place(match: RegExpExecArray, text: string): SecretPlace;
}

export function replaceSecrets(text: string, { beginning, place }: Pass, found: string[]): string {
  let result = "";
  let done = 0;
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const { start, end, kind } = place(match, text);
    if (kind !== undefined) {
      result += `${text.slice(done, start)}[redacted: ${kind}]`;
      done = end;
      found.push(kind);
    }
    beginning.lastIndex = Math.max(end, match.index + 1);
  }
  return done === 0 ? text : result + text.slice(done);
}

export function endOf(text: string, start: number, isEnd: (char: string) => boolean, atMost = Infinity): number {
  let end = start;
  while (end < text.length && end - start < atMost && !isEnd(text.charAt(end))) end += 1;
  return end;
}
