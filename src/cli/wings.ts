// The wings as one list, in the order of their names.
import type { Wing } from "../console/command.ts";
import * as registry from "../wings/index.ts";

export const wings: readonly Wing[] = Object.values(registry);
