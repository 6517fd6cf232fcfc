// Secrets in HTTP headers: `Authorization` and cookies.
import { isPlaceholder, isRandomLooking } from "./random-looking.ts";
import { isWordWithNumber } from "./named-secrets.ts";
import { endOf, type Pass, type SecretPlace } from "./secret.ts";

const schemes =
  "bearer|basic|digest|token|bot|ssws|api-?key|geniekey|key|negotiate|ntlm|hawk|splunk|vault|jwt|oauth|pat|dpop|aws4-hmac-sha256";

/** `Authorization: Bearer x`. */
export const authorizations: Pass = {
  beginning: new RegExp(
    `(?<![\\w-])(?:authorization\\\\?["']?\\s{0,4}[:=]\\s{0,4}\\\\?["']?(?:(?:${schemes})\\s{1,4})?|(?:bearer|basic|ssws|geniekey)\\s{1,4})`,
    "gi",
  ),
  place: credentialsAfter,
};

function credentialsAfter(match: RegExpExecArray, text: string): SecretPlace {
  const start = match.index + match[0].length;
  const end = endOf(text, start, (char) => !/[\w.~+/:=-]/.test(char));
  const value = text.slice(start, end);
  const isSecret = isRandomLooking(value, 8) || (/ssws\s+$/i.test(match[0]) && isWordWithNumber(value));
  return isSecret ? { start, end, kind: "authorization" } : { start, end };
}

/** `Cookie: theme=dark; sid=x`, `Set-Cookie: sid=x; HttpOnly`, `curl -b 'sid=x'`. */
export const cookies: Pass = {
  beginning: /(?:cookie\\?["']?\s{0,4}[:=]\s{0,4}\\?["'`]?|\s(?:-b|--cookie)[ =]["'])(?=[\w.$!%*-]{1,80}=)/gi,
  place: cookieAfter,
};

const secretCookie = /sess|sid$|auth|token|csrf|xsrf|jwt|login|remember|secret/i;
const minCookieLength = 6;

/** The secret goes from the first secret value to the end of the header: a blank that follows no semicolon, a quote or a line break. */
function cookieAfter(match: RegExpExecArray, text: string): SecretPlace {
  const start = match.index + match[0].length;
  let before = "";
  const end = endOf(text, start, (char) => {
    const isEnd = /["'`\\\n\r]/.test(char) || (char === " " && before !== ";");
    before = char;
    return isEnd;
  });
  let at = start;
  for (const pair of text.slice(start, end).split(";")) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const value = pair.slice(equals + 1).trim();
    const isNamed = secretCookie.test(name) && value.length >= minCookieLength && !isPlaceholder(value);
    if (equals > 0 && !/\s/.test(value) && (isNamed || isRandomLooking(value, 8)))
      return { start: at + pair.length - pair.slice(equals + 1).trimStart().length, end, kind: "cookie" };
    at += pair.length + 1;
  }
  return { start, end };
}
