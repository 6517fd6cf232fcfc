// Shortens a very large payload before it is parsed, so that it delays no other session's events.

/** Characters; a hundred times the largest captured payload. */
export const maxWholePayload = 256 * 1024;
const maxText = 32 * 1024;
const maxTextWhenFull = 256;
const maxMembers = 1000;

/**
 * Cuts texts of more than `bounds.text` characters and long lists. After `bounds.whole` characters, further objects and lists
 * are left empty. Undefined for torn JSON.
 */
export function shortenPayload(
  json: string,
  bounds: { whole: number; text: number } = { whole: maxWholePayload, text: maxText },
): string | undefined {
  let result = "";
  /** Counts the members of each open object and list. */
  const open: number[] = [];
  /** At this depth, the rest of an object or list is left out. */
  let skippedDepth = Infinity;
  const keep = (text: string): void => {
    if (skippedDepth === Infinity) result += text;
  };
  for (let at = 0; at < json.length;) {
    const isFull = result.length > bounds.whole;
    const char = json.charAt(at);
    if (char === '"') {
      const { cutAt, end } = lookAtText(json, at + 1, isFull ? maxTextWhenFull : bounds.text);
      if (end === json.length) return undefined;
      keep(cutAt === end ? json.slice(at, end + 1) : `${json.slice(at, cutAt)}…"`);
      at = end + 1;
    } else if (char === "{" || char === "[") {
      keep(char);
      open.push(1);
      if (isFull && open.length > 1) skippedDepth = Math.min(skippedDepth, open.length);
      at += 1;
    } else if (char === "}" || char === "]") {
      if (skippedDepth === open.length) skippedDepth = Infinity;
      open.pop();
      keep(char);
      at += 1;
    } else if (char === ",") {
      const members = (open.at(-1) ?? 0) + 1;
      open[open.length - 1] = members;
      if (members > maxMembers) skippedDepth = Math.min(skippedDepth, open.length);
      keep(char);
      at += 1;
    } else {
      let end = at + 1;
      while (end < json.length && !structural.has(json.charCodeAt(end))) end += 1;
      keep(json.slice(at, end));
      at = end;
    }
  }
  return open.length === 0 ? result : undefined;
}

const structural: ReadonlySet<number> = new Set(Buffer.from('"{}[],'));

/** Half a credential is not recognised, so a text is cut between words. */
const maxWord = 4096;

/** Where a text ends, and where it can be cut: never inside an escape. */
function lookAtText(json: string, start: number, maxLength: number): { cutAt: number; end: number } {
  let at = start;
  let cutAt = start;
  let wordAt = start;
  while (at < json.length && json.charCodeAt(at) !== 0x22) {
    const isSpace = json.charCodeAt(at) === 0x20 || json.startsWith("\\n", at);
    if (json.charCodeAt(at) === 0x5c) at += json.charAt(at + 1) === "u" ? 6 : 2;
    else at += 1;
    if (at - start > maxLength) continue;
    cutAt = at;
    if (isSpace) wordAt = at;
  }
  const end = Math.min(at, json.length);
  if (end - start <= maxLength) return { cutAt: end, end };
  return { cutAt: cutAt - wordAt <= maxWord ? wordAt : cutAt, end };
}
