// The time that scrubbing and the search for look-alikes take for texts that repeat what begins a search.
import { expect, it } from "vitest";
import { misleadingWords } from "../../../src/answers/card/look-alikes.ts";
import { scrub } from "../../../src/model/privacy/scrub.ts";
import { commandNames } from "../../../src/model/privacy/command-secrets.ts";
import { everyRow } from "../../support/rows.ts";

/** Subcommands and options. */
const words =
  "-p -hp -P -a -A -X -b -bn -w -U -u -N -k -n -pw --user --proxy-user --body --auth --value --secret-string --plaintext --pass /p: /pass: /password: pass: configure set secret_access_key session_token login secret enc passwd input_pw user_pw owner_pw password add_user change_password obscure config add-authtoken authtoken _auth _authToken _password user use kinit cryptsetup sudo --passphrase-fd <<<".split(
    " ",
  );
const commands = [
  "az login ",
  "docker login -u x ",
  "aws configure set ",
  "aws configure set aws_session_token",
  "az secret set ",
  "az keyvault secret set --name x ",
  "gh secret set ",
  "openssl enc ",
  "openssl passwd ",
  "openssl enc -k",
  "htpasswd -b a ",
  "net use ",
  "net user ",
  "vault login ",
  "npm config set ",
  "ngrok config add-authtoken",
  "rabbitmqctl add_user ",
  "sqlplus a",
  "curl -u",
  "curl -u a",
  "http -a a",
  "smbclient -U a",
  "nmcli password",
  "mysql -p ",
  "zip -P $X ",
  "echo a | ",
  "echo -n ",
  "az login -p $X ",
  `${"az ".repeat(60)}${"login ".repeat(30)}`,
  `${"mysql ".repeat(33)}-p$X `,
  `${"az login ".repeat(22)}-p $X `,
];

const plain = "The quick brown fox jumps over the lazy dog, ";
const repeatedTo = (length: number, piece: string): string => piece.repeat(Math.ceil(length / piece.length));

function timeOf(text: string, read: (text: string) => unknown = scrub): number {
  const start = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** The second try is for a machine that did something else. A whole millisecond is the least that can be told apart. */
function isSlow(text: string, most: number): boolean {
  return timeOf(text) > most && timeOf(text) > most;
}

it.each([
  [64, [...[...commandNames, ...words].map((word) => `${word} `), ...commands]],
  [256, commands],
] as const)("%i KiB of repeated words of commands take not much longer than plain text", (kib, pieces) => {
  const length = kib * 1024;
  scrub(repeatedTo(length, plain));
  const most = 20 * Math.max(1000, timeOf(repeatedTo(length, plain)));
  expect(pieces.filter((piece) => isSlow(repeatedTo(length, piece), most))).toEqual([]);
});

/** With steps that grow as the square of the length, none of these would ever end. */
const repeated = [
  "eyJ",
  " sk-",
  "-----BEGIN PRIVATE KEY-----\n",
  "a://b:",
  "token:",
  "token=",
  "password=a1b2c3 ",
  "Bearer ",
  " -u a:",
  "--password ",
  "ghp_",
  "\u001B[31m",
  'secret="',
  "eyJaB3dE5fG7hJ.",
  "hooks.slack.com/services/",
  "mysql ",
  "zip -P 'a ",
  'zip -P "a',
  "curl -u ",
  "htpasswd -b a ",
  "echo ",
  "create user ",
  "password '",
  "password for a ",
  "create user identified by ",
  "*:*:*:",
  "a:5432:b:c:",
  "net use \\\\a ",
  "vault login -a ",
  "--with-token ",
  "cookie: a=b;",
  "cookie: a=b; ",
  "password: ",
  "password: aa bb\n",
  "%41",
  "&#65;",
  "[](x)",
  "](",
  "![",
  "](a(b)",
  "&UnderBar;",
  "\u001B]",
  "\u001B]0;a\u0007",
  " ",
  "x",
];

it("512 KiB of any piece of a credential are no trouble", () =>
  everyRow(repeated, (piece) => {
    const text = piece.repeat((512 * 1024) / piece.length);
    expect(scrub(text).text.length).toBeGreaterThan(0);
  }));

it("a search for look-alikes takes about eight times as long for eight times the text", () => {
  const isSteep = (part: string): boolean => {
    const [short, long] = [10_000, 80_000].map((length) => timeOf(part.repeat(length), misleadingWords));
    return (long ?? 0) > 40 * (short ?? 0) + 50_000;
  };
  const parts = ["а", "а ", "'а ", '"', "ａ", "а-", "\\'", "− "];
  for (const part of parts) timeOf(part.repeat(2000), misleadingWords);
  expect(parts.filter((part) => isSteep(part) && isSteep(part))).toEqual([]);
});
