// The wing that brings the events of agents on other machines, over SSH, in containers and by their own http hooks.
import { unlessDryRun, type Wing } from "../../console/command.ts";
import { remoteCommands } from "./help.ts";

const listNames: NonNullable<Wing["completions"]>[string] = async ({ places }) => {
  const [{ listRemotes }, { layoutOf }] = await Promise.all([import("./remotes.ts"), import("../../outbox/layout.ts")]);
  return listRemotes(layoutOf(places.stateDir)).map(({ name }) => name);
};

export const remoteWing: Wing = {
  name: "remote",
  commands: {
    remote: { effect: "neither", load: async () => (await import("./commands/remote.ts")).remote },
    "remote list": { effect: "neither", load: async () => (await import("./commands/remote.ts")).remote },
    "remote add": { effect: unlessDryRun, load: async () => (await import("./commands/add.ts")).addRemote },
    "remote remove": { effect: "revokes", load: async () => (await import("./commands/remove.ts")).removeRemote },
  },
  help: { machines: remoteCommands },
  completions: { remote: listNames },
  checks: [
    {
      area: "remotes",
      async load() {
        const { examineRemotes } = await import("./commands/doctor.ts");
        return async (io, { layout }) => await examineRemotes(io, layout);
      },
    },
  ],
  bringsEvents: async (io) => (await listNames(io)).length > 0,
  serves: { load: async () => (await import("./commands/serve.ts")).openHooks },
  leased: { runsUntilIdle: false, load: async () => (await import("./attend-remotes.ts")).attendRemotes },
};
