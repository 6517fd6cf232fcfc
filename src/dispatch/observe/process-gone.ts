// A session whose process has ended can neither work nor wait. The start time tells the process from a later one with its number.
import { isStillThere } from "../../system/terminal/find-terminal.ts";
import type { Observer } from "./observers.ts";

export const processGone: Observer = ({ terminal }, nowMs) =>
  terminal === undefined || isStillThere(terminal) ? undefined : { kind: "processGone", source: "process", at: nowMs };
