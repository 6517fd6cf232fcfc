import { findPlaces } from "../../system/paths.ts";
import { systemClock, systemRandom } from "../../system/clock.ts";
import { currentFolder, systemEnvironment } from "../../system/environment.ts";
import { systemTerminal } from "../../system/terminal/terminal.ts";
import type { CommandIo } from "./command-io.ts";

/** The real thing: this process's streams, environment and clock. */
export function createCommandIo(): CommandIo {
  const env = systemEnvironment();
  const terminal = systemTerminal(env);
  return {
    ...terminal,
    env,
    clock: systemClock,
    random: systemRandom,
    places: findPlaces(env),
    platform: process.platform,
    cwd: currentFolder(),
  };
}
