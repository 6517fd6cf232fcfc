// Whether this machine has something of a fleet, which `doctor` checks then.
import { join } from "node:path";
import type { Examine } from "../../console/command.ts";
import { statIfThere } from "../../system/files/files.ts";

/** The client of the broker loads only where there is a fleet. */
export const examineFleetIfAny: Examine = async (io, { rules }) => {
  const has = rules().rules.fleet !== undefined || statIfThere(join(io.places.configDir, "fleet")) !== undefined;
  return has ? await (await import("./doctor.ts")).examineFleet(io) : [];
};
