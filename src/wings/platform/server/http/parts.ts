// What the routes of the platform's API share.
import type { Clock } from "../../../../system/clock.ts";
import type { RegisteredComputer } from "../computers.ts";
import type { Installs } from "../install-session.ts";
import type { Key } from "../keys.ts";
import type { Database } from "../store/database.ts";

export interface PlatformParts {
  database: Database;
  clock: Clock;
  keys: () => Key[];
  computers: () => RegisteredComputer[];
  installs: Installs;
}
