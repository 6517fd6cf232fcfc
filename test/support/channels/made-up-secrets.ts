// Credentials that open nothing. Put together here, so that no scanner takes this repository for a leak.
const characters = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY";

function made(length: number, from: string = characters): string {
  return from.repeat(Math.ceil(length / from.length)).slice(0, length);
}

function glued(...pieces: string[]): string {
  return pieces.join("");
}

const begin = ["-----BEGIN", "PRIVATE KEY-----"];
const end = ["-----END", "PRIVATE KEY-----"];

/** By the name that stands in their place; `secret` is the part that may not be left. */
export const madeUpSecrets: readonly { kind: string; text: string; secret: string }[] = [
  whole("AWS access key", glued("AK", "IA") + made(16, "ABCDEFGH234567QR")),
  whole("AWS access key", glued("AS", "IA") + made(16, "ZYXWVUTS765432QR")),
  ...["p", "o", "u", "s", "r"].map((letter) => whole("GitHub token", glued("gh", letter, "_") + made(36))),
  whole("GitHub token", glued("github", "_pat_") + made(22) + "_" + made(59)),
  whole("GitLab token", glued("gl", "pat-") + made(20)),
  ...["b", "p", "a", "r", "s"].map((letter) => whole("Slack token", glued("xox", letter, "-1234567890-") + made(24))),
  whole("Slack token", glued("xa", "pp-1-A0123456789-") + made(40)),
  part("Slack webhook", glued("https://hooks.slack", ".com/services/"), "T0000000A/B0000000B/" + made(24)),
  part("Discord webhook", glued("https://discord", ".com/api/webhooks/"), "123456789012345678/" + made(68)),
  part("Discord webhook", glued("https://discordapp", ".com/api/v10/webhooks/"), "123456789012345678/" + made(68)),
  whole("Discord bot token", "M" + made(25) + "." + made(6) + "." + made(38)),
  whole("Telegram bot token", glued("123456789:", "AA") + made(33)),
  whole("Telegram bot token", glued("bot123456789:", "AA") + made(33)),
  whole("OpenAI key", glued("sk", "-") + made(48)),
  whole("OpenAI key", glued("sk", "-proj-") + made(120)),
  whole("Anthropic key", glued("sk", "-ant-api03-") + made(95)),
  whole("Factory key", glued("fk", "-") + made(40)),
  whole("Google API key", glued("AI", "za") + made(35)),
  whole("Google OAuth token", glued("ya", "29.") + made(60)),
  whole(
    "private key",
    `{"private_key": "${begin.join(" ")}\\n${made(64)}\\n${made(64)}\\nab1=\\n${end.join(" ")}\\n"}`,
    made(64),
  ),
  whole(
    "private key",
    `${begin.join(" RSA ")}\nProc-Type: 4,ENCRYPTED\nDEK-Info: X,1\n\n${made(64)}\nab1=\n${end.join(" RSA ")}`,
    made(64),
  ),
  whole("private key", `${begin.join(" OPENSSH ")}\n${made(70)}\n${made(70)}`, made(70)),
  whole("Stripe key", glued("sk", "_live_") + made(24)),
  whole("Stripe key", glued("rk", "_test_") + made(24)),
  whole("webhook signing secret", glued("wh", "sec_") + made(32)),
  whole("npm token", glued("np", "m_") + made(36)),
  whole("PyPI token", glued("py", "pi-AgEIcHlwaS5vcmc") + made(80)),
  whole("Docker token", glued("dckr", "_pat_") + made(27)),
  whole("Hugging Face token", glued("h", "f_") + made(34)),
  whole("SendGrid key", glued("S", "G.") + made(22) + "." + made(43)),
  whole("Twilio key", glued("S", "K") + made(32, "0123456789abcdef")),
  part("Azure key", glued("DefaultEndpointsProtocol=https;AccountName=x;Account", "Key="), made(86) + "=="),
  whole("Figma token", glued("fig", "d_") + made(40)),
  whole("Databricks token", glued("da", "pi") + made(32, "0123456789abcdef")),
  whole("Netlify token", glued("nf", "p_") + made(36)),
  whole("PlanetScale token", glued("pscale", "_tkn_") + made(43)),
  whole("New Relic key", glued("NR", "AK-") + made(27, "ABCDEFGH0123456789")),
  whole("RubyGems key", glued("ruby", "gems_") + made(48, "0123456789abcdef")),
  part("Bark key", "https://api.day.app/", made(22), "/title"),
  part("authorization", "https://ntfy.example.org/mine?auth=", made(40)),
  part("key", "curl -H 'X-Shop-Key: ", "A" + made(14), "' https://example.org"),
  whole("JSON web token", glued("ey", "J") + made(30) + glued(".ey", "J") + made(60) + "." + made(43)),
  part("signature", "https://prod.example.net/workflows/1/triggers/manual/paths/invoke?sv=1.0&sig=", made(43)),
  part("password", "postgres://bob:", "hunter2", "@db.example.org/shop"),
  part("password", "https://bob:", "p@ss:w0rd", "@example.org"),
  part("authorization", "Authorization: Bearer ", made(40)),
  part("authorization", "-H 'Authorization: Basic ", "Ym9iOmh1bnRlcjI=", "'"),
  part("password", "password=", "hunter2"),
  part("password", 'DB_PASSWORD: "', "hunter2", '"'),
  part("password", '{\\"password\\":\\"', "hunter2", '\\"}'),
  part("password", "mysql --password ", "hunter2", " shop"),
  part("password", "curl -u admin:", "hunter2", " https://example.org"),
  part("token", "?access_token=", made(20), "&page=2"),
  part("key", "export SHOP_API_KEY=", made(24)),
  part("key", "aws_secret_access_key = ", made(40)),
  part("secret", "client_secret: '", made(16), "'"),
  part("password", "password=", "correcthorse"),
  part("password", 'PASSWORD="', "correct horse 9", '"'),
  part("GitHub token", "TOKEN_", glued("gh", "p_") + made(36)),
  part("password", "sshpass -p ", "hunter2", " ssh host"),
  part("password", "sshpass -p", "correcthorse", " ssh host"),
  part("password", "mysql -u root -p", "hunter2", " shop"),
  part("password", "docker login -u bob -p ", "correcthorse", " registry.example"),
  part("password", "redis-cli -h cache.example -a ", "correcthorse", " ping"),
  part("password", "machine api.example login bob password ", "correcthorse", "\n"),
  part("password", "<server><password>", "correct horse", "</password></server>"),
  part("token", "<ns:auth-token>", made(20), "</ns:auth-token>"),
  part("signature", "https://x.s3.example/a?X-Amz-Expires=60&X-Amz-Signature=", made(64, "0123456789abcdef")),
  whole("encoded credential", Buffer.from(glued("gh", "p_") + made(36)).toString("base64")),
  whole("encoded credential", Buffer.from(glued("sk", "-ant-api03-") + made(60)).toString("base64")),
  whole("encoded credential", Buffer.from(glued("xox", "b-1234567890-") + made(24)).toString("base64")),
];

function whole(kind: string, text: string, secret: string = text): { kind: string; text: string; secret: string } {
  return { kind, text, secret };
}

function part(
  kind: string,
  before: string,
  secret: string,
  after = "",
): { kind: string; text: string; secret: string } {
  return { kind, text: before + secret + after, secret };
}
