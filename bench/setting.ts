// A configuration and a state folder for the bench, and the dispatcher that works there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureLayout, layoutOf, type Layout } from "../src/outbox/layout.ts";
import { findLeaseHolder } from "../src/outbox/lease/lease.ts";
import { isBeingStarted } from "../src/outbox/lease/wake.ts";
import { isAlive } from "../src/system/process/identity.ts";
import { ownPackageFolder } from "../src/system/package.ts";

export interface Setting {
  env: NodeJS.ProcessEnv;
  layout: Layout;
  /** Starts a dispatcher and waits for its lease; its process id. */
  start(): Promise<number>;
  /** Ends the dispatcher that is at work, also one that a hook started. */
  stop(): Promise<void>;
}

/** Its only channel is a webhook to `url`. */
export function settingIn(folder: string, url: string, nodePath: string = process.execPath): Setting {
  const env = {
    ...process.env,
    HOOKBELL_CONFIG_DIR: join(folder, "config"),
    HOOKBELL_STATE_DIR: join(folder, "state"),
    HOOKBELL_DISABLE: undefined,
  };
  mkdirSync(env.HOOKBELL_CONFIG_DIR, { recursive: true });
  const rules = {
    channels: { ops: { type: "webhook", url } },
    rules: [{ name: "all", when: { event: "*" }, notify: ["ops"] }],
  };
  writeFileSync(join(env.HOOKBELL_CONFIG_DIR, "rules.jsonc"), JSON.stringify(rules));
  const layout = layoutOf(env.HOOKBELL_STATE_DIR);
  ensureLayout(layout);
  const holder = () => findLeaseHolder(layout, Date.now());
  return {
    env,
    layout,
    async start() {
      const argv = [join(ownPackageFolder(), "dist", "cli.js"), "dispatch"];
      const child = spawn(nodePath, argv, { env, stdio: "ignore" });
      await once(child, "spawn");
      while (holder()?.pid !== child.pid) {
        if (child.exitCode !== null) throw new Error(`the dispatcher ended with ${child.exitCode}`);
        await sleep(10);
      }
      return child.pid ?? 0;
    },
    async stop() {
      // One that a hook has just started holds no lease yet.
      while (holder() === undefined && isBeingStarted(layout, Date.now())) await sleep(10);
      const pid = holder()?.pid;
      if (pid === undefined) return;
      process.kill(pid, "SIGTERM");
      while (holder() !== undefined || isAlive(pid)) await sleep(10);
    },
  };
}
