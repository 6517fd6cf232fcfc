// What the routes of the platform's API share.
import type { Clock } from "../../../../system/clock.ts";
import type { RegisteredComputer } from "../computers.ts";
import type { Installs } from "../install-session.ts";
import type { ApiKey } from "../keys.ts";
import type { Database } from "../store/database.ts";

export interface PlatformParts {
  database: Database;
  clock: Clock;
  keys: () => ApiKey[];
  computers: () => RegisteredComputer[];
  installs: Installs;
}
