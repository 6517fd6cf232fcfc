// The commands of the core. `src/wings/` has those of the wings.
import type { Command } from "../console/command.ts";

/** Who reads such a channel may answer agents. The command asks again for what is only said while it runs. */
const givesAnswers = (settings: unknown): boolean =>
  Array.isArray(settings) && settings.some((setting) => /^[^=]*answers/.test(String(setting)));

/** The keys are the first argument, or the first two. `help/` describes them. */
export const commands: Readonly<Record<string, Command>> = {
  init: {
    effect: "neither",
    async load(wings) {
      const { init } = await import("./init/init.ts");
      return async (args, io) => await init(args, io, { wings });
    },
  },
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
  test: { effect: "neither", load: async () => (await import("./send/test.ts")).test },
  uninstall: { effect: "neither", load: async () => (await import("./init/uninstall.ts")).uninstall },
  doctor: {
    effect: "neither",
    async load(wings) {
      const { doctor } = await import("./doctor/doctor.ts");
      return async (args, io) => await doctor(args, io, wings);
    },
  },
  status: {
    effect: "neither",
    async load(wings) {
      const { status } = await import("./queue/status.ts");
      return async (args, io) => await status(args, io, wings);
    },
  },
  sessions: { effect: "neither", load: async () => (await import("./queue/sessions.ts")).sessions },
  log: { effect: "neither", load: async () => (await import("./queue/log.ts")).log },
  why: { effect: "neither", load: async () => (await import("./queue/why.ts")).why },
  explain: { effect: "neither", load: async () => (await import("./explain/explain.ts")).explain },
  check: { effect: "neither", load: async () => (await import("./explain/check.ts")).check },
  pending: { effect: "neither", load: async () => (await import("./queue/pending.ts")).pending },
  answer: { effect: "grants", load: async () => (await import("./queue/answer.ts")).answer },
  send: { effect: "neither", load: async () => (await import("./send/send.ts")).send },
  run: { effect: "neither", load: async () => (await import("./send/run.ts")).run },
  digest: {
    effect: "neither",
    async load(wings) {
      const { digest } = await import("./attention/digest.ts");
      return async (args, io) => await digest(args, io, wings);
    },
  },
  mute: { effect: "neither", load: async () => (await import("./attention/mute.ts")).mute },
  unmute: { effect: "neither", load: async () => (await import("./attention/mute.ts")).unmute },
  retry: { effect: "neither", load: async () => (await import("./queue/dead-letters.ts")).retry },
  discard: { effect: "neither", load: async () => (await import("./queue/dead-letters.ts")).discard },
  serve: {
    effect: "neither",
    async load(wings) {
      const { serve } = await import("./serve/serve.ts");
      return async (args, io) => await serve(args, io, wings);
    },
  },
  hook: { effect: "neither", load: async () => (await import("./send/hook.ts")).hook },
  dispatch: {
    effect: "neither",
    async load(wings) {
      const { dispatch } = await import("./queue/dispatch.ts");
      return async (args, io) => await dispatch(args, io, wings);
    },
  },
};
