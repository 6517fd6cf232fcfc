// What credentials look like, where no detector's rule in detector-shapes.ts does.
import { isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass } from "./secret.ts";
export interface CredentialShape {
  name: string;
  /** A regular expression with bounded repetitions: hostile text cannot make it slow. */
  beginning: string;
  /** This text precedes the credential and is kept. */
  after?: string;
  /** The inside of a character class. */
  goesOnWith?: string;
  /** This text must follow, with further dotted parts. */
  next?: string;
  /** The last of these characters ends the credential. */
  endsBefore?: string;
  /** The match counts only if it looks random. */
  isVague?: boolean;
  /** The match counts only at the beginning of a word. */
  isWord?: boolean;
}

const word = "\\w-";
const base64 = "\\w+/=-";

export const ownShapes: readonly CredentialShape[] = [
  { name: "hookbell key", beginning: "hbk_[\\w-]{20}", goesOnWith: word },
  { name: "Slack token", beginning: "(?:xox[a-z](?:\\.xox[a-z])?|xapp-\\d)-[A-Za-z\\d-]{10}", goesOnWith: word },
  { name: "Telegram bot token", beginning: "(?:bot)?\\d{8,10}:AA[\\w-]{30}", goesOnWith: word, isWord: true },
  {
    name: "Discord bot token",
    beginning: "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27}",
    goesOnWith: word,
    isWord: true,
  },
  { name: "Anthropic key", beginning: "sk-ant-[\\w-]{20}", goesOnWith: word },
  { name: "OpenAI key", beginning: "sk-[\\w-]{20}", goesOnWith: word, isVague: true, isWord: true },
  { name: "Factory key", beginning: "fk-[\\w-]{20}", goesOnWith: word, isVague: true, isWord: true },
  { name: "webhook signing secret", beginning: "wh(?:sec|sk)_[A-Za-z\\d+/]{20}", goesOnWith: base64 },
  { name: "Google token", beginning: "(?:ya29\\.|GOCSPX-|1//0)[\\w-]{20}", goesOnWith: "\\w.-", isWord: true },
  { name: "Hugging Face token", beginning: "hf_[A-Za-z\\d]{20}", goesOnWith: word, isVague: true, isWord: true },
  { name: "Twilio key", beginning: "SK[\\da-f]{32}(?![\\w-])", isWord: true },
  { name: "Mailgun key", beginning: "key-[\\da-f]{32}(?![\\w-])", isWord: true },
  { name: "HashiCorp token", beginning: "[A-Za-z\\d]{14}\\.atlasv1\\.[\\w-]{20}", goesOnWith: word, isWord: true },
  // https://developer.hashicorp.com/vault/docs/concepts/tokens: those of versions before 1.10, with a namespace at the end.
  {
    name: "HashiCorp token",
    beginning: "[sbr]\\.(?=[A-Za-z]{0,23}\\d[A-Za-z\\d])[A-Za-z\\d]{24}(?:\\.[A-Za-z\\d]{5})?(?![\\w.-])",
    isVague: true,
    isWord: true,
  },
  { name: "HashiCorp token", beginning: "b\\.AAAA[\\w-]{80}", goesOnWith: word, isVague: true, isWord: true },
  // https://ngrok.com/docs/agent/: an id that begins with a time, and a secret.
  { name: "ngrok token", beginning: "[123][A-Za-z\\d]{26}_[A-Za-z\\d]{20,22}(?![\\w-])", isVague: true, isWord: true },
  // https://mailchimp.com/developer/marketing/guides/quick-start/: the data center stands behind the key.
  { name: "Mailchimp key", beginning: "[\\da-f]{32}-us\\d{1,2}(?![\\w-])", isWord: true },
  { name: "Mailchimp key", beginning: "md-[A-Za-z\\d_]{22}(?![\\w-])", isVague: true, isWord: true },
  // https://developers.asana.com/docs/personal-access-token
  {
    name: "Asana token",
    beginning: "(?:[012]/\\d{10,20}(?:/\\d{10,20})?:|0/)[\\da-f]{32}(?![\\w-])",
    isWord: true,
  },
  // https://developer.squareup.com/docs/build-basics/access-tokens
  { name: "Square token", beginning: "EAAA[\\w-]{56,60}(?![\\w-])", isVague: true, isWord: true },
  { name: "Square secret", beginning: "sq0(?:csp|atb|ats|cst|acp)-[\\w-]{20}", goesOnWith: word, isVague: true },
  // https://launchdarkly.com/docs/sdk/concepts/client-side-server-side#keys
  {
    name: "LaunchDarkly key",
    beginning: "(?:sdk|mob|api)-[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}(?![\\w-])",
    isWord: true,
  },
  { name: "Pinecone key", beginning: "pcsk_[A-Za-z\\d_]{20}", goesOnWith: word, isVague: true, isWord: true },
  { name: "Doppler token", beginning: "dp\\.(?:st|ct|sa|scim|audit)\\.[\\w.-]{20}", goesOnWith: "\\w.-", isWord: true },
  { name: "Atlassian token", beginning: "AT[AC]TT3[\\w=-]{40}", goesOnWith: base64 },
  { name: "Linear token", beginning: "lin_oauth_[A-Za-z\\d]{30}", goesOnWith: word },
  { name: "Netlify token", beginning: "nf[pcou]_[A-Za-z\\d]{30}", goesOnWith: word, isWord: true },
  { name: "Resend key", beginning: "re_[A-Za-z\\d]{8}_[A-Za-z\\d]{16}", goesOnWith: word, isVague: true, isWord: true },
  { name: "Dropbox token", beginning: "sl\\.(?:u\\.)?[\\w-]{60}", goesOnWith: "\\w=-", isVague: true, isWord: true },
  { name: "Notion token", beginning: "ntn_[A-Za-z\\d]{30}", goesOnWith: word, isWord: true },
  // https://developers.notion.com/reference/authentication: the form of older integrations.
  { name: "Notion token", beginning: "secret_[A-Za-z\\d]{43}(?![\\w-])", isVague: true, isWord: true },
  {
    name: "Facebook token",
    beginning: "EAA[A-Z][A-Za-z\\d]{100}",
    goesOnWith: "A-Za-z\\d",
    isVague: true,
    isWord: true,
  },
  // https://docs.firecrawl.dev/authentication
  { name: "Firecrawl key", beginning: "fc-[\\da-f]{32}(?![\\w-])", isWord: true },
  // https://learn.microsoft.com/en-us/nuget/nuget-org/scoped-api-keys
  { name: "NuGet key", beginning: "oy2[a-z\\d]{43}(?![\\w-])", isVague: true, isWord: true },
  // https://github.com/superfly/macaroon
  { name: "Fly.io token", beginning: "fm2_[\\w+/=-]{40}", goesOnWith: base64, isVague: true, isWord: true },
  { name: "Sentry token", beginning: "sntry[su]_[\\w=+/-]{40}", goesOnWith: base64, isWord: true },
  { name: "Tavily key", beginning: "tvly-(?:dev-|prod-)?[A-Za-z\\d]{24}", goesOnWith: word, isWord: true },
  { name: "PostHog key", beginning: "ph[cx]_[A-Za-z\\d]{32}", goesOnWith: word, isWord: true },
  { name: "Tailscale key", beginning: "tskey-[a-z]{1,20}-[\\w-]{16}", goesOnWith: word },
  { name: "Matrix token", beginning: "sy[rt]_[\\w=/+-]{20}", goesOnWith: base64, isVague: true, isWord: true },
  { name: "ntfy token", beginning: "tk_[a-z\\d]{29}(?![\\w-])", isWord: true },
  { name: "JSON web token", beginning: "eyJ[\\w-]{10}", goesOnWith: word, next: "\\.[\\w-]{10}", isWord: true },
];

/** Credentials inside URLs and connection strings. */
export const urlShapes: readonly CredentialShape[] = [
  {
    name: "Slack webhook",
    after: "hooks\\.slack(?:-gov)?\\.com\\\\?/(?:services|workflows|triggers)\\\\?/",
    beginning: "[\\w/\\\\-]{10}",
    goesOnWith: "\\w/+\\\\-",
  },
  {
    name: "Discord webhook",
    after: "discord(?:app)?\\.com\\\\?/api\\\\?/(?:v\\d{1,2}\\\\?/)?webhooks\\\\?/",
    beginning: "\\d{15,20}\\\\?/[\\w-]{20}",
    goesOnWith: word,
  },
  {
    name: "Teams webhook",
    after: "(?:webhook\\.office\\.com\\\\?/webhookb2|outlook\\.office(?:365)?\\.com\\\\?/webhook)\\\\?/",
    beginning: "[\\w@/\\\\-]{20}",
    goesOnWith: "\\w@/\\\\-",
  },
  {
    name: "Zapier webhook",
    after: "hooks\\.zapier\\.com\\\\?/hooks\\\\?/catch\\\\?/",
    beginning: "\\d{3,12}\\\\?/[\\w-]{6}",
    goesOnWith: "\\w/-",
  },
  {
    name: "IFTTT key",
    after: "maker\\.ifttt\\.com/trigger/[\\w-]{1,80}/(?:json/)?with/key/",
    beginning: "[\\w-]{12}",
    goesOnWith: word,
  },
  { name: "Make webhook", after: "hook\\.[a-z\\d]{2,5}\\.make\\.com/", beginning: "[a-z\\d]{20}", goesOnWith: word },
  { name: "Feishu webhook", after: "/bot/v2/hook/", beginning: "[\\w-]{20}", goesOnWith: word },
  { name: "WeCom webhook", after: "/webhook/send\\?key=", beginning: "[\\w-]{20}", goesOnWith: word },
  { name: "webhook", after: "/(?:hooks|api/webhook)/", beginning: "[\\w-]{20}", goesOnWith: word, isVague: true },
  { name: "Bark key", after: "api\\.day\\.app/", beginning: "[A-Za-z\\d]{20}", goesOnWith: word },
  // https://docs.sentry.io/concepts/key-terms/dsn-explainer/, and tokens in the place of a user's name.
  {
    name: "login",
    after: "(?<![\\w+.-])https?:(?:\\\\?/){2}",
    beginning: "[\\w.~%+-]{16,200}(?=(?::[\\w.~%+-]{0,100})?@[\\w.-]{1,200})",
    isVague: true,
  },
  { name: "authorization", after: "[?&;]auth=", beginning: "[\\w%+/=-]{16}", goesOnWith: "\\w%+/=-", isVague: true },
  { name: "signature", after: "[?&;]sig=", beginning: "[\\w%.+/=-]{20}", goesOnWith: "\\w%.+/=-" },
  {
    name: "signature",
    after: "X-Amz-(?:Signature|Security-Token)(?:=|%3[Dd])",
    beginning: "[\\w%]{20}",
    goesOnWith: "\\w%.+/=-",
  },
  { name: "signature", after: "(?<![\\w])Signature=", beginning: "[\\da-f]{40}", goesOnWith: word },
  // In a table, the secret is beside its key, which is replaced already.
  {
    name: "AWS secret key",
    after: "\\[redacted: AWS token\\][\\s,;|:\"'`]{1,12}",
    beginning: "[A-Za-z\\d/+]{40}(?![A-Za-z\\d/+=])",
  },
  { name: "Azure key", after: "(?:Account|SharedAccess)Key=", beginning: "[\\w+/]{20}", goesOnWith: base64 },
  {
    name: "password",
    after: "(?<![\\w+.-])[A-Za-z][A-Za-z\\d+.-]{1,20}:(?:\\\\?/){2}[^\\s/?#@\"'<>:\\\\]{0,100}:",
    beginning: "[^\\s/?#@\"'<>$[{*\\\\]",
    goesOnWith: "^\\s/?#\"'<>\\\\",
    endsBefore: "@",
  },
];

export const privateKey = /-----BEGIN [A-Z\d ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

const ending = /-----END [A-Z\d ]{0,40}-----/y;
const line = /(?:\s|\\[nr]){1,8}[A-Za-z\d+/=]{16,80}/y;
/** Four times the longest key. */
const maxBlockLength = 32_768;

/** A truncated block ends with its last full line. Call it with growing starts. */
export function createBlockEnds(text: string): (start: number) => number {
  let nextEnding = -1;
  return (start) => {
    if (nextEnding < start) nextEnding = text.indexOf("-----END ", start);
    if (nextEnding === -1) nextEnding = text.length;
    if (nextEnding < text.length && nextEnding - start <= maxBlockLength) {
      ending.lastIndex = nextEnding;
      return ending.test(text) ? ending.lastIndex : nextEnding;
    }
    let end = start;
    for (line.lastIndex = start; line.test(text);) end = line.lastIndex;
    return end;
  };
}

const minVagueLength = 20;
const dotted = /[\w.-]/;
/** A word that goes on before it, unless that is the letter of an escaped line break. */
const notInWord = "(?:(?<![A-Za-z\\d-])|(?<=\\\\[nrt]))";

export function shapePass(shapes: readonly CredentialShape[]): Pass {
  const inWords = shapes.filter(({ isWord }) => isWord !== true);
  const words = shapes.filter(({ isWord }) => isWord === true);
  const anyOf = (some: readonly CredentialShape[]): string =>
    some.map(({ after = "", beginning }) => `(?:(${after})(?:${beginning}))`).join("|");
  const parts = [...inWords, ...words].map((shape) => ({
    shape,
    goesOn: shape.goesOnWith === undefined ? undefined : new RegExp(`[${shape.goesOnWith}]`),
    next: shape.next === undefined ? undefined : new RegExp(shape.next, "y"),
  }));
  const alternatives = [anyOf(inWords), words.length === 0 ? "" : `${notInWord}(?:${anyOf(words)})`];
  return {
    beginning: new RegExp(alternatives.filter((each) => each !== "").join("|"), "g"),
    place(match, text) {
      const which = match.findIndex((group, index) => index > 0 && group !== undefined);
      const start = match.index + (match[which] ?? "").length;
      const found = parts[which - 1];
      if (found === undefined) return { start, end: start };
      const { shape, goesOn, next } = found;
      const goOn = (from: number, characters: RegExp | undefined): number =>
        characters === undefined ? from : endOf(text, from, (char) => !characters.test(char));
      let end = goOn(match.index + match[0].length, goesOn);
      if (shape.endsBefore !== undefined) {
        const length = text.slice(start, end).lastIndexOf(shape.endsBefore);
        return length === -1 ? { start, end: start } : { start, end: start + length, kind: shape.name };
      }
      if (next !== undefined) {
        next.lastIndex = end;
        if (!next.test(text)) return { start, end };
        end = goOn(next.lastIndex, dotted);
      }
      const isSecret = shape.isVague !== true || isRandomLooking(text.slice(start, end), minVagueLength);
      return isSecret ? { start, end, kind: shape.name } : { start, end };
    },
  };
}
