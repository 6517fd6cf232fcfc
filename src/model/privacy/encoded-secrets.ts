// Credentials in base64.
import { endOf, type Pass } from "./secret.ts";

const base64Character = /[A-Za-z\d+/_-]/;
const readable = /^[\t\n\r -~]*$/;
/** Binary data is not searched: it has no such run of printable characters. */
const printableRun = /[ -~]{16}/;

/** A run of base64 is replaced as a whole. It may begin anywhere in a group of four characters. */
export function encodedPass(hasToken: (text: string) => boolean, hasSecret: (text: string) => boolean): Pass {
  return {
    beginning: /[A-Za-z\d+/_-]{24}/g,
    place({ index, 0: beginning }, text) {
      const end = endOf(text, index + beginning.length, (char) => !base64Character.test(char));
      const isFound = [0, 1, 2, 3].some((shift) => {
        const decoded = Buffer.from(text.slice(index + shift, end), "base64").toString("latin1");
        return printableRun.test(decoded) && (readable.test(decoded) ? hasSecret(decoded) : hasToken(decoded));
      });
      const padded = endOf(text, end, (char) => char !== "=", 2);
      return isFound ? { start: index, end: padded, kind: "encoded credential" } : { start: index, end };
    },
  };
}
