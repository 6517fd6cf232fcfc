// Keeps the memory of a background process small.
import { setFlagsFromString } from "node:v8";

/** Collect garbage early, and do not recompile the HTTP parser's WebAssembly, which takes 28 MB. */
const flags = [
  "--optimize-for-size",
  "--semi-space-growth-factor=1",
  "--heap-growing-percent=10",
  "--no-wasm-tier-up",
  "--no-wasm-dynamic-tiering",
];

/** Call it before the heap has grown. */
export function preferSmallHeap(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
