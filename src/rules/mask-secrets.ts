// Hides secrets in the text of a rules file before it is shown.
import { tokensOf } from "../jsonc/tokens.ts";
import { holdsSecret, isSecretKey } from "./literal-secrets.ts";

const secretKey = /secret|token|password|passphrase|credential|auth|key$|cookie|url$|topic$|^(smtp|user)$/i;
/** Keys whose values say where a secret is. */
const placeKey = /^(env|file|command|type|argv|\$schema)$/;
const urls = /([a-z][a-z0-9+.-]{0,30}:\/\/)((?:[^/?#\s"]*@)?)([^/?#\s"]*)([^\s"]*)/gi;
/** Letters and digits without spaces, longer than a word: probably a token. */
const tokenLike = /^(?![~/])(?=.*[a-z])(?=.*\d)[\w+/=.:-]{16,}$/i;
const mask = "•";

/** A mask has the same length, so that positions stay valid. Works on broken files, and rather hides too much. */
export function maskSecrets(text: string): string {
  let masked = "";
  let depth = 0;
  let section = "";
  let key = "";
  let lastText = "";
  for (const { offset, raw, value } of tokensOf(text, { keepsTrivia: true })) {
    const first = raw[0] ?? "";
    if ("{[".includes(first)) depth += 1;
    if ("]}".includes(first)) depth -= 1;
    if (first === ":") {
      key = lastText;
      if (depth === 1) section = key;
    }
    const isPunctuation = "{}[]:,".includes(first);
    const isTrivia = first === "/" || raw.trim() === "";
    if (!isPunctuation && !isTrivia) lastText = first === '"' ? value : raw;
    const isKey = !isTrivia && /^\s*:/.test(text.slice(offset + raw.length, offset + raw.length + 100));
    masked += isKey || isPunctuation ? raw : hide(raw, key, section);
  }
  return masked;
}

function hide(raw: string, key: string, section: string): string {
  if (key === "$schema" && section === key) return raw;
  if (isPlainAddress(raw, key)) return raw;
  const withoutUrls = raw.replace(urls, (_, scheme: string, user: string, host: string, rest: string) => {
    return `${scheme}${mask.repeat(user.length)}${host}${mask.repeat(rest.length)}`;
  });
  const isComment = raw.startsWith("/");
  if (raw.trim() === "" || isComment || withoutUrls !== raw || placeKey.test(key) || section === "rules")
    return withoutUrls;
  const [, open = "", inner = "", close = ""] = /^("?)(.*?)("?)$/s.exec(raw) ?? [];
  return secretKey.test(key) || tokenLike.test(inner) ? `${open}${mask.repeat(inner.length)}${close}` : raw;
}

/** A server's address, or one on this machine, gives no access. */
function isPlainAddress(raw: string, key: string): boolean {
  const [, text = ""] = /^"([a-z][a-z0-9+.-]*:\/\/[^"\s]+)"$/i.exec(raw) ?? [];
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isAddress = !isSecretKey(key) && url.search === "";
  return url.username === "" && url.password === "" && !holdsSecret(isAddress ? url.origin : text);
}
