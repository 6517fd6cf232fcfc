// `hookbell serve` and `hookbell keys` as commands: what they refuse, who may reach the server, and how it says so.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readIfThere } from "../../../src/system/files/read.ts";
import { isAlive } from "../../../src/system/process/identity.ts";
import { strangerLimit } from "../../../src/http-server/guard.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { everyRow } from "../../support/rows.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { mountParts, mountSmallDisk } from "../../support/project/small-disk.ts";
import { startServerHere, startServerProcess } from "../../support/usage/server-process.ts";

const dataOf = (project: Project): string => join(project.layout.root, "server");

async function addKey(project: Project, name: string, role: string): Promise<string> {
  const { stdout } = await project.command(["keys", "add", name, "--role", role, "--json"]);
  return (JSON.parse(stdout) as { key: string }).key;
}

const refusals: [name: string, prepare: (project: Project) => string[], code: number, message: RegExp][] = [
  [
    "an address that others reach",
    () => ["--host", "0.0.0.0"],
    64,
    /0\.0\.0\.0 is reachable.*\n.*--tls-cert.*--behind-proxy/,
  ],
  ["a port that is none", () => ["--port", "99999"], 64, /--port 99999 is not a port\n.*0 takes a free one/],
  ["a certificate without its key", () => ["--tls-cert", "a.pem"], 64, /belong together/],
  [
    "a certificate that is not there",
    () => ["--tls-cert", "a.pem", "--tls-key", "b.pem"],
    64,
    /a\.pem: there is no such file/,
  ],
  [
    "a data folder that is a file",
    (project) => {
      writeFileSync(join(project.home, "file"), "");
      return ["--data", join(project.home, "file")];
    },
    73,
    /cannot use the data folder .*file.*\n.*another folder with --data/,
  ],
  [
    "keys that hookbell did not write",
    (project) => {
      mkdirSync(dataOf(project), { recursive: true });
      writeFileSync(join(dataOf(project), "keys.json"), "{");
      return [];
    },
    1,
    /keys\.json cannot be read: it is not in hookbell's format\n.*restore it/,
  ],
  [
    "a database that is none",
    (project) => {
      mkdirSync(dataOf(project), { recursive: true });
      writeFileSync(join(dataOf(project), "usage.db"), "no database, but a text\n".repeat(100));
      return [];
    },
    73,
    /cannot use the data folder .*: file is not a database/,
  ],
];
test("what cannot be served is refused, with what to do", async () => {
  await everyRow(refusals, async ([, prepare, code, message]) => {
    const project = temporaryProject();
    const ended = await project.command(["serve", "--port", "0", ...prepare(project)]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toContain("    at ");
  });
});

test("a port and a data folder are one server's (posix)", async () => {
  const project = temporaryProject();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  try {
    const { port } = other.address() as AddressInfo;
    const busy = await project.command(["serve", "--port", String(port)]);
    expect(busy).toMatchObject({ code: 1, stdout: "" });
    expect(busy.stderr).toMatch(/cannot listen on 127\.0\.0\.1:\d+: another program has this port\n.*--port 0/);
  } finally {
    other.close();
  }
  const server = await startServerProcess(project);
  const second = await project.command(["serve", "--port", "0"]);
  expect(second.stderr).toMatch(new RegExp(`another server has .* \\(process ${server.child.pid}\\)\\n.*--data`));
  expect(await server.end("SIGTERM")).toBe(0);
});

test("a key that is removed is refused at once by a server that runs, and one that is added is accepted", async () => {
  const project = temporaryProject();
  const server = await startServerHere(project);
  const ask = async (key: string): Promise<number> => {
    const url = `${server.url}/api/organization/maturity-level-reports`;
    return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
  };
  const key = await addKey(project, "ann", "guest");
  expect(await ask(key)).toBe(200);
  expect(readFileSync(join(dataOf(project), "keys.json"), "utf8")).not.toContain(key);
  expect((await project.command(["keys"])).stdout).toMatch(/^ann +Guest /m);
  expect(await project.command(["keys", "remove", "ann"])).toMatchObject({ code: 0 });
  expect(await ask(key)).toBe(401);
  expect(await server.end()).toBe(0);
});

test("an empty table says since when the server has counted, and what shows more", async () => {
  const project = temporaryProject();
  const key = await addKey(project, "ann", "owner");
  const server = await startServerHere(project);
  Object.assign(project.env, { HOOKBELL_PLATFORM_URL: server.url, HOOKBELL_PLATFORM_KEY: key });
  const since = /^The server has counted since \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\. (.*)$/m;
  const usage = async (...args: string[]): Promise<string | undefined> =>
    since.exec((await project.command(["usage", "tokens", ...args])).stdout)?.[1];
  const backfill = "To count older transcripts, start it with: hookbell serve --backfill";
  expect(await usage()).toBe(`For today so far, add --to today. ${backfill}`);
  expect(await usage("--to", "today")).toBe(backfill);
  expect(await server.end()).toBe(0);
});

interface InstallProject {
  project: Project;
  /** Starts a session; resolves to the status of the answer, or 0 if the server is gone. */
  install(url: string): Promise<number>;
  /** What the server says of the computer's only step. */
  step(url: string): Promise<unknown>;
  /** The processes that have written their id into the file `started`. */
  alive(): boolean[];
}

/** A project with one computer, whose command is a shell script. */
async function installProject(script: string): Promise<InstallProject> {
  const project = temporaryProject();
  await project.command(["computers", "add", "build", "--", "/bin/sh", "-c", script]);
  const headers = { authorization: `Bearer ${await addKey(project, "ann", "member")}` };
  const [{ id }] = JSON.parse(readFileSync(join(dataOf(project), "computers.json"), "utf8")) as [{ id: string }];
  const started = join(project.home, "started");
  return {
    project,
    install: async (url) => {
      const path = `/api/v0/computers/${id}/install-deps`;
      return await fetch(`${url}${path}`, { method: "POST", headers }).then(
        ({ status }) => status,
        () => 0,
      );
    },
    step: async (url) => {
      const { computers } = (await (await fetch(`${url}/api/extensions/computers`, { headers })).json()) as {
        computers: { provisioningSteps: unknown[] }[];
      };
      return computers[0]?.provisioningSteps[0];
    },
    alive: () => (readIfThere(started) ?? "").split("\n").flatMap((line) => (line === "" ? [] : isAlive(Number(line)))),
  };
}

test("a killed server's installation goes on: the next servers show it, start none beside it, and tell its end (posix)", async () => {
  const { project, install, alive, step } = await installProject(
    "echo $$ >>started; while [ ! -e go ]; do sleep 0.1; done",
  );
  const first = await startServerProcess(project);
  expect(await install(first.url)).toBe(202);
  await expect.poll(alive).toEqual([true]);
  const showsIt = async (url: string): Promise<void> => {
    expect(await step(url)).toMatchObject({ status: "Running" });
    expect(await install(url)).toBe(409);
    expect(alive()).toEqual([true]);
  };
  expect(await first.end("SIGKILL")).toBeNull();
  const second = await startServerProcess(project);
  await showsIt(second.url);
  expect(await second.end("SIGKILL")).toBeNull();
  const server = await startServerHere(project);
  await showsIt(server.url);
  writeFileSync(join(project.home, "go"), "");
  await expect
    .poll(() => step(server.url), { timeout: longestWaitMs })
    .toMatchObject({ status: "Error", error: "the server ended before the command did, so its result is not known" });
  expect(await install(server.url)).toBe(202);
  await expect.poll(() => step(server.url), { timeout: longestWaitMs }).toMatchObject({ status: "Completed" });
  expect(await server.end()).toBe(0);
  expect(alive()).toEqual([false, false]);
});

test("an installation that ends while no server runs has an unknown result, and another one can begin (posix)", async () => {
  const { project, install, alive, step } = await installProject("echo $$ >>started; sleep 600; :");
  const first = await startServerProcess(project);
  expect(await install(first.url)).toBe(202);
  await expect.poll(alive).toEqual([true]);
  expect(await first.end("SIGKILL")).toBeNull();
  process.kill(-Number(readIfThere(join(project.home, "started"))), "SIGKILL");
  await expect.poll(alive).toEqual([false]);
  const second = await startServerHere(project);
  expect(await step(second.url)).toMatchObject({ status: "Error", error: expect.stringContaining("not known") });
  expect(await install(second.url)).toBe(202);
  await expect.poll(alive).toEqual([false, true]);
  expect(await second.end()).toBe(0);
  expect(alive()).toEqual([false, false]);
});

test.runIf(process.platform === "linux")(
  "an installation goes on where its first process has ended, and what it runs has not",
  async () => {
    const { project, install, alive, step } = await installProject(
      "echo $$ >leader; sh -c 'echo $$ >>started; sleep 600; :'; :",
    );
    const first = await startServerProcess(project);
    expect(await install(first.url)).toBe(202);
    await expect.poll(alive).toEqual([true]);
    expect(await first.end("SIGKILL")).toBeNull();
    process.kill(Number(readIfThere(join(project.home, "leader"))), "SIGKILL");
    const second = await startServerHere(project);
    expect(await step(second.url)).toMatchObject({ status: "Running" });
    expect(await install(second.url)).toBe(409);
    // A server that stops ends it, as it ends its own.
    expect(await second.end()).toBe(0);
    expect(alive()).toEqual([false]);
  },
);

/** In a session of its own, as a build daemon is. */
const detached = `require("child_process").spawn("sh", ["-c", "echo $$ >>started; sleep 600; :"], {detached: true, stdio: "ignore"}).unref()`;
const daemon = `"${process.execPath}" -e '${detached}'`;

test.runIf(process.platform === "linux").each([
  ["whose first process has ended", `echo $$ >leader; ${daemon}; sleep 600; :`],
  ["that was not on record yet, as its server was killed when it began", `${daemon}; kill -9 $PPID`],
])("the next server ends an installation %s", async (_name, script) => {
  const { project, install, alive } = await installProject(script);
  const first = await startServerProcess(project);
  await install(first.url);
  await expect.poll(alive).toEqual([true]);
  expect(await first.end("SIGKILL")).toBeNull();
  const leader = readIfThere(join(project.home, "leader"));
  if (leader !== undefined) process.kill(-Number(leader), "SIGKILL");
  expect(alive()).toEqual([true]);
  const second = await startServerHere(project);
  expect(alive()).toEqual([false]);
  expect(await second.end()).toBe(0);
});

test.runIf(process.platform === "linux")(
  "a server that stops ends all that its installations have started",
  async () => {
    const { project, install, alive } = await installProject(`${daemon}; sleep 600; :`);
    const server = await startServerProcess(project);
    expect(await install(server.url)).toBe(202);
    await expect.poll(alive).toEqual([true]);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(alive()).toEqual([false]);
  },
);

test("the name of a file cannot write a line of the log, or control the terminal (posix)", async () => {
  const project = temporaryProject();
  const folder = join(dataOf(project), "readiness");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a\nhookbell: all is well\u001B[2J.json"), "{}");
  const server = await startServerHere(project);
  await expect.poll(server.stderr).toContain("not a readiness report");
  const lines = server.stderr().split("\n");
  expect(lines.filter((line) => line.includes("all is well"))).toEqual([
    expect.stringMatching(/^hookbell: .*readiness.*a hookbell: all is well\.json: not a readiness report: .*createdAt/),
  ]);
  expect(server.stderr()).not.toContain("\u001B");
  expect(await server.end()).toBe(0);
});

test("behind a proxy, wrong keys slow down one address only", async () => {
  const project = temporaryProject();
  const server = await startServerHere(project, ["--behind-proxy"]);
  const ask = async (address: string): Promise<number> =>
    (await fetch(`${server.url}/api/extensions/computers`, { headers: { "x-forwarded-for": `9.9.9.9, ${address}` } }))
      .status;
  // All at once: on a busy machine, one after the other would be as slow as is allowed.
  const statuses = await Promise.all(Array.from({ length: 2 * strangerLimit.burst }, () => ask("192.0.2.1")));
  expect(statuses).toContain(429);
  expect(await ask("192.0.2.2")).toBe(401);
  expect(await server.end()).toBe(0);
});

describeWithParts("TLS", ["openssl"], () => {
  test("with a certificate, other machines may reach it, and plain HTTP gets nothing", async () => {
    const project = temporaryProject();
    const [cert, key] = [join(project.home, "cert.pem"), join(project.home, "key.pem")];
    const subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject],
      {
        stdio: "ignore",
      },
    );
    const bearer = await addKey(project, "ann", "owner");
    const server = await startServerProcess(project, ["--host", "0.0.0.0", "--tls-cert", cert, "--tls-key", key]);
    const { port, protocol } = new URL(server.url);
    expect(protocol).toBe("https:");
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${bearer}` };
      const options = { port, path: "/api/extensions/computers", headers, ca: readFileSync(cert) };
      request({ host: "localhost", ...options }, (response) => void text(response).then(resolve, reject))
        .on("error", reject)
        .end();
    });
    expect(JSON.parse(answer)).toEqual({ computers: [] });
    await expect(fetch(`http://127.0.0.1:${port}/openapi.json`)).rejects.toThrow("fetch failed");
    expect(await server.end("SIGTERM")).toBe(0);
  });
});

describeWithParts("a disk that fails", mountParts, () => {
  test("stops neither the server nor what it counts afterwards", async () => {
    const project = temporaryProject();
    const disk = mountSmallDisk(dataOf(project));
    const key = await addKey(project, "ann", "owner");
    const server = await startServerProcess(project);
    const post = async (n: number): Promise<number> => {
      const reportId = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
      const body = JSON.stringify({
        reportId,
        createdAt: 1_767_225_600_000 + n,
        repoUrl: `r${"x".repeat(5000)}`,
        apps: {},
        report: {},
      });
      const init = { method: "POST", body, headers: { authorization: `Bearer ${key}` } };
      return (await fetch(`${server.url}/api/extensions/readiness-reports`, init)).status;
    };
    expect(await post(1)).toBe(201);
    disk.fill();
    let stored = 1;
    let status = 201;
    while (status === 201) if ((status = await post(stored + 1)) === 201) stored += 1;
    expect(status).toBe(500);
    disk.makeRoom();
    expect(await post(stored + 1)).toBe(201);
    const { stdout } = await readReports(project, server.url, key);
    expect((JSON.parse(stdout) as { reports: unknown[] }).reports).toHaveLength(stored + 1);
    expect(await server.end("SIGTERM")).toBe(0);
    disk.setReadOnly(true);
    expect(await project.run(["serve", "--port", "0"])).toMatchObject({ code: 73, stdout: "" });
    expect(await project.command(["keys", "add", "ben"])).toMatchObject({ code: 73, stdout: "" });
  });
});

async function readReports(project: Project, url: string, key: string) {
  Object.assign(project.env, { HOOKBELL_PLATFORM_URL: url, HOOKBELL_PLATFORM_KEY: key });
  return await project.run(["readiness", "--all", "--json"]);
}
