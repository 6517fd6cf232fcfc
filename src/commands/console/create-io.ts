// Creates the CommandIo of this process.
import { findPlaces } from "../../system/paths.ts";
import { systemClock, systemRandom } from "../../system/clock.ts";
import { currentFolder, systemEnvironment } from "../../system/environment.ts";
import { systemTerminal } from "../../system/terminal/terminal.ts";
import type { CommandIo } from "./command-io.ts";

export function createCommandIo(): CommandIo {
  const env = systemEnvironment();
  // Not a spread, which would open every stream.
  return Object.assign(systemTerminal(env), {
    env,
    clock: systemClock,
    random: systemRandom,
    places: findPlaces(env),
    platform: process.platform,
    cwd: currentFolder(),
  });
}
