// Keeps the memory of a background process small.

/** Collect garbage early, and do not recompile the HTTP parser's WebAssembly, which takes 28 MB. */
const flags = [
  "--optimize-for-size",
  "--semi-space-growth-factor=1",
  "--heap-growing-percent=10",
  "--no-wasm-tier-up",
  "--no-wasm-dynamic-tiering",
];

let isSmall = false;

/** Call it before the heap has grown. */
export function preferSmallHeap(): void {
  // The module loads here, because `compile-cache.ts` needs only the other function.
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
  isSmall = true;
}

/** Whether this process has these flags, with which V8 takes no code that was compiled without them. */
export function prefersSmallHeap(): boolean {
  return isSmall;
}
