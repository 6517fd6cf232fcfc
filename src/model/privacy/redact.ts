import type { Outcome } from "../outcome.ts";
import { cut, printableLine } from "../text.ts";
import { Secret } from "./secret.ts";

const placeholder = "[secret]";
/** An extra header may say `a` or `1`; that is no credential, and no text could be read without it. */
const minSecretLength = 4;

/** The text without any secret of these settings, for what a receiver says may repeat what it was sent. */
export function redact(text: string, settings: unknown): string {
  const secrets = secretTexts(settings);
  if (secrets.length === 0) return text;
  return text.replace(new RegExp(secrets.map(asPattern).join("|"), "g"), placeholder);
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Every way in which a receiver may repeat a secret, the longest first, so that no rest of one is left. */
function secretTexts(settings: unknown): string[] {
  const texts = new Set<string>();
  for (const value of secretsIn(settings)) {
    if (value.length < minSecretLength) continue;
    for (const text of [value, ...partsOf(value)]) {
      for (const written of [text, encodeURIComponent(text.toWellFormed()), JSON.stringify(text).slice(1, -1)]) {
        if (written !== "") texts.add(written).add(written.replaceAll("/", "\\/"));
      }
    }
  }
  return [...texts].sort((a, b) => b.length - a.length);
}

/** The token of `Bearer TOKEN`, and what is secret in a URL: its path, its query, and the pieces of both. */
function partsOf(value: string): string[] {
  const words = value.split(/\s+/);
  if (!URL.canParse(value)) return words.filter(isTelling);
  const url = new URL(value);
  const paths = [url.pathname + url.search, url.pathname].filter((path) => path.length > 1);
  const logins = [url.password, decoded(url.password)].filter((login) => login.length >= minSecretLength);
  return [...paths, ...logins, ...[...url.pathname.split("/"), ...url.searchParams.values()].filter(isTelling)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Not every piece is a credential: without `services` or `api` blotted out, the text can still be read. */
function isTelling(part: string): boolean {
  return part.length >= 16 || (part.length >= 6 && /\d|[A-Z].*[A-Z]/.test(part));
}

/** The value of every secret in resolved settings, in their order. */
export function secretsIn(settings: unknown): string[] {
  if (settings instanceof Secret) return [settings.reveal()];
  if (typeof settings !== "object" || settings === null) return [];
  return Object.values(settings).flatMap(secretsIn);
}

/** In code points: what is said about an attempt stands on one line of the journal. */
export const maxDetailLength = 400;

/** The outcome with a detail of one line, cut to its length, in which none of these settings' secrets stands. */
export function withoutSecrets<T extends Outcome>(outcome: T, settings: unknown): T {
  if (outcome.detail === undefined) return outcome;
  // Redacted when it is printable, since that may put a secret together; before it is cut: half of one is not recognised.
  return { ...outcome, detail: cut(redact(printableLine(outcome.detail), settings), maxDetailLength) };
}
