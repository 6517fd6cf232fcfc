// Replaces what looks like a credential in a text with `[redacted: KIND]`.
import { cut, printableLine } from "../text.ts";
import { commandOptions, logins, passwordFileLines, statementPasswords } from "./command-secrets.ts";
import { createBlockEnds, ownShapes, privateKey, urlShapes, shapePass } from "./credential-shapes.ts";
import { detectorPass } from "./detector-pass.ts";
import { detectorShapes } from "./detector-shapes.ts";
import { asShown, encodedPass } from "./encoded-secrets.ts";
import { authorizations, cookies } from "./header-secrets.ts";
import { elements, namedValues } from "./named-secrets.ts";
import { type Pass, replaceSecrets } from "./secret.ts";

export interface Scrubbed {
  text: string;
  found: string[];
}

export function scrub(text: string): Scrubbed {
  const plain = scrubPlain(text, passes);
  const shown = asShown(plain.text);
  if (shown === plain.text) return plain;
  const hidden = scrubPlain(shown, passes);
  return hidden.found.length === 0 ? plain : { text: hidden.text, found: [...plain.found, ...hidden.found] };
}

function scrubPlain(text: string, searches: readonly Search[]): Scrubbed {
  const found: string[] = [];
  let scrubbed = text;
  for (const search of searches) scrubbed = replaceSecrets(scrubbed, search(scrubbed), found);
  return { text: scrubbed, found };
}

/** What is looked for in one text: a block's end is remembered between matches. */
type Search = (text: string) => Pass;

const keys: Search = (text) => {
  const endOfBlock = createBlockEnds(text);
  return {
    beginning: privateKey,
    place: ({ index, 0: { length } }) => ({ start: index, end: endOfBlock(index + length), kind: "private key" }),
  };
};
const always =
  (pass: Pass): Search =>
  () =>
    pass;
const tokens = [detectorPass(detectorShapes), shapePass(ownShapes)].map(always);
/** Shapes come first, because they name the kind best. */
const plainPasses = [
  keys,
  ...tokens,
  ...[
    shapePass(urlShapes),
    authorizations,
    cookies,
    logins,
    commandOptions,
    statementPasswords,
    passwordFileLines,
    namedValues,
    elements,
  ].map(always),
];
const encoded = encodedPass(
  (text) => scrubPlain(text, [keys, ...tokens]).found.length > 0,
  (text) => scrubPlain(text, plainPasses).found.length > 0,
);
const passes = [...plainPasses.slice(0, 3), always(encoded), ...plainPasses.slice(3)];

/** A test checks that each expression reads a bounded part of the text. */
export const searched: readonly RegExp[] = passes.map((search) => search("").beginning);

/** The unit is code points. */
const maxPreviewLength = 60;

/** The text is scrubbed before it is cut: half a credential is not recognised. */
export function preview(text: string, shorten: (text: string, most: number) => string = cut): string {
  return shorten(printableLine(scrub(text).text), maxPreviewLength);
}
