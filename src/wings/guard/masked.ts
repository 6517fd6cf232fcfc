// Masks what may be a credential in what an agent starts, where more is masked than in a text that people read: a name or a place says enough.
import { listOf } from "../../model/json.ts";
import { scrub } from "../../model/privacy/scrub.ts";

const redacted = "[redacted: secret]";

/** Where the values that are masked are kept, for another text that has them as well. */
export type Found = Set<string>;

function mask(value: string, found: Found): string {
  found.add(value);
  return redacted;
}

const secretWords = new Set(
  "pat key keys apikey token tokens secret secrets pass passwd password passwords passwort passphrase passcode pw pwd pin otp cookie cookies auth authorization bearer cred creds credential credentials jwt salt signature sig dsn".split(
    " ",
  ),
);
const secretEnding = /(?:token|secret|passw(?:or)?d|pwd|passphrase|credentials?|cookie|apikey|accesskey)s?$/;
/** A name that ends so is of a place, a number or a kind of what it names. */
const harmlessEnding =
  /^(?:files?|paths?|dirs?|directory|folder|sock|socket|url|uri|endpoint|host|port|name|id|type|ttl|timeout|expiry|expires|limit|max|size|count|length|enabled|disabled|mode|method|region|provider|store|helper|program|cmd|command|prefix|header|algorithm|env|var)$/;

/** Such as `LINEAR_PAT`, `--api-key`, `authToken`, `PGPASSWORD`. */
function isSecretName(name: string): boolean {
  const words = name
    .slice(-100)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  if (words[0] === "no" || harmlessEnding.test(last)) return false;
  return words.some((word) => secretWords.has(word) || secretEnding.test(word));
}

/** Such as "debug", "claude", "NodeJs", "sha256", "x64", "20260229", "8gb". */
const plainPiece =
  /^(?:[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{2,15}){0,3}[A-Z]{0,4}|[A-Z]{1,20}|\d{1,13}|(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,12})\d{1,4}[a-z]{0,2}|\d{1,4}[A-Za-z]{1,3})?$/;

function oddLength(value: string): number {
  const odd = value.split(/[^A-Za-z\d]+/).filter((piece) => !plainPiece.test(piece));
  return odd.reduce((sum, piece) => sum + piece.length, 0);
}

const isPlain = (value: string): boolean => oddLength(value) === 0;

const reference =
  /^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s{1,4})?(?:\$\{(?:(?:env|input|file|secrets?|command|config)[:.][\w.-]{1,80}|\w{1,80})\}|\$[A-Z_][A-Z\d_]{0,80}|\{(?:env|file|input):[^{}]{1,200}\}|%\w{1,80}%)$/;
const boolean = /^(?:true|false|yes|no|on|off|null|none|)$/i;
const path = /^(?:(?:~|\.{1,2})?[\\/]|[A-Za-z]:[\\/])/;
const url = /^[a-z][a-z\d+.-]{1,20}:\/\//i;
const ofPlurals = /(?:tokens|keys)$/i;

/** What needs no mask whatever its name is. */
function isHarmless(name: string, value: string): boolean {
  if (value.startsWith("[redacted:") || reference.test(value) || boolean.test(value)) return true;
  if (/^\d{1,8}$/.test(value)) return ofPlurals.test(name) || !isSecretName(name);
  return path.test(value) && isPlain(value);
}

const partsOfValue = /([a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>|;()]{1,2000})|[\w+.~%-]{1,2000}/gi;
/** Where it has parts, only those are masked that may be a credential: what `NODE_OPTIONS` loads is worth reading. */
const hasParts = /\s|^[-~./\\$]|^[A-Za-z]:[\\/]|:\/\/|^\w{1,80}=/;

/** The value of a variable or a header. */
function maskedValue(name: string, value: string, found: Found): string {
  const scrubbed = scrub(value).text;
  if (/^\[redacted: [^\]]{1,60}\]$/.test(scrubbed)) {
    found.add(value);
    return scrubbed;
  }
  if (isHarmless(name, value)) return value;
  if (isSecretName(name) && !url.test(value)) return mask(value, found);
  if (isPlain(value)) return value;
  if (!hasParts.test(value)) return mask(value, found);
  return value.replace(partsOfValue, (part: string, address?: string) =>
    address === undefined ? (isPlain(part) ? part : mask(part, found)) : maskedAddress(address, found),
  );
}

/** What is no word and no version, and long enough for a credential. */
const leastOdd = 10;
const commit = /^[\da-f]{40}$/;
const ofCommits = /^[^/]*:\/\/[^/]*github(?:usercontent)?\.com\//i;

function maskedAddress(address: string, found: Found): string {
  const at = address.indexOf("/", address.indexOf("://") + 3);
  if (at === -1) return address;
  const [before = "", query] = address.slice(at).split(/\?(.*)/s);
  const isKept = (part: string): boolean =>
    oddLength(part) < leastOdd || part.includes("[redacted") || (commit.test(part) && ofCommits.test(address));
  const segment = (part: string): string => (isKept(part) ? part : mask(part, found));
  const pair = (part: string): string => {
    const [name = "", value] = part.split(/=(.*)/s);
    if (value === undefined) return segment(part);
    return `${name}=${isSecretName(name) && !isHarmless(name, value) ? mask(value, found) : segment(value)}`;
  };
  const shown = address.slice(0, at) + before.split("/").map(segment).join("/");
  return query === undefined ? shown : `${shown}?${query.split("&").map(pair).join("&")}`;
}

/** `--token`, `-k`, and `TOKEN=` at the start of a word, each with what separates it from its value. */
const beginnings = /(?<![\w-])(--?[A-Za-z][\w-]{0,60})(?:=|[ \t]{1,4}(?!-))|(?<=^|[\s"';&|])([A-Za-z_]\w{0,80})=(?!=)/g;
const valueAt = /"((?:[^"\\\n]|\\.){0,1000})"|'([^'\n]{0,1000})'|([^\s"'`;|&<>()]{1,1000})/y;
const addresses = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>|;()]{1,2000}/gi;
/** Options that often take a key, a token or a password, and as often something else. */
const shortOptions = /^-[ktp]$/;
const keyFile = /\.(?:pem|key|crt|cer|json|txt|env|pub)$/;

/** A command in which `scrub` has masked what it knows. */
export function maskedCommand(command: string, found: Found = new Set()): string {
  let result = "";
  let done = 0;
  beginnings.lastIndex = 0;
  for (let match = beginnings.exec(command); match !== null; match = beginnings.exec(command)) {
    const start = match.index + match[0].length;
    valueAt.lastIndex = start;
    const read = valueAt.exec(command);
    const value = read?.slice(1).find((group) => group !== undefined) ?? "";
    const masked = read === null ? value : maskedAfter(match[1], match[2] ?? "", value, found);
    if (masked === value) continue;
    const valueStart = start + (read?.[3] === undefined ? 1 : 0);
    result += command.slice(done, valueStart) + masked;
    done = valueStart + value.length;
    beginnings.lastIndex = done;
  }
  return (result + command.slice(done)).replace(addresses, (address) => maskedAddress(address, found));
}

function maskedAfter(option: string | undefined, variable: string, value: string, found: Found): string {
  // What a shell fills in is no credential yet; and behind a mask, a command within it would run unseen.
  if (value === "" || /^[$`<{]|\$\(|`|[<>]\(/.test(value)) return value;
  if (option === undefined) {
    const isName = isSecretName(variable) && (variable === variable.toUpperCase() || !isPlain(value));
    return isName && !isHarmless(variable, value) ? mask(value, found) : value;
  }
  if (option === "-H" || /^--?headers?$/.test(option)) {
    const [name = "", blank = "", content = ""] = value.split(/:(\s{0,4})(.*)/s);
    const isKept = !isSecretName(name) || isHarmless(name, content) || /^[$`<{]/.test(content);
    return isKept ? value : `${name}:${blank}${mask(content, found)}`;
  }
  if (shortOptions.test(option)) {
    const isOdd = oddLength(value) >= leastOdd - 2 && !path.test(value) && !url.test(value) && !keyFile.test(value);
    return isOdd && !value.startsWith("[redacted:") ? mask(value, found) : value;
  }
  const isNumber = /keys?$/i.test(option) && /^\d{1,3}$/.test(value);
  const isFile = keyFile.test(value) && isPlain(value);
  if (!isSecretName(option) || isNumber || isFile || isHarmless(option, value)) return value;
  return mask(value, found);
}

/** A member of what stands beside a command: `env` and `headers` name their values. */
export function maskedMembers(name: string, value: unknown, found: Found = new Set()): string {
  const isNamed = Array.isArray(value) && value.every((member) => Array.isArray(member));
  if (isNamed) {
    return value
      .map((member) => {
        const [key, content] = listOf(member);
        const isDeeper = Array.isArray(content) && !isSecretName(String(key));
        const shown = isDeeper
          ? maskedMembers(String(key), content, found)
          : maskedValue(String(key), textFrom(content), found);
        return `${String(key)}=${shown}`;
      })
      .join(" ");
  }
  if (Array.isArray(value)) {
    return value
      .map((each) => {
        const [key = "", content] = textFrom(each).split(/=(.*)/s);
        return content === undefined ? maskedValue(name, key, found) : `${key}=${maskedValue(key, content, found)}`;
      })
      .join(" ");
  }
  return textFrom(value);
}

function textFrom(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
