// The time that scrubbing takes for texts that repeat what begins a search.
import { expect, it } from "vitest";
import { scrub } from "../../../src/model/privacy/scrub.ts";
import { commandNames } from "../../../src/model/privacy/command-secrets.ts";

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

function timeOf(text: string): number {
  const start = process.cpuUsage();
  scrub(text);
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
] as const)(
  "%i KiB of repeated words of commands take not much longer than plain text",
  { timeout: 60_000 },
  (kib, pieces) => {
    const length = kib * 1024;
    scrub(repeatedTo(length, plain));
    const most = 20 * Math.max(1000, timeOf(repeatedTo(length, plain)));
    expect(pieces.filter((piece) => isSlow(repeatedTo(length, piece), most))).toEqual([]);
  },
);
