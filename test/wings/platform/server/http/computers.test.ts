// The client's install-deps against the server: sessions, states, refusals, restarts.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  computerErrorSchema,
  computerSchema,
  type Computer,
} from "../../../../../src/wings/platform/contract/computers.ts";
import { runCommand } from "../../../../../src/cli/command-line.ts";
import { addComputer } from "../../../../../src/wings/platform/server/computers.ts";
import { openDatabase } from "../../../../../src/wings/platform/server/store/database.ts";
import { commandIo } from "../../../../support/project/command-io.ts";
import { longestWaitMs } from "../../../../support/longest-wait.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterEach(() => server.remove());

async function register(id: string, argv: [string, ...string[]]): Promise<void> {
  const computer = { id, name: id, hostname: "box", argv, cwd: server.folder, createdAt: 1 };
  await addComputer(server.dataDir, computer, server.clock);
}

const script = (text: string): [string, ...string[]] => [process.execPath, "-e", text];

async function list(): Promise<Computer[]> {
  const response = await server.request("/api/extensions/computers", "Guest");
  const { computers } = (await response.json()) as { computers: unknown[] };
  return computers.map((computer) => computerSchema.parse(computer));
}

/** The computer when its session has ended. */
async function ended(id: string): Promise<Computer> {
  const find = async (): Promise<Computer> => {
    const computer = (await list()).find((each) => each.id === id);
    if (computer === undefined || computer.status === "provisioning") throw new Error("it still runs");
    return computer;
  };
  return await vi.waitFor(find, { timeout: longestWaitMs, interval: 20 });
}

test("a session starts, is refused while it runs, and starts again when it has ended", async () => {
  const gate = join(server.folder, "gate");
  const waits = `const wait=()=>require("fs").existsSync(${JSON.stringify(gate)})||setTimeout(wait,20);wait()`;
  await register("c1", script(waits));
  expect(await list()).toMatchObject([{ id: "c1", status: "active", provisioningSteps: [{ status: "Pending" }] }]);
  const started = await server.client("Member").retryInstallDeps("c1");
  expect(started).toEqual({
    id: "c1",
    name: "c1",
    hostname: "box",
    providerType: "byom",
    status: "provisioning",
    createdAt: 1,
    provisioningSteps: [
      {
        id: "install-deps",
        name: "Install dependencies",
        status: "Running",
        startedAt: server.clock.now(),
        installSessionId: expect.stringMatching(/^ins_[0-9a-f]{24}$/) as string,
      },
    ],
  });
  await expect(server.client("Owner").retryInstallDeps("c1")).rejects.toThrow(/running/);
  expect(await list()).toEqual([started]);
  server.clock.turn(5000);
  writeFileSync(gate, "");
  const done = await ended("c1");
  expect(done).toMatchObject({ status: "active", provisioningSteps: [{ status: "Completed" }] });
  expect(done.provisioningSteps?.[0]?.completedAt).toBe((started.provisioningSteps?.[0]?.startedAt ?? 0) + 5000);
  expect(server.endedInstalls).toEqual([done]);
  const again = await server.client("Owner").retryInstallDeps("c1");
  expect(again.provisioningSteps?.[0]?.installSessionId).not.toBe(done.provisioningSteps?.[0]?.installSessionId);
});

test.each<[string, [string, ...string[]], string]>([
  ["fails", script("console.error('first\\nno space left'); process.exit(3)"), "exit code 3: no space left"],
  ["is ended by a signal (posix)", script("process.kill(process.pid, 'SIGTERM')"), "the command was ended by SIGTERM"],
  [
    "prints a credential",
    script("console.error('401 https://ann:hunter22@npm.example.org'); process.exit(1)"),
    "exit code 1: 401 https://ann:[redacted: password]@npm.example.org",
  ],
  ["does not exist", ["/nowhere/npm", "ci"], "there is no program /nowhere/npm"],
])("a command that %s", async (_name, argv, error) => {
  await register("c1", argv);
  await server.client("Owner").retryInstallDeps("c1");
  expect(await ended("c1")).toMatchObject({ status: "error", provisioningSteps: [{ status: "Error", error }] });
});

test("a command whose folder is gone says so, though its program is there", async () => {
  const computer = { id: "c1", name: "c1", hostname: "box", argv: script(""), cwd: "/nowhere", createdAt: 1 };
  await addComputer(server.dataDir, computer, server.clock);
  await server.client("Owner").retryInstallDeps("c1");
  const error = "there is no folder /nowhere, in which the command runs";
  expect(await ended("c1")).toMatchObject({ provisioningSteps: [{ status: "Error", error }] });
});

test("`computers list` shows each with its last installation, and why it failed", async () => {
  let stdout = "";
  const env = { HOME: server.folder, HOOKBELL_PLATFORM_URL: server.url, HOOKBELL_PLATFORM_KEY: server.keys.Guest.key };
  const io = commandIo(server.folder, { env, stdout: (text) => void (stdout += text) });
  await runCommand(["computers", "list"], io);
  expect(stdout).toMatch(/^the server knows no computers/);
  await register("c1", script("process.exit(3)"));
  await register("c2", script(""));
  await server.client("Owner").retryInstallDeps("c1");
  await ended("c1");
  stdout = "";
  await runCommand(["computers", "list"], io);
  expect(stdout).toMatch(
    /^Computer +Id +Installation +Began +Ended +Error\nc1 +c1 +Error .* exit code 3\nc2 +c2 +Pending\n$/,
  );
  stdout = "";
  await runCommand(["computers", "list", "--json"], io);
  expect(JSON.parse(stdout)).toEqual({ computers: await list() });
});

test("the beginning of a session is told before its end, however soon that comes", async () => {
  const told: (string | undefined)[] = [];
  const stateOf = ({ provisioningSteps: [step] = [] }: Computer): string | undefined => step?.status;
  let isTold = (): void => {};
  const beginning = new Promise<void>((resolve) => (isTold = resolve));
  await server.restart({
    async onInstallStarted(computer) {
      await beginning;
      told.push(stateOf(computer));
    },
    async onInstallEnded(computer) {
      told.push(stateOf(computer));
    },
  });
  await register("c1", ["/nowhere/npm", "ci"]);
  await server.client("Owner").retryInstallDeps("c1");
  await ended("c1");
  expect(told).toEqual([]);
  isTold();
  await expect.poll(() => told).toEqual(["Running", "Error"]);
});

test("arguments reach the program as they are: no shell reads them", async () => {
  const hostile = '$(touch pwned); `id` && echo "$HOME"';
  await register("c1", [...script("require('fs').writeFileSync('got', process.argv[1])"), hostile]);
  await server.client("Owner").retryInstallDeps("c1");
  await ended("c1");
  expect(readFileSync(join(server.folder, "got"), "utf8")).toBe(hostile);
});

test("a session that a stopped server has ended, and one of a killed server, are errors", async () => {
  await register("c1", script("setTimeout(() => {}, 600000)"));
  await server.client("Owner").retryInstallDeps("c1");
  await server.restart();
  expect(await list()).toMatchObject([{ status: "error", provisioningSteps: [{ error: "the server was stopped" }] }]);
  await server.stop();
  // What a killed server leaves behind.
  const database = await openDatabase(join(server.dataDir, "usage.db"), 0);
  database.run("UPDATE install_sessions SET status = 'Running', error = NULL, completed_at = NULL");
  database.close();
  await server.restart();
  const error = "the server ended before the command did, so its result is not known";
  expect(await list()).toMatchObject([{ status: "error", provisioningSteps: [{ status: "Error", error }] }]);
  const told = server.endedInstalls.map(({ provisioningSteps: [step] = [] }) => step?.error);
  expect(told).toEqual(["the server was stopped", error]);
});

test("a session whose end cannot be stored stops neither the server nor the next session", async () => {
  await register("c1", script(""));
  await server.stop();
  const database = await openDatabase(join(server.dataDir, "usage.db"), 0);
  const failure = "SELECT RAISE(ABORT, 'the disk is full')";
  database.exec(`CREATE TRIGGER full BEFORE UPDATE ON install_sessions BEGIN ${failure}; END`);
  database.close();
  await server.restart();
  for (const count of [1, 2]) {
    await server.client("Owner").retryInstallDeps("c1");
    await expect.poll(() => server.notes).toHaveLength(count);
  }
  expect(server.notes).toEqual(Array(2).fill("cannot store the end of an install session: the disk is full"));
});

test.each([
  ["Owner", 404],
  ["Manager", 404],
  ["Member", 404],
  ["Guest", 403],
  [undefined, 401],
] as const)("an unknown computer, as %s: %s", async (role, status) => {
  const response = await server.request("/api/v0/computers/none/install-deps", role, { method: "POST" });
  const body = computerErrorSchema.parse(await response.json());
  expect([response.status, body.status]).toEqual([status, status]);
  expect(body.metadata).toEqual({ requestId: response.headers.get("x-request-id") });
});
