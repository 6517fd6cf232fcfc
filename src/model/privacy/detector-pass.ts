// Searches a text for the tokens of detector-shapes.ts. Only their fixed beginnings are searched for at once: one expression of
// 150 whole shapes takes V8 tens of milliseconds to compile.
import { isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass, type SecretPlace } from "./secret.ts";

export interface DetectorShape {
  name: string;
  /** Fixed beginnings, each with the bounded expression that must follow. */
  starts: Readonly<Record<string, string>>;
  /** The inside of a character class. */
  goesOnWith?: string;
  /** The match counts only if it looks random. */
  isVague?: boolean;
  /** The match counts only at the beginning of a word. */
  isWord?: boolean;
}

interface Start {
  shape: DetectorShape;
  prefix: string;
  rest: string;
  compiled?: { rest: RegExp; goesOn: RegExp | undefined };
}

const minVagueLength = 20;

export function detectorPass(shapes: readonly DetectorShape[]): Pass {
  const starts: Start[] = shapes
    .flatMap((shape) => Object.entries(shape.starts).map(([prefix, rest]) => ({ shape, prefix, rest })))
    // The longer of two comes first.
    .sort((a, b) => (a.prefix < b.prefix ? 1 : -1));
  const prefixes = [...new Set(starts.map(({ prefix }) => prefix))];
  return {
    beginning: new RegExp(prefixes.map((prefix) => prefix.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "g"),
    place({ index, 0: longest }, text) {
      const isInWord = !startsWord(text, index);
      for (const start of starts) {
        if (!longest.startsWith(start.prefix) || (start.shape.isWord === true && isInWord)) continue;
        const found = tokenAt(text, index, start);
        if (found !== undefined) return found;
      }
      return { start: index, end: index };
    },
  };
}

function tokenAt(text: string, index: number, start: Start): SecretPlace | undefined {
  const { shape } = start;
  start.compiled ??= {
    rest: new RegExp(start.rest, "y"),
    goesOn: shape.goesOnWith === undefined ? undefined : new RegExp(`[${shape.goesOnWith}]`),
  };
  const { rest, goesOn } = start.compiled;
  rest.lastIndex = index + start.prefix.length;
  if (!rest.test(text)) return undefined;
  const end = goesOn === undefined ? rest.lastIndex : endOf(text, rest.lastIndex, (char) => !goesOn.test(char));
  if (shape.isVague === true && !isRandomLooking(text.slice(index, end), minVagueLength)) return undefined;
  return { start: index, end, kind: shape.name };
}

/** The letter of an escaped line break may come before it, too. */
function startsWord(text: string, index: number): boolean {
  return !/[A-Za-z\d-]/.test(text.charAt(index - 1)) || /\\[nrt]$/.test(text.slice(Math.max(0, index - 2), index));
}
