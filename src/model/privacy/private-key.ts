/** Where a private key's block begins. */
export const privateKey = /-----BEGIN [A-Z\d ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

const ending = /-----END [A-Z\d ]{0,40}-----/y;
const line = /(?:\s|\\[nr]){1,8}[A-Za-z\d+/=]{16,80}/y;
/** Characters; the longest keys there are have a quarter of it. */
const longestBlock = 32_768;

/** Finds where blocks end, for starts that only grow. A block that was cut off ends with the last line that is one. */
export function createBlockEnds(text: string): (start: number) => number {
  let nextEnding = -1;
  return (start) => {
    if (nextEnding < start) nextEnding = text.indexOf("-----END ", start);
    if (nextEnding === -1) nextEnding = text.length;
    if (nextEnding < text.length && nextEnding - start <= longestBlock) {
      ending.lastIndex = nextEnding;
      return ending.test(text) ? ending.lastIndex : nextEnding;
    }
    let end = start;
    for (line.lastIndex = start; line.test(text);) end = line.lastIndex;
    return end;
  };
}
