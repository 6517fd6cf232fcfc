// The wing that shares a person's events among several machines, by a NATS server.
import { join } from "node:path";
import { unlessDryRun, type Wing } from "../../console/command.ts";
import { fleetCommands } from "./help.ts";

export const fleetWing: Wing = {
  name: "fleet",
  commands: {
    fleet: { effect: "neither", load: async () => (await import("./commands/show.ts")).showFleet },
    "fleet init": { effect: unlessDryRun, load: async () => (await import("./commands/init.ts")).initFleet },
    "fleet add": { effect: "grants", load: async () => (await import("./commands/add.ts")).addMember },
    "fleet join": { effect: unlessDryRun, load: async () => (await import("./commands/join.ts")).joinFleet },
    "fleet rotate": {
      effect: ({ words }) => (words.length === 0 ? "revokes" : "grants"),
      load: async () => (await import("./commands/rotate.ts")).rotateKeys,
    },
    "fleet remove": { effect: "revokes", load: async () => (await import("./commands/remove.ts")).removeMember },
  },
  help: { machines: fleetCommands },
  checks: [
    {
      area: "fleet",
      async load() {
        const { statIfThere } = await import("../../system/files/files.ts");
        return async (io, { rules }) => {
          const has =
            rules().rules.fleet !== undefined || statIfThere(join(io.places.configDir, "fleet")) !== undefined;
          // The client of the broker loads only where there is something of a fleet.
          return has ? await (await import("./commands/doctor.ts")).examineFleet(io) : [];
        };
      },
    },
  ],
  serves: {
    usage: "[--fleet FILE]",
    flags: {
      fleet: {
        value: "FILE",
        of: "file",
        meaning: "also count the events of a fleet, with a file from hookbell fleet add --role server",
      },
    },
    load: async () => (await import("./commands/serve.ts")).openFeed,
  },
  leased: { runsUntilIdle: true, load: async () => (await import("./membership.ts")).joinFleet },
};
