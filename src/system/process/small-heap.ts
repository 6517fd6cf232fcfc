import { setFlagsFromString } from "node:v8";

/**
 * A process that stays in the background should be small before it is fast: its heap is cleaned early and grows little,
 * and the HTTP parser's WebAssembly is not compiled a second time for speed, which takes 28 MB for a moment. A version
 * of V8 that does not know one of these says so on stderr and goes on.
 */
const flags = [
  "--optimize-for-size",
  "--semi-space-growth-factor=1",
  "--heap-growing-percent=10",
  "--no-wasm-tier-up",
  "--no-wasm-dynamic-tiering",
];

/** The heap of this process stays small; works best before it has grown, and before anything speaks HTTP. */
export function preferSmallHeap(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
