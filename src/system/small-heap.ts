import { setFlagsFromString } from "node:v8";

/** The heap is cleaned rather than grown: a process that stays in the background should be small before it is fast. */
export function preferSmallHeap(): void {
  setFlagsFromString("--optimize-for-size");
}
