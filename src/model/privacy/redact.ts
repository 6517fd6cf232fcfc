// Removes known secrets from what a receiver answered.
import type { Outcome } from "../outcome.ts";
import { cut, oneLine, percentDecoded } from "../text.ts";
import { isRandomLooking } from "./random-looking.ts";
import { Secret } from "./secret.ts";

const placeholder = "[secret]";
const minSecretLength = 4;
const minRandomLabel = 12;
/** A shorter secret has too few letters that do not depend on what is beside them. */
const minWithinBase64 = 8;

export function redact(text: string, settings: unknown): string {
  return redactor(settings)(text);
}

function redactor(settings: unknown): (text: string) => string {
  const secrets = secretTexts(settings);
  return (text) => {
    // Most texts have none, and an expression of all secrets is slow to make.
    const upper = text.toUpperCase();
    const found = secrets.filter((secret) => upper.includes(secret.upper));
    if (found.length === 0) return text;
    return text.replace(new RegExp(found.map((secret) => asPattern(secret.text)).join("|"), "gi"), placeholder);
  };
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

interface SecretText {
  text: string;
  upper: string;
}

/** Longest first. */
function secretTexts(settings: unknown): SecretText[] {
  const all = [...new Set(secretObjectsIn(settings))].flatMap(textsOf);
  return all.sort((a, b) => b.text.length - a.text.length);
}

/** A channel's secrets are looked for in all that it returns. */
const textsOfKnown = new WeakMap<Secret, readonly SecretText[]>();

function textsOf(secret: Secret): readonly SecretText[] {
  const known = textsOfKnown.get(secret);
  if (known !== undefined) return known;
  const value = secret.reveal();
  const texts = new Set<string>();
  for (const text of value.length < minSecretLength ? [] : partsOf(value)) {
    for (const written of writingsOf(text)) {
      if (written !== "") texts.add(written).add(written.replaceAll("/", "\\/"));
    }
  }
  const made = [...texts].map((text) => ({ text, upper: text.toUpperCase() }));
  textsOfKnown.set(secret, made);
  return made;
}

/** The ways in which a URL, JSON, HTML and an encoded header write it. */
function writingsOf(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  const codeOf = (char: string): string => char.charCodeAt(0).toString(16);
  const named = text.replace(/[&<>"']/g, (char) => htmlNames[char] ?? char);
  return [
    text,
    encodeURIComponent(text.toWellFormed()),
    inJson,
    inJson.replace(/[&<>'+=]/g, (char) => `\\u00${codeOf(char)}`),
    inJson.replace(/[&<>]/g, (char) => `\\u00${codeOf(char)}`),
    named,
    named.replaceAll("&#39;", "&#x27;").replaceAll("/", "&#x2F;"),
    named.replaceAll("/", "&#47;"),
    ...(["base64", "base64url"] as const).map((encoding) =>
      Buffer.from(text)
        .toString(encoding)
        .replace(/(?<!=)=+$/, ""),
    ),
    ...withinBase64(text),
  ];
}

/** What every login by `Basic` with this password has in common: a name and a colon are before it. */
function withinBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length < minWithinBase64) return [];
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [before === 0 ? 0 : before + 1, Math.floor((padded.length * 8) / 6)];
    return (["base64", "base64url"] as const).map((encoding) => padded.toString(encoding).slice(from, to));
  });
}

const htmlNames: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * The token of `Bearer TOKEN`; of a URL its login, and its path and query with their parts. A server's name is no secret and
 * tells what could not be reached, unless it looks random: some services give each user a name.
 */
function partsOf(value: string): string[] {
  if (!URL.canParse(value)) return [value, ...value.split(/\s+/).filter(isTelling)];
  const url = new URL(value);
  const isServer = /^(?:https?|wss?|smtps?):$/.test(url.protocol) && !/[@?#]/.test(value) && url.pathname.length <= 1;
  const labels = url.hostname.split(".").filter((label) => isRandomLooking(label, minRandomLabel));
  if (isServer) return labels;
  const paths = [url.pathname + url.search, url.pathname].filter((path) => path.length > 1);
  const logins = [url.password, percentDecoded(url.password) ?? ""].filter((login) => login.length >= minSecretLength);
  return [
    value,
    ...labels,
    ...paths,
    ...logins,
    ...[...url.pathname.split("/"), ...url.searchParams.values()].filter(isTelling),
  ];
}

/** Parts such as `services` or `api` are no secrets. */
function isTelling(part: string): boolean {
  return part.length >= 16 || (part.length >= 6 && /\d|[A-Z].*[A-Z]/.test(part));
}

export function secretsIn(settings: unknown): string[] {
  return secretObjectsIn(settings).map((secret) => secret.reveal());
}

function secretObjectsIn(settings: unknown): Secret[] {
  if (settings instanceof Secret) return [settings];
  if (typeof settings !== "object" || settings === null) return [];
  return Object.values(settings).flatMap(secretObjectsIn);
}

/** Code points. */
export const maxDetailLength = 400;

export function withoutSecrets<T extends Outcome>(outcome: T, settings: unknown): T {
  return outcome.detail === undefined ? outcome : { ...outcome, detail: withoutSecretsIn(outcome.detail, settings) };
}

/** A copy in which every text is one line without secrets. */
export function withoutSecretsIn<T>(value: T, settings: unknown): T {
  const withoutThem = redactor(settings);
  const clean = (part: unknown): unknown => {
    // Joining lines first can join the parts of a secret; cutting first could halve one.
    if (typeof part === "string") return cut(withoutThem(oneLine(part)), maxDetailLength);
    if (Array.isArray(part)) return part.map(clean);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, clean(each)]));
  };
  return clean(value) as T;
}
