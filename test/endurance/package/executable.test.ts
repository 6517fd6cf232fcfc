// The single executable on a machine without Node: installed, heard, and taken out again.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { version } from "../../../src/system/version.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { isRegistryReachable, npmEnv } from "../../support/home/npm.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** What the hook for shells runs, and nothing else: no Node, no npm. */
const programs = ["sh", "cat", "mv", "mkdir", "rm", "wc", "setsid", "sleep", "find"];

describeWithParts(
  "the single executable",
  ["npm", "setsid", ...(isRegistryReachable() ? [] : ["npm-registry"])],
  () => {
    it("is set up, hears an agent, runs a dispatcher and a server, and leaves no trace", async () => {
      const folder = temporaryFolder();
      const binary = join(folder, "hookbell");
      execFileSync(process.execPath, ["scripts/build-binary.mjs", binary], { cwd: root, env: npmEnv() });
      const bin = join(folder, "bin");
      mkdirSync(bin);
      for (const program of programs) symlinkSync(findPart(program) ?? "", join(bin, program));
      const home = join(folder, "home");
      mkdirSync(join(home, ".claude"), { recursive: true });
      const env = { HOME: home, PATH: bin };
      const hookbell = (...args: string[]): string => execFileSync(binary, args, { env, cwd: home, encoding: "utf8" });
      const stateDir = join(home, ".local", "state", "hookbell");

      expect(hookbell("--version")).toBe(`${version}\n`);
      expect(existsSync(stateDir)).toBe(false);

      const receiver = await startHttpReceiver();
      onTestFinished(() => receiver.close());
      const ops = { type: "webhook", url: `${receiver.origin}/ops` };
      const configDir = join(home, ".config", "hookbell");
      mkdirSync(configDir, { recursive: true });
      const rules = { channels: { ops }, rules: [{ name: "all", notify: ["ops"] }] };
      writeFileSync(join(configDir, "rules.jsonc"), JSON.stringify(rules), { mode: 0o600 });
      const settings = join(home, ".claude", "settings.json");
      const before = '{ "model": "custom" }\n';
      writeFileSync(settings, before);
      expect(hookbell("init", "--yes")).toContain("Claude Code: adds ");

      const { hooks } = JSON.parse(readFileSync(settings, "utf8")) as {
        hooks: Record<string, { hooks: { command: string }[] }[]>;
      };
      const command = hooks.Stop?.[0]?.hooks[0]?.command ?? "";
      const input = readFileSync(join(root, "test/agents/known/claude-code/payloads/Stop.json"));
      execFileSync(join(bin, "sh"), ["-c", command], { env, cwd: home, input });
      const pid = await vi.waitFor(() => dispatcherOf(stateDir), { timeout: longestWaitMs });
      onTestFinished(() => endProcess(pid));
      if (process.platform === "linux") expect(readlinkSync(`/proc/${pid}/exe`)).toBe(binary);
      await vi.waitFor(() => expect(receiver.requests.map(({ path }) => path)).toEqual(["/ops"]), {
        timeout: longestWaitMs,
      });

      // Its database is a dependency that is not in the bundles.
      const server = spawn(binary, ["serve", "--port", "0", "--user", "ann"], { env, cwd: home });
      onTestFinished(() => void server.kill("SIGKILL"));
      let said = "";
      for (const stream of [server.stdout, server.stderr])
        stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const url = await vi.waitFor(
        () => {
          const found = /^listening on (\S+)\n/m.exec(said)?.[1];
          if (found === undefined) throw new Error(`the server does not listen: ${said}`);
          return found;
        },
        { timeout: longestWaitMs },
      );
      expect((await fetch(new URL("/openapi.json", url))).status).toBe(200);

      expect(hookbell("uninstall", "--yes")).toContain("removed");
      expect(readFileSync(settings, "utf8")).toBe(before);
      expect(readdirSync(home).toSorted()).toEqual([".claude", ".config", ".local"]);
      expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
    });
  },
);

function dispatcherOf(stateDir: string): number {
  const holder = findLeaseHolder(layoutOf(stateDir), Date.now());
  if (holder === undefined) throw new Error("no dispatcher has the lease");
  return holder.pid;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
