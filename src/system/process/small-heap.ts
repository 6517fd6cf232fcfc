// Keeps the memory of a background process small.

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
  // The module loads here, since only a dispatcher needs it.
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}
