// What each command does with rights, by the table of the commands themselves.
import { describe, expect, it } from "vitest";
import { effectOf, runCommand } from "../../src/cli/command-line.ts";
import { commandTable } from "../../src/cli/table.ts";
import { commands } from "../../src/cli/commands.ts";
import type { Effect } from "../../src/console/command.ts";
import { wings } from "../../src/wings/index.ts";
import { UserError } from "../../src/model/errors.ts";
import { commandIo } from "../support/project/command-io.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

/** The wing that brings a command, by the command's first word; without the wing, there is no such command. */
const wingOf: Readonly<Record<string, string>> = {
  import: "import",
  remote: "remote",
  fleet: "fleet",
  board: "board",
  tray: "board",
  replay: "replay",
  hooks: "guard",
  devices: "page",
  usage: "platform",
  readiness: "platform",
  platform: "platform",
  computers: "platform",
  keys: "platform",
};
const isHere = (line: string): boolean => {
  if (line === "serve") return wings.some(({ serves }) => serves !== undefined);
  const wing = wingOf[line.split(" ")[0] ?? ""];
  return wing === undefined || wings.some(({ name }) => name === wing);
};

/** Every command, and every use of one that does something else. */
const allUses: Record<Effect, readonly string[]> = {
  grants: [
    "answer ID allow",
    "answer ID deny --message TEXT",
    "channels add telegram --set answers=true --yes",
    "channels add telegram --set .answers=true --yes",
    "channels pair phone",
    "computers add build -- make",
    "devices add",
    "devices --json --name x add",
    "devices add --answer --administer",
    "fleet init --org acme --person ada --yes",
    "fleet add ada/box",
    "fleet join FILE --yes",
    "fleet rotate ada/box",
    "keys add ann",
    "keys --data DIR --role owner add ann",
    "remote add web1 --yes",
    "remote add ci --by http",
    "remote add ci --new-secret",
    "remote add FILE --by file --name box",
    "hooks --accept",
    "hooks --remove ID --yes",
  ],
  revokes: [
    "channels pair phone --remove",
    "channels remove phone --yes",
    "devices revoke ID",
    "devices revoke add",
    "fleet remove ada/box",
    "fleet remove --yes",
    "fleet rotate",
    "keys remove ann",
    "remote remove web1 --forget --yes",
  ],
  neither: (
    "init, import, channels, channels slack, channels add ntfy --yes, test, completion bash, version, uninstall, remote, " +
    "remote list, remote add web1 --dry-run, fleet, fleet init --dry-run, fleet join FILE --dry-run, doctor, docs, status, board, " +
    "tray, sessions, log, why, explain, replay, check, pending, send hello, run -- make, retry, discard, digest, mute 2h, " +
    "unmute, usage, readiness, platform poll, platform cron, computers install-deps ID, computers list, serve, devices, devices --name add, " +
    "keys, keys --data add, hook, dispatch, hooks, hooks --cost"
  ).split(", "),
};
const uses = {
  grants: allUses.grants.filter(isHere),
  revokes: allUses.revokes.filter(isHere),
  neither: allUses.neither.filter(isHere),
};
const all = Object.entries(uses).flatMap(([effect, lines]) => lines.map((line) => [line, effect as Effect] as const));

function named(line: string): { name: string; args: string[] } {
  const words = line.split(" ");
  const length = Object.hasOwn(commands, words.slice(0, 2).join(" ")) ? 2 : 1;
  return { name: words.slice(0, length).join(" "), args: words.slice(length) };
}

describe("every command", () => {
  it("is named here with what it does to rights: a new one must say it in the table of commands and here", () => {
    expect(new Set(all.map(([line]) => named(line).name))).toEqual(new Set(Object.keys(commands)));
    const lines = Object.values(commandTable).flatMap(({ usage }) => usage);
    const verbs = lines.flatMap((line) => /^[a-z]+ [a-z][a-z-]+(?= |$)/.exec(line)?.[0] ?? []);
    for (const verb of verbs)
      expect(all.map(([line]) => `${line} `)).toContainEqual(expect.stringContaining(`${verb} `));
  });

  it("of a wing is entered as that wing's", () => {
    const entered = wings.flatMap(({ name, commands: own = {} }) =>
      Object.keys(own).map((command) => [name, wingOf[command.split(" ")[0] ?? ""]]),
    );
    expect(entered.filter(([name, wing]) => name !== wing)).toEqual([]);
  });

  it.each(all)("declares it: %s %s", (line, effect) => {
    const { name, args } = named(line);
    const command = commands[name];
    expect(command && effectOf(name, command, args)).toBe(effect);
  });
});

const refusal = /and no agent may do that|needs a terminal in which a person has started it/;

/** What the command line says to it without a terminal, started by an agent or not. */
async function saidTo(line: string, env: Record<string, string>): Promise<string> {
  const home = temporaryFolder();
  const io = commandIo(home, { env: { HOME: home, PATH: "", ...env }, ancestry: () => [] });
  try {
    return String(await runCommand(line.split(" "), io));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

it.each(uses.grants)("a use that grants is refused without a person at a terminal: %s", async (line) => {
  expect(await saidTo(line, {})).toMatch(refusal);
  expect(await saidTo(line, { CLAUDECODE: "1" })).toMatch(/^Claude Code runs this command/);
});

it.each(uses.revokes)("a use that revokes works from anywhere: %s", async (line) => {
  expect(await saidTo(line, {})).not.toMatch(refusal);
  expect(await saidTo(line, { CLAUDECODE: "1" })).not.toMatch(refusal);
});
