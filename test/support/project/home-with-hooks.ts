// A temporary home in which init and uninstall run as from the command line, but in this process.
import { wings } from "../../../src/wings/index.ts";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Ask } from "../../../src/console/ask.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { examineAgents } from "../../../src/commands/doctor/agents.ts";
import type { Finding } from "../../../src/console/output/finding.ts";
import type { init } from "../../../src/commands/init/init.ts";
import type { uninstall } from "../../../src/commands/init/uninstall.ts";
import type { Installation } from "../../../src/install/command/hook-command.ts";
import { UserError } from "../../../src/model/errors.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { findPlaces } from "../../../src/system/paths.ts";

const usual: Installation = { nodePath: "/usr/bin/node", hookPath: "/opt/lib/node_modules/hookbell/dist/hook.cjs" };

export interface HomeWithHooks {
  path(name?: string): string;
  put(name: string, text: string, mode?: number): string;
  get(name: string): string;
  /** Every file and folder, without our own state. */
  names(): string[];
  /** With `ask`, a person sits at the terminal. */
  run(
    verb: typeof init | typeof uninstall,
    args: string[],
    more?: { env?: Record<string, string>; ask?: Ask; installation?: Installation },
  ): Promise<{ code: number; stdout: string; stderr: string }>;
  /** The surroundings that commands are handed; what they say is no one's. */
  io(env?: Record<string, string>): CommandIo;
  /** What doctor says of the agents. */
  examine(env?: Record<string, string>): Promise<Finding[]>;
}

/** A new home for each test of the file. */
export function homeWithHooks(): HomeWithHooks {
  let home = "";
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "hookbell-home-"));
  });
  afterEach(() => {
    try {
      rmSync(home, { recursive: true, force: true });
    } catch {
      // A test took rights away, which bind anyone but root.
      spawnSync("chmod", ["-R", "u+rwx", home]);
      rmSync(home, { recursive: true, force: true });
    }
  });
  const path = (name = ""): string => join(home, name);
  const ioFor = (
    result: { stdout: string; stderr: string },
    more: Record<string, string>,
    isTerminal: boolean,
  ): CommandIo => {
    const env = { HOME: home, PATH: "", ...more };
    return {
      stdout: (text: string) => void (result.stdout += text),
      stderr: (text: string) => void (result.stderr += text),
      env,
      isTerminal,
      isStdinTerminal: isTerminal,
      isStderrTerminal: false,
      isColor: false,
      columns: 80,
      clock: systemClock,
      random: () => 0.5,
      places: findPlaces(env, "linux"),
      platform: "linux" as const,
      cwd: home,
      ancestry: () => [],
      untilStopped: () => new AbortController().signal,
      readStdin: () => Promise.resolve(""),
    };
  };
  return {
    path,
    put(name, text, mode = 0o644) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
      chmodSync(path(name), mode);
      return path(name);
    },
    get: (name) => readFileSync(path(name), "utf8"),
    names: () =>
      readdirSync(home, { recursive: true, encoding: "utf8" })
        .filter((name) => !/^(?:\.local|AppData)/.test(name))
        .map((name) => name.replaceAll("\\", "/"))
        .sort(),
    async run(verb, args, { env = {}, ask, installation = usual } = {}) {
      const result = { code: -1, stdout: "", stderr: "" };
      try {
        const io = ioFor(result, env, ask !== undefined);
        result.code = await verb(args, io, { installation, ...(ask === undefined ? {} : { ask }) });
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        result.code = error.exitCode;
        result.stderr += `${error.message}\n${error.hint ?? ""}\n`;
      }
      return result;
    },
    io: (env = {}) => ioFor({ stdout: "", stderr: "" }, env, false),
    examine: (env = {}) => examineAgents(ioFor({ stdout: "", stderr: "" }, env, false), wings),
  };
}
