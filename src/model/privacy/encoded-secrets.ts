// Credentials in another notation: base64, character references, escapes.
import { withoutControls } from "../text.ts";
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

/** Invisible characters, and the backslash of `\_`. */
const splitting = /[\u00AD\u180E\u200B-\u200D\u2060-\u2064]|\\(?=_)/g;
const reference =
  /&#(\d{2,7});|&#[xX]([\da-fA-F]{2,6});|&(lt|gt|amp|quot|apos|lowbar|hyphen|equals|colon|period);|\\u00([2-7][\da-fA-F])|%([2-7][\da-fA-F])/g;
const names: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  lowbar: "_",
  hyphen: "-",
  equals: "=",
  colon: ":",
  period: ".",
};

/** As a person sees it in the end: invisible characters, markup's references and escapes can split a credential. */
export function asShown(text: string): string {
  const plain = withoutControls(text).replace(splitting, "");
  return plain.replace(
    reference,
    (whole: string, decimal?: string, hex?: string, name?: string, ...escape: string[]) => {
      if (name !== undefined) return names[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? escape[0] ?? escape[1] ?? "", 16) : Number(decimal);
      return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
