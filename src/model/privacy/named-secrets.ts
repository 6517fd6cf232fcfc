// Secrets recognised by the name before them, such as `password: x`.
import { isPlaceholder, isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass, type SecretPlace } from "./secret.ts";

const passwordNames =
  "passw(?:or)?d|passwort|kennwort|passphrase|passcode|pwd|[_-]pass|[_-]pw|sshpass|rediscli_auth|密码|口令";
const keyNames = [
  "secret|token|credentials?|jwt|api[_-]?key|key[_-]?base|[_-]auth",
  "(?:access|account|auth|private|secret|signing|encryption|master|license)[_-]?key|x-[a-z\\d-]{1,20}-key",
].join("|");
const anyName = `${passwordNames}|${keyNames}`;
const minPasswordLength = 6;
const minKeyLength = 10;

const option = `(?<![\\w-])--?[\\w-]{0,40}?(${anyName})[ \\t]{1,4}`;
const assignment = "\\\\?[\"'`]?\\]?\\s{0,4}(?::=|=>|==?|:)\\s{0,4}";
/** The shorter names count only in quotes or as a parameter. */
const assigned = `(${anyName}|[a-z\\d]_key|(?<=[?&"'])(?:pass|auth))${assignment}`;

/** `password: x`, `"api_key": "x"`, `TOKEN=x`, `--token x`, with the opening quote. */
export const namedValues: Pass = {
  beginning: new RegExp(`(?:${option}|${assigned})(\\\\?["'\`])?`, "gi"),
  place: valueAfter,
};

/** `<password>x</password>`. */
export const elements: Pass = {
  beginning: new RegExp(`<(?:[\\w-]{1,20}:)?[\\w-]{0,20}?(${anyName})>`, "gi"),
  place: contentAfter,
};

/** Ends an unquoted value. */
const bareEnd = /[\s"'`,;(){}<>[\]&|=\\…]/;

function valueAfter(match: RegExpExecArray, text: string): SecretPlace {
  const start = match.index + match[0].length;
  const quote = match[3]?.at(-1);
  const end = endOf(text, start, (char) =>
    quote === undefined ? bareEnd.test(char) : char === quote || char === "\\" || char === "\n",
  );
  const padded = quote === undefined ? endOf(text, end, (char) => char !== "=", 2) : end;
  const kind = kindOfName(match[1] ?? match[2] ?? "");
  const value = text.slice(start, end);
  if (kind === undefined) return { start, end: start };
  if (isRandomLooking(value, kind.shortest)) return { start, end: padded, kind: kind.name };
  const wholeName = text.slice(Math.max(0, match.index - longestPrefix), match.index) + (match[1] ?? match[2] ?? "");
  if (namesOfWords.test(wholeName) && isWordWithNumber(value)) return { start, end, kind: kind.name };
  if (kind.name === "password" && text[end] !== "(") {
    if (isPassword(value, { isQuoted: quote !== undefined, isColon: /:\s*\\?["'`]?$/.test(match[0]) }))
      return { start, end, kind: kind.name };
    const phraseEnd = quote === undefined ? endOfPhrase(text, match.index, start) : start;
    if (phraseEnd > start) return { start, end: phraseEnd, kind: kind.name };
  }
  // In `token: password=x` the first value is the second name.
  return { start, end: text[end] === "=" ? start : end };
}

const longestPrefix = 16;
/** A person may choose what stands behind these names, as a password. A plain `secret:` or `token=` names a resource as often. */
const namesOfWords =
  /(?:[a-z\d][_-]?secret|[_-]auth|auth[_-]?token|secret[_-]key[_-]base|account[_-]?key|private[_-]token|x-[a-z-]{1,20}-key)$/i;

/** Such as "Zugspitze-2962". */
export function isWordWithNumber(value: string): boolean {
  return value.length >= minKeyLength && /\d{2}/.test(value) && isPassword(value, { isColon: true });
}

const minWordPassword = 8;
const plainWords = new RegExp(
  `^(?:${[
    "required|missing|invalid|optional|undefined|incorrect|disabled|enabled|encrypted|unchanged|forgotten|expired|rejected",
    "option|argument|parameter|together|instead|requires|without|because|through|whenever|interactively|deprecated",
    "variables?|settings?|strength|protected|protection|manager|managers|handling|validation|generator|required\\w*",
    "string|varchar|boolean|integer|sha\\d*|md\\d|argon2\\w*|pbkdf2|bcrypt\\w*|base64|utf-?8|oauth2?|aes\\w*",
    "passwor[dt]s?\\d?|passphrase|kennwort|wachtwoord|adgangskode|contrasena|salasana|mot de passe|palavra-passe",
  ].join("|")})$`,
  "i",
);
const proseWords =
  /(?:^|\s)(?:an?|the|is|are|was|be|been|must|may|can|cannot|should|will|not|no|your?|my|our|its?|please|enter|for|to|of|in|on|at|by|with|and|or|if|from|this|that|has|have|does|do|did|wrong|invalid|required|incorrect|forgot|forgotten|reset|changed?|confirm|repeat|passwords?|passwort|passphrase|characters|username|e?mail|optional|hidden|de|la|der|die|das|ist|und|el)(?:\s|$)/i;

/** A password of words does not look random, so it is known by what it is not. */
function isPassword(value: string, { isQuoted = false, isColon = false }): boolean {
  if (plainWords.test(value) || isPlaceholder(value) || proseWords.test(value)) return false;
  // A call, a member, a file; a date or a version.
  if (!/^[\w .!@#$%^&*+?~-]*$/.test(value) || /^\w{1,40}\.\w|^[\w.-]{1,80}\.[a-z]{1,5}\d?$|^v?[\d.: -]*$/.test(value))
    return false;
  if (/[.?:]$/.test(value) && /\s/.test(value)) return false;
  if (!isQuoted && isColon) return value.length >= minWordPassword && /\d/.test(value) && /[A-Za-z]{3}/.test(value);
  return value.length >= minWordPassword;
}

/** Words as people write them about a password. */
export function isProse(value: string): boolean {
  return proseWords.test(value);
}

const nearLine = 200;
const phrase = /^[a-z]{2,20}(?: [a-z\d]{2,20}){1,6}[ \t]{0,4}$/;
const yamlName = /^\s{0,40}(?:- )?["']?[\w.-]{0,60}$/;
const accountLine =
  /^\s{0,40}(?:- )?["']?(?:[\w.-]{0,40}[_.-])?(?:user|username|login|host|hostname|url|e?mail|port|db|database|name)["']?:/i;

/** The end of `password: seven tall birches` in YAML, where a line beside it names the account; else the start. */
function endOfPhrase(text: string, nameAt: number, start: number): number {
  const before = text.slice(Math.max(0, nameAt - nearLine), nameAt).split("\n");
  const lineEnd = endOf(text, start, (char) => char === "\n", nearLine);
  const value = text.slice(start, lineEnd);
  if (!yamlName.test(before.at(-1) ?? "") || !phrase.test(value) || proseWords.test(value)) return start;
  const after = text.slice(lineEnd + 1, lineEnd + 1 + nearLine);
  return accountLine.test(before.at(-2) ?? "") || accountLine.test(after) ? lineEnd : start;
}

/** A word after an option of a program, such as `-p`. */
export function isOptionValue(value: string): boolean {
  if (value.length < minOptionLength || isPlaceholder(value) || plainWords.test(value)) return false;
  return !/^(?:and|or|is|are|to|with|from|when|then|flag|flags|leaks?|asks?|prints?|only|file|user|value|pass|[A-Z_]{4,})$/.test(
    value,
  );
}

const minOptionLength = 4;

/** The kind of a value that stands alone under its name, as in a JSON object; undefined if it is no secret. */
export function kindOfValue(name: string, value: string): string | undefined {
  const kind = kindOfName(name);
  if (kind === undefined) return undefined;
  const isFound =
    isRandomLooking(value, kind.shortest) || (kind.name === "password" && isPassword(value, { isQuoted: true }));
  return isFound ? kind.name : undefined;
}

function contentAfter(match: RegExpExecArray, text: string): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => char === "<" || char === "\n", 500);
  if (text[end] !== "<") return { start, end: start };
  return { start, end, kind: kindOfValue(match[1] ?? "", text.slice(start, end).trim()) };
}

const passwordName = new RegExp(`(?:${passwordNames}|^pass)$`, "i");
const keyName = new RegExp(`(?:${keyNames}|[a-z\\d]_key|^auth)$`, "i");

function kindOfName(name: string): { name: string; shortest: number } | undefined {
  const end = name.slice(-40);
  if (passwordName.test(end)) return { name: "password", shortest: minPasswordLength };
  if (!keyName.test(end)) return undefined;
  const kind = /(?:token|jwt)$/i.test(end) ? "token" : /(?:key|base)$/i.test(end) ? "key" : "secret";
  return { name: kind, shortest: minKeyLength };
}
