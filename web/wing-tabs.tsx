// The tabs that wings of hookbell bring, one line each.
import type { ComponentChildren } from "preact";
import type { Now } from "../src/wings/page/contract.ts";
import { usageTab } from "./usage/load.tsx";
import { whatIfTab } from "./what-if-load.tsx";

export const wingTabs: Readonly<Record<string, (now: Now) => ComponentChildren>> = {
  "what-if": whatIfTab,
  usage: usageTab,
};
