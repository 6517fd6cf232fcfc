// Every place where a command reads a file that a person or another program names, and what may lie there instead.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { payloadOf } from "../project/running-project.ts";

/** No output may have it. */
const secretWord = "Zq7SecretOfAnother";

type Make = (path: string) => void;

function makeSocket(path: string): void {
  const bind = "import os,socket,sys;os.chdir(sys.argv[1]);socket.socket(socket.AF_UNIX).bind(sys.argv[2])";
  execFileSync("python3", ["-c", bind, dirname(path), path.slice(dirname(path).length + 1)]);
}

function makeLinkToSecret(path: string): void {
  writeFileSync(`${path}.secret`, `${secretWord}=${secretWord}\n`);
  symlinkSync(`${path}.secret`, path);
}

/** Of these, the quick test tries a few. */
export const quickKinds: Record<string, Make> = {
  "a folder": (path) => mkdirSync(path),
  "a pipe (posix)": (path) => execFileSync("mkfifo", [path]),
  "a device without an end (posix)": (path) => symlinkSync("/dev/zero", path),
  "a hole of 1 GiB": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 1024 ** 3);
  },
  "a link to a secret (posix)": makeLinkToSecret,
};

export const otherKinds: Record<string, Make> = {
  nothing: () => {},
  "a link to itself": (path) => symlinkSync(path, path),
  "bytes that are no text": (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 137, 80, 78, 71])),
  "a device that is full": (path) => symlinkSync("/dev/full", path),
  "a terminal": (path) => symlinkSync("/dev/tty", path),
  "a socket": makeSocket,
  "100 MB": (path) => writeFileSync(path, Buffer.alloc(100 * 1024 * 1024, "x")),
  "a link to nothing": (path) => symlinkSync(`${path}.none`, path),
  "UTF-16": (path) => writeFileSync(path, Buffer.from('\uFEFF{"a":1}\n', "utf16le")),
  "an empty file": (path) => writeFileSync(path, ""),
  "a list": (path) => writeFileSync(path, "[]"),
  null: (path) => writeFileSync(path, "null"),
  "200,000 brackets": (path) => writeFileSync(path, "[".repeat(200_000)),
};

/** Only another user than root meets these. */
export const deniedKinds: Record<string, Make> = {
  "a file that no one may read": (path) => {
    writeFileSync(path, "{}");
    chmodSync(path, 0);
  },
  "a file in a folder that no one may enter": (path) => {
    writeFileSync(path, "{}");
    chmodSync(dirname(path), 0);
  },
};

export interface NamedFile {
  name: string;
  /** Below the home folder; undefined if the path is an argument. */
  place?: string;
  args(path: string): string[];
  input?(path: string): string;
  rules?(path: string): object;
  env?(path: string): Record<string, string>;
  /** The test that runs within its own process leaves it out. */
  needsProcess?: true;
}

const at = (place: string, ...args: string[]): NamedFile => ({
  name: `${place}: ${args.join(" ")}`,
  place,
  args: () => args,
});
const argument = (args: (path: string) => string[], more: Partial<NamedFile> = {}): NamedFile => ({
  name: `${args("FILE").join(" ")}${Object.keys(more.env?.("FILE") ?? {}).join()}`,
  args,
  ...more,
});
const variable = (name: string, ...args: string[]): NamedFile =>
  argument(() => args, { env: (path) => ({ [name]: path }) });
const channel = (settings: object): object => ({
  channels: { c: settings },
  rules: [{ name: "r", when: {}, notify: ["c"] }],
});
const inRules = (name: string, settings: (path: string) => object, ...args: string[]): NamedFile => ({
  name: `${name}: ${args.join(" ")}`,
  args: () => args,
  rules: (path) => channel(settings(path)),
});
const webhook = { type: "webhook", url: "http://127.0.0.1:9/x", allowHttp: true };
const rulesFile = ".config/hookbell/rules.jsonc";
const addChannel = [
  "channels",
  "add",
  "webhook",
  "--set",
  "url=http://127.0.0.1:9",
  "--set",
  "allowHttp=true",
  "--yes",
];

export const namedFiles: readonly NamedFile[] = [
  at(".claude/hooks/peon-ping/config.json", "import", "peon-ping", "--dry-run"),
  at(".claude/hooks/peon-ping/config.json", "import", "--yes", "--json"),
  at(".config/code-notify/channels.json", "import", "code-notify", "--dry-run"),
  at(".config/code-notify/usage.json", "import", "code-notify", "--dry-run"),
  at(".claude/notifications/notify-types", "import", "code-notify", "--dry-run"),
  at(".claude/notifications/voice-enabled", "import", "code-notify", "--dry-run"),
  at(".anotifier/config.json", "import", "anotifier", "--dry-run"),
  at(".claude/ccnotify/config.json", "import", "ccnotify", "--dry-run"),
  at(".claude/settings.json", "import", "ccnotify", "--yes"),
  at(".codex/config.toml", "import", "ccnotify", "--yes"),
  at(".claude/settings.json", "init", "--agent", "claude-code", "--dry-run"),
  at(".claude/settings.json", "uninstall", "--yes"),
  at(rulesFile, "check"),
  at(rulesFile, "channels"),
  at(rulesFile, ...addChannel),
  at("data/keys.json", "keys", "--data", "data"),
  at("data/keys.json", "keys", "add", "n", "--data", "data"),
  at(".config/hookbell/fleet/authority.json", "fleet", "add", "a/b"),
  at(".config/hookbell/fleet/written.json", "fleet", "remove", "--yes"),
  argument((path) => ["check", path]),
  argument((path) => ["replay", "--rules", path]),
  argument((path) => ["explain", path]),
  argument((path) => ["channels", "--config", path]),
  argument((path) => [...addChannel, "--config", path]),
  argument((path) => ["import", "ccnotify", "--yes", "--config", path]),
  argument((path) => ["channels", "add", "slack", "--set", `url.file=${path}`, "--yes"]),
  argument((path) => ["serve", "--port", "0", "--tls-cert", path, "--tls-key", path]),
  argument((path) => ["serve", "--port", "0", "--fleet", path]),
  argument((path) => ["fleet", "join", path, "--yes"]),
  argument((path) => ["keys", "--data", path]),
  argument((path) => ["usage", "--data", path]),
  argument((path) => ["remote", "add", path, "--by", "file", "--name", "box", "--yes"]),
  argument(() => ["explain"], { input: (path) => payloadOf("Stop", { transcript_path: path, cwd: path }) }),
  inRules("headers", (file) => ({ ...webhook, headers: { A: { file } } }), "test", "c"),
  inRules(
    "ca",
    (ca) => ({ type: "email", server: "smtp://127.0.0.1:9", from: "a@example.com", to: ["a@example.com"], ca }),
    "test",
    "c",
  ),
  inRules("cwd", (cwd) => ({ type: "command", argv: ["true"], cwd }), "test", "c"),
  variable("HOOKBELL_STATE_DIR", "status"),
  variable("HOOKBELL_CONFIG_DIR", "check"),
  variable("CLAUDE_CONFIG_DIR", "import", "peon-ping", "--dry-run"),
  variable("CODE_NOTIFY_CONFIG_DIR", "import", "code-notify", "--dry-run"),
  variable("CODEX_HOME", "import", "ccnotify", "--dry-run"),
  ...[
    at(rulesFile, "doctor"),
    at(".claude/settings.json", "doctor"),
    variable("HOOKBELL_STATE_DIR", "send", "hello"),
  ].map((each): NamedFile => ({ ...each, needsProcess: true })),
];

/** Puts it in its place, and says how the command is to be run. */
export function placeNamedFile(
  home: string,
  { place, args, input, rules, env }: NamedFile,
  make: Make,
  suffix = "",
): { args: string[]; input: string; env: Record<string, string>; path: string } {
  const path = place === undefined ? join(home, "given", "file") : join(home, place);
  mkdirSync(dirname(path), { recursive: true });
  const given = path + suffix;
  if (rules !== undefined) {
    mkdirSync(dirname(join(home, rulesFile)), { recursive: true });
    writeFileSync(join(home, rulesFile), JSON.stringify(rules(given)));
  }
  make(suffix === "\n" ? given : path);
  return { args: args(given), input: input?.(given) ?? payloadOf("Stop"), env: env?.(given) ?? {}, path };
}

/** What a person must not see. */
export const faultsIn = (text: string): string[] =>
  [
    [/is a bug in hookbell|"code":"bug"/, "a report of a bug"],
    [/^\s+at .*[(:]/m, "a stack trace"],
    [new RegExp(secretWord.slice(0, 4)), "a quoted secret"],
  ].flatMap(([pattern, fault]) => ((pattern as RegExp).test(text) ? [fault as string] : []));
