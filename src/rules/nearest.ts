// Suggests the word that was probably meant.
import { closest, distance } from "fastest-levenshtein";

const maxListed = 40;

/** More comparisons take longer than the hint is worth. */
const maxCompared = 500;

/** The known word that was probably meant; undefined if none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const plain = simplify(word);
  const same = known.find((candidate) => simplify(candidate) === plain);
  if (same !== undefined) return same;
  // A very long word is not a typo.
  if (plain.length > 64 || known.length > maxCompared) return undefined;
  const swapped = known.find((candidate) => lettersOf(simplify(candidate)) === lettersOf(plain));
  if (swapped !== undefined) return swapped;
  const best = closest(plain, known.map(simplify));
  const longer = Math.max(plain.length, best.length);
  const most = longer < 3 ? 0 : Math.max(1, Math.floor(longer / 3));
  return distance(plain, best) <= most ? known.find((candidate) => simplify(candidate) === best) : undefined;
}

const maxNamed = 3;

/** A hint with the known names that share most with one, also where none is close: `ToolUseFailed`, `PostToolUseFailure`. */
export function suggestNearest(name: string, known: readonly string[], what: string): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const parts = partsOf(name);
  const shared = (candidate: string): number =>
    partsOf(candidate).filter((part) => parts.some((each) => each.slice(0, 4) === part.slice(0, 4))).length;
  const near = known
    .filter((candidate) => shared(candidate) > 0)
    .toSorted((a, b) => shared(b) - shared(a) || distance(name, a) - distance(name, b));
  return near.length === 0 ? suggest(name, known, what) : `similar ${what}: ${near.slice(0, maxNamed).join(", ")}`;
}

/** `PostToolUse` and `permission_prompt` in their words. */
function partsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part.length > 2);
}

/** The hint for an unknown word: what was probably meant, else all known words. */
export function suggest(word: string, known: readonly string[], what: string): string {
  const meant = nearest(word, known);
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (known.length === 0) return `there are no ${what}`;
  const more = known.length > maxListed ? `, and ${known.length - maxListed} more` : "";
  return `${what}: ${known.slice(0, maxListed).join(", ")}${more}`;
}

/** Case, dashes and underscores are easy to get wrong. */
function simplify(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}

/** The same letters in another order count as one typo. */
function lettersOf(word: string): string {
  return [...word].sort().join("");
}
