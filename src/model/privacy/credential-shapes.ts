// What credentials look like, by vendor.
export interface CredentialShape {
  name: string;
  /** A regular expression with bounded repetitions: hostile text cannot make it slow. */
  beginning: string;
  /** Precedes it and is kept. */
  after?: string;
  /** The inside of a character class. */
  goesOnWith?: string;
  /** Must follow, with further dotted parts. */
  next?: string;
  /** Required. */
  endsBefore?: string;
  /** Counts only if it looks random. */
  isVague?: boolean;
}

const word = "\\w-";
const base64 = "\\w+/=-";

export const tokenShapes: readonly CredentialShape[] = [
  { name: "AWS access key", beginning: "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![\\w-])" },
  { name: "GitHub token", beginning: "(?:gh[oprsu]_|github_pat_)\\w{20}", goesOnWith: word },
  {
    name: "GitLab token",
    beginning: "gl(?:pat|dt|rt|rtr|ptt|soat|ft|imt|agent|cbt|oas|ffct)-[\\w-]{20}",
    goesOnWith: word,
  },
  { name: "Slack token", beginning: "(?:xox[a-z](?:\\.xox[a-z])?|xapp-\\d)-[A-Za-z\\d-]{10}", goesOnWith: word },
  { name: "Telegram bot token", beginning: "(?:bot)?\\d{8,10}:AA[\\w-]{30}", goesOnWith: word },
  { name: "Discord bot token", beginning: "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27}", goesOnWith: word },
  { name: "Anthropic key", beginning: "sk-ant-[\\w-]{20}", goesOnWith: word },
  { name: "OpenAI key", beginning: "sk-[\\w-]{20}", goesOnWith: word, isVague: true },
  { name: "Factory key", beginning: "fk-[\\w-]{20}", goesOnWith: word, isVague: true },
  { name: "Stripe key", beginning: "[rs]k_(?:live|test)_[A-Za-z\\d]{10}", goesOnWith: word },
  { name: "webhook signing secret", beginning: "wh(?:sec|sk)_[A-Za-z\\d+/]{20}", goesOnWith: base64 },
  { name: "Google API key", beginning: "AIza[\\w-]{30}", goesOnWith: word },
  { name: "Google OAuth token", beginning: "(?:ya29\\.|GOCSPX-|1//0)[\\w-]{20}", goesOnWith: "\\w.-" },
  { name: "npm token", beginning: "npm_[A-Za-z\\d]{30}", goesOnWith: word },
  { name: "PyPI token", beginning: "pypi-[\\w-]{40}", goesOnWith: word },
  { name: "Docker token", beginning: "dckr_(?:pat|oat)_[\\w-]{20}", goesOnWith: word },
  { name: "Hugging Face token", beginning: "(?:hf|api_org)_[A-Za-z\\d]{20}", goesOnWith: word, isVague: true },
  { name: "SendGrid key", beginning: "SG\\.[\\w-]{16}", goesOnWith: word, next: "\\.[\\w-]{16}" },
  { name: "Twilio key", beginning: "SK[\\da-f]{32}(?![\\w-])" },
  { name: "Mailgun key", beginning: "key-[\\da-f]{32}(?![\\w-])" },
  { name: "DigitalOcean token", beginning: "do[opr]_v1_[\\da-f]{40}", goesOnWith: word },
  { name: "Shopify token", beginning: "shp(?:at|ca|pa|ss)_[\\da-fA-F]{32}", goesOnWith: word },
  { name: "HashiCorp token", beginning: "(?:hv[bsr]\\.|[A-Za-z\\d]{14}\\.atlasv1\\.)[\\w-]{20}", goesOnWith: word },
  { name: "Doppler token", beginning: "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{20}", goesOnWith: word },
  { name: "Atlassian token", beginning: "AT[AC]TT3[\\w=-]{40}", goesOnWith: base64 },
  { name: "Grafana token", beginning: "gl(?:sa|c)_[\\w=+/-]{30}", goesOnWith: base64 },
  { name: "Linear key", beginning: "lin_(?:api|oauth)_[A-Za-z\\d]{30}", goesOnWith: word },
  { name: "Notion token", beginning: "ntn_[A-Za-z\\d]{30}", goesOnWith: word },
  { name: "Figma token", beginning: "figd_[\\w-]{30}", goesOnWith: word },
  { name: "Databricks token", beginning: "dapi[\\da-f]{32}", goesOnWith: word },
  { name: "Netlify token", beginning: "nf[pcou]_[A-Za-z\\d]{30}", goesOnWith: word },
  { name: "PlanetScale token", beginning: "pscale_(?:tkn|pw|oauth)_[\\w.-]{30}", goesOnWith: "\\w.-" },
  { name: "New Relic key", beginning: "NRAK-[A-Z\\d]{20}", goesOnWith: word },
  { name: "RubyGems key", beginning: "rubygems_[\\da-f]{40}", goesOnWith: word },
  { name: "Sentry token", beginning: "sntry[su]_[\\w+/=-]{30}", goesOnWith: base64 },
  { name: "Postman key", beginning: "PMAK-[\\da-f]{20}", goesOnWith: word },
  { name: "Supabase key", beginning: "(?:sb[ps]_\\w{30}|sb_secret_[\\w-]{20})", goesOnWith: word },
  { name: "1Password token", beginning: "ops_eyJ[\\w+/=-]{40}", goesOnWith: base64 },
  { name: "Tailscale key", beginning: "tskey-[a-z]{1,20}-[\\w-]{16}", goesOnWith: word },
  { name: "Matrix token", beginning: "sy[rt]_[\\w=/+-]{20}", goesOnWith: base64 },
  { name: "ntfy token", beginning: "tk_[a-z\\d]{29}(?![\\w-])" },
  { name: "age key", beginning: "AGE-SECRET-KEY-1[A-Z\\d]{20}", goesOnWith: word },
  { name: "model provider's key", beginning: "(?:gsk_|pplx-|r8_|xai-|nvapi-)[A-Za-z\\d]{30}", goesOnWith: word },
  // Base64 of GitHub, GitLab, Anthropic, OpenAI, Slack, AWS and PEM.
  {
    name: "encoded credential",
    beginning:
      "(?:Z2h[vwyz1]X|Z2l0aHViX3BhdF|Z2xwYXQt|c2stYW50L|c2stcHJvai|eG94[Yc]|QUtJQ|QVNJQ|LS0tLS1CRUdJTi)[\\w+/=-]{16}",
    goesOnWith: base64,
  },
  { name: "JSON web token", beginning: "eyJ[\\w-]{10}", goesOnWith: word, next: "\\.[\\w-]{10}" },
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
  { name: "Feishu webhook", after: "/bot/v2/hook/", beginning: "[\\w-]{20}", goesOnWith: word },
  { name: "WeCom webhook", after: "/webhook/send\\?key=", beginning: "[\\w-]{20}", goesOnWith: word },
  { name: "webhook", after: "/(?:hooks|api/webhook)/", beginning: "[\\w-]{20}", goesOnWith: word, isVague: true },
  { name: "Bark key", after: "api\\.day\\.app/", beginning: "[A-Za-z\\d]{20}", goesOnWith: word },
  { name: "authorization", after: "[?&;]auth=", beginning: "[\\w%+/=-]{16}", goesOnWith: "\\w%+/=-", isVague: true },
  { name: "signature", after: "[?&;]sig=", beginning: "[\\w%.+/=-]{20}", goesOnWith: "\\w%.+/=-" },
  {
    name: "signature",
    after: "X-Amz-(?:Signature|Security-Token)(?:=|%3[Dd])",
    beginning: "[\\w%]{20}",
    goesOnWith: "\\w%.+/=-",
  },
  // In a table, the secret is beside its key, which is replaced already.
  {
    name: "AWS secret key",
    after: "\\[redacted: AWS access key\\][\\s,;|:\"'`]{1,12}",
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
