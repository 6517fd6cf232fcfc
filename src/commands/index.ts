// The commands. Each is loaded when it runs.
import type { CommandIo } from "./console/command-io.ts";

export type RunCommand = (args: string[], io: CommandIo) => Promise<number>;

/** The keys are first arguments. `help/table.ts` describes them. */
export const commands: Readonly<Record<string, () => Promise<RunCommand>>> = {
  init: async () => (await import("./init/init.ts")).init,
  import: async () => (await import("./init/import/import.ts")).importCommand,
  channels: async () => (await import("./channels/channels.ts")).channels,
  remote: async () => (await import("./init/remote/remote.ts")).remote,
  fleet: async () => (await import("./init/fleet/fleet.ts")).fleet,
  test: async () => (await import("./send/test.ts")).test,
  completion: async () => (await import("./help/completion.ts")).completion,
  version: async () => (await import("./help/version.ts")).printVersion,
  uninstall: async () => (await import("./init/uninstall.ts")).uninstall,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  status: async () => (await import("./queue/status.ts")).status,
  board: async () => (await import("./board/board.ts")).board,
  tray: async () => (await import("./board/tray.ts")).tray,
  sessions: async () => (await import("./queue/sessions.ts")).sessions,
  log: async () => (await import("./queue/log.ts")).log,
  explain: async () => (await import("./explain/explain.ts")).explain,
  replay: async () => (await import("./explain/replay.ts")).replay,
  check: async () => (await import("./explain/check.ts")).check,
  pending: async () => (await import("./queue/pending.ts")).pending,
  answer: async () => (await import("./queue/answer.ts")).answer,
  send: async () => (await import("./send/send.ts")).send,
  run: async () => (await import("./send/run.ts")).run,
  digest: async () => (await import("./attention/digest.ts")).digest,
  mute: async () => (await import("./attention/mute.ts")).mute,
  unmute: async () => (await import("./attention/mute.ts")).unmute,
  retry: async () => (await import("./queue/dead-letters.ts")).retry,
  discard: async () => (await import("./queue/dead-letters.ts")).discard,
  usage: async () => (await import("./usage/usage.ts")).usage,
  readiness: async () => (await import("./usage/readiness.ts")).readiness,
  platform: async () => (await import("./usage/poll.ts")).platform,
  computers: async () => (await import("./usage/computers.ts")).computers,
  serve: async () => (await import("./usage/serve.ts")).serve,
  devices: async () => (await import("./page/devices.ts")).devices,
  keys: async () => (await import("./usage/keys.ts")).keys,
  hook: async () => (await import("./send/hook.ts")).hook,
  dispatch: async () => (await import("./queue/dispatch.ts")).dispatch,
};
