// Secrets recognised by the name before them, such as `password: x`.
import { isPlaceholder, isRandomLooking } from "./random-looking.ts";

const passwordNames = "passw(?:or)?d|passphrase|passcode|pwd|[_-]pass";
const keyNames = [
  "secret|token|credentials?|jwt|api[_-]?key|key[_-]?base",
  "(?:access|account|auth|private|secret|signing|encryption|master|license)[_-]?key|x-[a-z\\d-]{1,20}-key",
].join("|");
const anyName = `${passwordNames}|${keyNames}`;
const minPasswordLength = 6;
const minKeyLength = 10;

/** `password: x`, `"api_key": "x"`, `TOKEN=x`, `--token x`, with the opening quote. */
export const named = new RegExp(
  `(?:(?<![\\w-])--?[\\w-]{0,40}?(${anyName})[ \\t]{1,4}|(${anyName}|[a-z\\d]_key)\\\\?["'\`]?\\]?\\s{0,4}(?::=|=>|==?|:)\\s{0,4})(\\\\?["'\`])?`,
  "gi",
);
/** `Authorization: Bearer x`. */
export const authorization =
  /(?<![\w-])(?:authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:(?:bearer|basic|digest|token|bot)\s{1,4})?|(?:bearer|basic)\s{1,4})/gi;
/** `curl -u me:x`. */
export const login = /\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:/g;

const command = "[^\\n|;&]{0,80}?";
/** `sshpass -p x`, `mysql -px`, `docker login -p x`, `redis-cli -a x`, a line of `.netrc`. */
export const passwordOption = new RegExp(
  [
    `(?<![\\w-])(?:sshpass[ \\t]{1,4}-p[ \\t]{0,4}`,
    `(?:mysql|mysqldump|mysqladmin|mariadb)(?:[ \\t]${command})?[ \\t]-p`,
    `docker[ \\t]{1,4}login(?:[ \\t]${command})?[ \\t]-p[ \\t]{1,4}`,
    `redis-cli(?:[ \\t]${command})?[ \\t]-a[ \\t]{1,4}`,
    "login\\s{1,4}\\S{1,100}\\s{1,4}password[ \\t]{1,4})[\"']?",
  ].join("|"),
  "g",
);
/** `<password>x</password>`. */
export const element = new RegExp(`<(?:[\\w-]{1,20}:)?[\\w-]{0,20}?(${anyName})>`, "gi");

/** Ends an unquoted value. */
const bareEnd = /[\s"'`,;(){}<>[\]&|=\\…]/;

export function valueAfter(text: string, match: RegExpExecArray): SecretPlace {
  const start = match.index + match[0].length;
  const quote = match[3]?.at(-1);
  const end = endOf(text, start, (char) =>
    quote === undefined ? bareEnd.test(char) : char === quote || char === "\\" || char === "\n",
  );
  const padded = quote === undefined ? endOf(text, end, (char) => char !== "=", 2) : end;
  const kind = kindOfName(match[1] ?? match[2] ?? "");
  const value = text.slice(start, end);
  const isFound =
    kind !== undefined && (isRandomLooking(value, kind.shortest) || (isAssigned(match) && isPassword(value, kind)));
  // In `token: password=x` the first value is the second name.
  return isFound ? { start, end: padded, kind: kind.name } : { start, end: text[end] === "=" ? start : end };
}

/** `password=x`; a sentence has a space or a colon. */
function isAssigned(match: RegExpExecArray): boolean {
  return /[^=:!<>]=\\?["'`]?$/.test(match[0]);
}

const minWordPassword = 8;
const plainWords =
  /^(?:required|missing|invalid|optional|undefined|incorrect|disabled|password|passphrase|encrypted)$/i;

/** Made of words, so it does not look random. */
function isPassword(value: string, kind: { name: string }): boolean {
  return (
    kind.name === "password" &&
    value.length >= minWordPassword &&
    !plainWords.test(value) &&
    !isPlaceholder(value) &&
    /^[\w .!@#$%^&*+?~-]*$/.test(value) &&
    !/^\w{1,40}\.\w/.test(value)
  );
}

export function optionAfter(text: string, match: RegExpExecArray): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => /[\s"'\\]/.test(char));
  const value = text.slice(start, end);
  return value.length >= 4 && !isPlaceholder(value) ? { start, end, kind: "password" } : { start, end };
}

export function contentAfter(text: string, match: RegExpExecArray): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => char === "<" || char === "\n", 500);
  const value = text.slice(start, end).trim();
  const kind = kindOfName(match[1] ?? "");
  if (kind === undefined || text[end] !== "<") return { start, end: start };
  const isFound = isRandomLooking(value, kind.shortest) || isPassword(value, kind);
  return isFound ? { start, end, kind: kind.name } : { start, end };
}

export function credentialsAfter(text: string, match: RegExpExecArray): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => !/[\w.~+/:=-]/.test(char));
  return isRandomLooking(text.slice(start, end), 8) ? { start, end, kind: "authorization" } : { start, end };
}

export function passwordAfter(text: string, match: RegExpExecArray): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => /[\s"'\\]/.test(char));
  return isRandomLooking(text.slice(start, end), minPasswordLength) ? { start, end, kind: "password" } : { start, end };
}

function endOf(text: string, start: number, isEnd: (char: string) => boolean, atMost = Infinity): number {
  let end = start;
  while (end < text.length && end - start < atMost && !isEnd(text.charAt(end))) end += 1;
  return end;
}

const passwordName = new RegExp(`(?:${passwordNames})$`, "i");
const keyName = new RegExp(`(?:${keyNames}|[a-z\\d]_key)$`, "i");

export function kindOfName(name: string): { name: string; shortest: number } | undefined {
  const end = name.slice(-40);
  if (passwordName.test(end)) return { name: "password", shortest: minPasswordLength };
  if (!keyName.test(end)) return undefined;
  const kind = /(?:token|jwt)$/i.test(end) ? "token" : /(?:key|base)$/i.test(end) ? "key" : "secret";
  return { name: kind, shortest: minKeyLength };
}

/** A secret if it has a kind. The search continues at its end. */
export interface SecretPlace {
  start: number;
  end: number;
  kind?: string;
}
