// A Windows for a test: starts programs there, as an agent does, and has the way to its files.
import { spawn } from "node:child_process";
import { closeSync, cpSync, openSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, inject, it } from "vitest";
import { wineEnv } from "../../../scripts/tests/wine.mjs";

const keepAlive = fileURLToPath(new URL("keep-alive.mjs", import.meta.url));
const relay = fileURLToPath(new URL("relay.mjs", import.meta.url));

export interface WindowsCall {
  argv: readonly [string, ...string[]];
  /** Set beside the system's own variables; null takes one away. */
  env?: Readonly<Record<string, string | null>>;
  cwd?: string;
  input?: string | Buffer;
  /** The arguments are the command line as it is, as for cmd.exe. */
  isVerbatim?: true;
}

export interface WindowsResult {
  /** The error's text where the program could not be started. */
  code: number | string;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface Windows {
  run(call: WindowsCall): Promise<WindowsResult>;
  /** By the id that Windows gave the process. */
  kill(pid: number): Promise<void>;
  /** Where a path of Windows lies out here. */
  fileOf(path: string): string;
  stop(): void;
}

/** `describe` for tests on Windows, skipped where this machine has no Wine, and its name says so; in CI they fail instead. */
export function describeOnWindows(name: string, body: () => void): void {
  const missing = inject("missingForWindows");
  if (missing === undefined) describe(name, body);
  else if (process.env.HOOKBELL_REQUIRE_PARTS === "1") {
    describe(name, () => {
      it("has the components it needs", () => {
        throw new Error(`missing on this machine: ${missing}`);
      });
    });
  } else describe.skipIf(true)(`${name}: skipped, this machine has no ${missing}`, body);
}

export async function startWindows(): Promise<Windows> {
  const prefix = inject("winePrefix");
  const waiting = new Map<number, (result: WindowsResult) => void>();
  let calls = 0;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connected = new Promise<Socket>((resolve) => server.once("connection", resolve));
  cpSync(keepAlive, join(prefix, "drive_c/keep-alive.mjs"));
  const node = join(prefix, "drive_c/Program Files/nodejs/node.exe");
  const port = String((server.address() as AddressInfo).port);
  const log = openSync(join(prefix, "relay.log"), "w");
  const child = spawn("wine", [node, pathOnWindows(relay), port], {
    env: { ...wineEnv(prefix), NODE_OPTIONS: "--import=file:///C:/keep-alive.mjs" },
    stdio: ["ignore", log, log],
    cwd: join(prefix, "drive_c"),
  });
  closeSync(log);
  const socket = await connected;
  createInterface({ input: socket }).on("line", (line) => {
    const { id, ...result } = JSON.parse(line) as WindowsResult & { id: number };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const ask = (what: object): Promise<WindowsResult> =>
    new Promise((resolve) => {
      const id = ++calls;
      waiting.set(id, resolve);
      socket.write(`${JSON.stringify({ id, ...what })}\n`);
    });
  return {
    run: ({ input = "", env = {}, ...call }) =>
      ask({ ...call, env, input: Buffer.from(input as string).toString("base64") }),
    async kill(pid) {
      const { code, stderr } = await ask({ kill: pid });
      if (code !== 0) throw new Error(stderr);
    },
    fileOf: (path) => join(prefix, "drive_c", path.slice("C:\\".length).replaceAll("\\", "/")),
    stop() {
      socket.destroy();
      server.close();
      child.kill();
    },
  };
}

/** Wine has the machine's own root as the drive Z:. */
function pathOnWindows(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}

/** How agents run a command with cmd.exe. */
export function byCmd(command: string): Pick<WindowsCall, "argv" | "isVerbatim"> {
  return { argv: ["cmd.exe", "/d", "/s", "/c", `"${command}"`], isVerbatim: true };
}
