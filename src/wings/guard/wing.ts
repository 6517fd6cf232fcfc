// The wing that knows what agents start by themselves, and tells of what is new.
import type { Use, Wing } from "../../console/command.ts";
import { guardCommands } from "./help.ts";

export const guardWing: Wing = {
  name: "guard",
  commands: {
    hooks: {
      effect: ({ flags }: Use) => (flags.accept === true || flags.remove === true ? "grants" : "neither"),
      load: async () => (await import("./commands/hooks.ts")).hooks,
    },
  },
  help: { inspect: guardCommands },
  checks: [
    {
      area: "hooks",
      async load() {
        const { examineHooks } = await import("./commands/doctor.ts");
        return examineHooks;
      },
    },
  ],
  afterInit: { load: async () => (await import("./commands/after-init.ts")).takeAsKnown },
  status: { load: async () => (await import("./commands/unseen.ts")).unseenPrograms },
  digest: { load: async () => (await import("./commands/cost.ts")).slowestHook },
  leased: { runsUntilIdle: false, load: async () => (await import("./watch.ts")).watchHooks },
};
