// The tabs that wings of hookbell bring, one line each.
import type { ComponentChildren } from "preact";
import type { Now } from "../src/wings/page/contract.ts";
import { LateTab } from "./late-tab.tsx";
import { loadUsage } from "./usage/load.ts";
import { WhatIfTab } from "./what-if-tab.tsx";

export const wingTabs: Readonly<Record<string, (now: Now) => ComponentChildren>> = {
  "what-if": (now) => <WhatIfTab mayAdminister={now.device.rights.includes("administer")} />,
  usage: (now) => <LateTab load={loadUsage} now={now} />,
};
