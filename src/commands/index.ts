// The commands: what each does with rights, and how it is loaded when it runs.
import type { CommandIo } from "../console/command-io.ts";

export type RunCommand = (args: string[], io: CommandIo) => Promise<number>;

/** What a use of a command does: it makes or shows a right that others can use, it only takes rights away, or neither. */
export type Effect = "grants" | "revokes" | "neither";

/** Its arguments, as the command itself reads them. */
export interface Use {
  words: readonly string[];
  flags: Readonly<Record<string, unknown>>;
}

export interface Command {
  /**
   * A use that grants needs a person at a terminal. One that revokes works from anywhere, so that a thief can be locked out.
   * A function is given only arguments that fit the flags in `help/table.ts`.
   */
  effect: Effect | ((use: Use) => Effect);
  load(): Promise<RunCommand>;
}

const unlessDryRun = ({ flags }: Use): Effect => (flags["dry-run"] === true ? "neither" : "grants");

const effectOfVerb: Readonly<Record<string, Effect>> = { add: "grants", revoke: "revokes", remove: "revokes" };

/** Who reads such a channel may answer agents. The command asks again for what is only said while it runs. */
const givesAnswers = (settings: unknown): boolean =>
  Array.isArray(settings) && settings.some((setting) => /^[^=]*answers/.test(String(setting)));

/** The keys are the first argument, or the first two. `help/table.ts` describes them. */
export const commands: Readonly<Record<string, Command>> = {
  init: { effect: "neither", load: async () => (await import("./init/init.ts")).init },
  import: { effect: "neither", load: async () => (await import("../wings/import/import.ts")).importCommand },
  channels: { effect: "neither", load: async () => (await import("./channels/channels.ts")).channels },
  "channels add": {
    effect: ({ flags }) => (givesAnswers(flags.set) ? "grants" : "neither"),
    load: async () => (await import("./channels/add/add.ts")).addChannelCommand,
  },
  "channels pair": {
    effect: ({ flags }) => (flags.remove === true ? "revokes" : "grants"),
    load: async () => (await import("./channels/pair.ts")).pairCommand,
  },
  "channels remove": {
    effect: "revokes",
    load: async () => (await import("./channels/remove.ts")).removeChannelCommand,
  },
  remote: { effect: "neither", load: async () => (await import("../wings/remote/commands/remote.ts")).remote },
  "remote list": { effect: "neither", load: async () => (await import("../wings/remote/commands/remote.ts")).remote },
  "remote add": { effect: unlessDryRun, load: async () => (await import("../wings/remote/commands/add.ts")).addRemote },
  "remote remove": { effect: "revokes", load: async () => (await import("../wings/remote/commands/remove.ts")).removeRemote },
  fleet: { effect: "neither", load: async () => (await import("../wings/fleet/commands/show.ts")).showFleet },
  "fleet init": { effect: unlessDryRun, load: async () => (await import("../wings/fleet/commands/init.ts")).initFleet },
  "fleet add": { effect: "grants", load: async () => (await import("../wings/fleet/commands/add.ts")).addMember },
  "fleet join": { effect: unlessDryRun, load: async () => (await import("../wings/fleet/commands/join.ts")).joinFleet },
  "fleet rotate": {
    effect: ({ words }) => (words.length === 0 ? "revokes" : "grants"),
    load: async () => (await import("../wings/fleet/commands/rotate.ts")).rotateKeys,
  },
  "fleet remove": { effect: "revokes", load: async () => (await import("../wings/fleet/commands/remove.ts")).removeMember },
  test: { effect: "neither", load: async () => (await import("./send/test.ts")).test },
  completion: { effect: "neither", load: async () => (await import("../cli/completion.ts")).completion },
  version: { effect: "neither", load: async () => (await import("../cli/version.ts")).printVersion },
  uninstall: { effect: "neither", load: async () => (await import("./init/uninstall.ts")).uninstall },
  doctor: { effect: "neither", load: async () => (await import("./doctor/doctor.ts")).doctor },
  status: { effect: "neither", load: async () => (await import("./queue/status.ts")).status },
  board: { effect: "neither", load: async () => (await import("../wings/board/board.ts")).board },
  tray: { effect: "neither", load: async () => (await import("../wings/board/tray.ts")).tray },
  sessions: { effect: "neither", load: async () => (await import("./queue/sessions.ts")).sessions },
  log: { effect: "neither", load: async () => (await import("./queue/log.ts")).log },
  why: { effect: "neither", load: async () => (await import("./queue/why.ts")).why },
  explain: { effect: "neither", load: async () => (await import("./explain/explain.ts")).explain },
  replay: { effect: "neither", load: async () => (await import("../wings/replay/command.ts")).replay },
  check: { effect: "neither", load: async () => (await import("./explain/check.ts")).check },
  pending: { effect: "neither", load: async () => (await import("./queue/pending.ts")).pending },
  answer: { effect: "grants", load: async () => (await import("./queue/answer.ts")).answer },
  send: { effect: "neither", load: async () => (await import("./send/send.ts")).send },
  run: { effect: "neither", load: async () => (await import("./send/run.ts")).run },
  digest: { effect: "neither", load: async () => (await import("./attention/digest.ts")).digest },
  mute: { effect: "neither", load: async () => (await import("./attention/mute.ts")).mute },
  unmute: { effect: "neither", load: async () => (await import("./attention/mute.ts")).unmute },
  retry: { effect: "neither", load: async () => (await import("./queue/dead-letters.ts")).retry },
  discard: { effect: "neither", load: async () => (await import("./queue/dead-letters.ts")).discard },
  usage: { effect: "neither", load: async () => (await import("../wings/platform/commands/usage.ts")).usage },
  readiness: { effect: "neither", load: async () => (await import("../wings/platform/commands/readiness.ts")).readiness },
  "platform poll": { effect: "neither", load: async () => (await import("../wings/platform/commands/poll.ts")).poll },
  "platform cron": { effect: "neither", load: async () => (await import("../wings/platform/commands/poll.ts")).printCronLine },
  "computers install-deps": { effect: "neither", load: async () => (await import("../wings/platform/commands/computers.ts")).installDeps },
  "computers add": { effect: "grants", load: async () => (await import("../wings/platform/commands/computers.ts")).registerComputer },
  serve: { effect: "neither", load: async () => (await import("../wings/platform/commands/serve.ts")).serve },
  devices: {
    effect: ({ words }) => effectOfVerb[words[0] ?? ""] ?? "neither",
    load: async () => (await import("../wings/page/trust/devices.ts")).devices,
  },
  keys: {
    effect: ({ words }) => effectOfVerb[words[0] ?? ""] ?? "neither",
    load: async () => (await import("../wings/platform/commands/keys.ts")).keys,
  },
  hook: { effect: "neither", load: async () => (await import("./send/hook.ts")).hook },
  dispatch: { effect: "neither", load: async () => (await import("./queue/dispatch.ts")).dispatch },
};
