// The wings that this hookbell has. `wing-settings/` has their parts of the rules file.
import type { Wing } from "../console/command.ts";
import { boardWing } from "./board/wing.ts";
import { fleetWing } from "./fleet/wing.ts";
import { guardWing } from "./guard/wing.ts";
import { importWing } from "./import/wing.ts";
import { pageWing } from "./page/wing.ts";
import { platformWing } from "./platform/wing.ts";
import { remoteWing } from "./remote/wing.ts";
import { replayWing } from "./replay/wing.ts";

/** Help and `serve` have them in this order. */
export const wings: readonly Wing[] = [
  importWing,
  remoteWing,
  fleetWing,
  boardWing,
  replayWing,
  guardWing,
  pageWing,
  platformWing,
];
