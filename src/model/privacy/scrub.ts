// Replaces what looks like a credential in a text with `[redacted: KIND]`.
import { cut, printableLine } from "../text.ts";
import { commandOptions, logins, passwordFileLines, statementPasswords } from "./command-secrets.ts";
import { createBlockEnds, ownShapes, privateKey, urlShapes, shapePass } from "./credential-shapes.ts";
import { detectorPass } from "./detector-pass.ts";
import { detectorShapes } from "./detector-shapes.ts";
import { encodedPass } from "./encoded-secrets.ts";
import { authorizations, cookies } from "./header-secrets.ts";
import { elements, namedValues } from "./named-secrets.ts";
import { findSecrets, type Pass, replaceSecrets, type SecretPlace } from "./secret.ts";
import { asJoined, asRendered, asShown, type Rewritten } from "./shown-text.ts";

export interface Scrubbed {
  text: string;
  found: string[];
}

export function scrub(text: string): Scrubbed {
  const { tokens, all } = searches();
  const plain = scrubPlain(text, all);
  const views = asShown(plain.text).flatMap((shown): [Rewritten, readonly Search[]][] => {
    const rendered = asRendered(shown);
    return [
      [shown, all],
      [rendered, all],
      ...asJoined(rendered).map((joined): [Rewritten, readonly Search[]] => [joined, tokens]),
    ];
  });
  const hidden = views.flatMap(([view, searched], nth) =>
    view.from === undefined || view === views[nth - 1]?.[0] ? [] : placesIn(view, plain.text, searched),
  );
  return hidden.length === 0 ? plain : replaceHidden(plain, hidden);
}

type Hidden = Required<SecretPlace>;

/** Where credentials stand in the original that show only in this form of it. */
function placesIn(view: Rewritten, original: string, searched: readonly Search[]): Hidden[] {
  const { text, from = new Uint32Array() } = view;
  const originAt = (at: number): number => from[at] ?? original.length;
  const endOfOrigin = (last: number): number => {
    const isKept = original[originAt(last)] === text[last];
    // Marks behind the credential stay, but a reference is more than one character.
    return isKept ? originAt(last) + 1 : originAt(last + 1);
  };
  return searched.flatMap((search) =>
    findSecrets(text, search(text)).map(({ start, end, kind }) => ({
      start: originAt(start),
      end: endOfOrigin(end - 1),
      kind,
    })),
  );
}

/** Where places overlap, the first search has named the kind. */
function replaceHidden({ text, found }: Scrubbed, hidden: readonly Hidden[]): Scrubbed {
  const merged: (Hidden & { nth: number })[] = [];
  const sorted = hidden.map((place, nth) => ({ ...place, nth })).sort((one, other) => one.start - other.start);
  for (const place of sorted) {
    const last = merged.at(-1);
    if (last === undefined || place.start >= last.end) merged.push(place);
    else {
      last.end = Math.max(last.end, place.end);
      if (place.nth < last.nth) Object.assign(last, { kind: place.kind, nth: place.nth });
    }
  }
  let result = "";
  let done = 0;
  for (const { start, end, kind } of merged) {
    result += `${text.slice(done, start)}[redacted: ${kind}]`;
    done = end;
  }
  return { text: result + text.slice(done), found: [...found, ...merged.map(({ kind }) => kind)] };
}

function scrubPlain(text: string, searched: readonly Search[]): Scrubbed {
  const found: string[] = [];
  let scrubbed = text;
  for (const search of searched) scrubbed = replaceSecrets(scrubbed, search(scrubbed), found);
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

interface Searches {
  /** Only for tokens, whose shapes alone tell them. */
  tokens: readonly Search[];
  all: readonly Search[];
}

let made: Searches | undefined;

/** The first text makes them: most commands search none, and the expressions take time. */
function searches(): Searches {
  return (made ??= makeSearches());
}

function makeSearches(): Searches {
  const tokens = [detectorPass(detectorShapes), shapePass(ownShapes)].map(always);
  /** Shapes come first, because they name the kind best. */
  const plain = [
    keys,
    ...tokens,
    ...[shapePass(urlShapes), authorizations, cookies, logins].map(always),
    commandOptions,
    // A program may have been given two, such as an old and a new one.
    commandOptions,
    ...[statementPasswords, passwordFileLines, namedValues, elements].map(always),
  ];
  const encoded = encodedPass(
    (text) => scrubPlain(text, [keys, ...tokens]).found.length > 0,
    (text) => scrubPlain(text, plain).found.length > 0,
  );
  return { tokens, all: [...plain.slice(0, 3), always(encoded), ...plain.slice(3)] };
}

/** A test checks that each expression reads a bounded part of the text. */
export function searchedExpressions(): RegExp[] {
  return searches().all.map((search) => search("").beginning);
}

/** The unit is code points. */
const maxPreviewLength = 60;

/** The text is scrubbed before it is cut: half a credential is not recognised. */
export function preview(text: string, shorten: (text: string, most: number) => string = cut): string {
  return shorten(printableLine(scrub(text).text), maxPreviewLength);
}
