// Makes the real CommandIo: this process's streams, environment and clock.
import { findPlaces } from "../../system/paths.ts";
import { systemClock, systemRandom } from "../../system/clock.ts";
import { currentFolder, systemEnvironment } from "../../system/environment.ts";
import { systemTerminal } from "../../system/terminal/terminal.ts";
import type { CommandIo } from "./command-io.ts";

export function createCommandIo(): CommandIo {
  const env = systemEnvironment();
  // Not spread, which would look at every stream.
  return Object.assign(systemTerminal(env), {
    env,
    clock: systemClock,
    random: systemRandom,
    places: findPlaces(env),
    platform: process.platform,
    cwd: currentFolder(),
  });
}
