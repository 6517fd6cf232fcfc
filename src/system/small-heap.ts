import { setFlagsFromString } from "node:v8";

/** Early cleaning, little growth: a process that stays in the background should be small before it is fast. */
const flags = ["--optimize-for-size", "--semi-space-growth-factor=1", "--heap-growing-percent=10"];

/** The heap of this process is cleaned rather than grown; works best before it has grown. */
export function preferSmallHeap(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
