// The wings that this hookbell has, one line each. `settings.ts` has their parts of the rules file.
export { remoteWing } from "./remote/wing.ts";
export { fleetWing } from "./fleet/wing.ts";
export { boardWing } from "./board/wing.ts";
export { replayWing } from "./replay/wing.ts";
export { importWing } from "./import/wing.ts";
export { platformWing } from "./platform/wing.ts";
export { pageWing } from "./page/wing.ts";
