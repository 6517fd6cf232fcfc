// Hooks whose payloads arrive at known times, whatever the machine does meanwhile.
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
import { pidSpace } from "../../../src/system/process/identity.ts";
import { forgeLease, livingPid } from "./forged-lease.ts";
import type { Project } from "./running-project.ts";

const apartMs = 10;

/** Runs the hooks one after the other, then a dispatcher to its end. To it, the payloads came ten milliseconds apart, from `startMs` on. */
export async function arriveTogether(
  project: Project,
  hooks: readonly (() => Promise<unknown>)[],
  startMs = Date.now(),
): Promise<void> {
  const { layout } = project;
  ensureLayout(layout);
  const holder = livingPid();
  const known = new Set<string>();
  for (const hook of hooks) {
    // Hooks start no dispatcher while another one holds the lease.
    forgeLease(layout, holder, Date.now() + leaseMs, undefined, { pidSpace: pidSpace() });
    await hook();
    for (const name of listIncoming(layout).filter((each) => !known.has(each))) {
      const seconds = (startMs + known.size * apartMs) / 1000;
      utimesSync(join(layout.incoming, name), seconds, seconds);
      known.add(name);
    }
  }
  rmSync(layout.lease);
  const { code, stderr } = await project.command(["dispatch", "--until-idle"]);
  if (code !== 0) throw new Error(stderr);
}
