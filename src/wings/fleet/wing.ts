// The wing that shares a person's events among several machines, by a NATS server.
import { join } from "node:path";
import type { CommandIo } from "../../console/command-io.ts";
import { unlessDryRun, type Wing } from "../../console/command.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { statIfThere } from "../../system/files/files.ts";
import { fleetCommands } from "./help.ts";

export const fleetWing: Wing = {
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
  // The client of the broker loads only where there is something of a fleet.
  checks: [
    {
      area: "fleet",
      load: async () => async (io, dispatcher) =>
        hasFleet(io, dispatcher) ? await (await import("./commands/doctor.ts")).examineFleet(io) : [],
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

function hasFleet({ places }: CommandIo, { rules }: Dispatcher): boolean {
  return rules().rules.fleet !== undefined || statIfThere(join(places.configDir, "fleet")) !== undefined;
}
