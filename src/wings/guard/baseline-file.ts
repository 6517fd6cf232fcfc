// Where the baseline is kept. Its reader is in baseline.ts, which a dispatcher loads only where there is one.
import { join } from "node:path";
import type { Layout } from "../../outbox/layout.ts";

export function baselinePath({ root }: Pick<Layout, "root">): string {
  return join(root, "hooks.json");
}

/** An empty file beside it, which says that there was one: if only the baseline is gone, another program has removed it. */
export function watchedPath({ root }: Pick<Layout, "root">): string {
  return join(root, "hooks-watched");
}
