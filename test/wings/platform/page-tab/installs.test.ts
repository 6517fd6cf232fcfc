// Computers and readiness reports on the page: an installation as it runs, and where the reports come from.
import type { ServeGiven } from "../../../../src/console/command.ts";
import type { OpenServed } from "../../../../src/http-server/server.ts";
import { createPage } from "../../../../src/wings/page/page.ts";
import { createUsageTab } from "../../../../src/wings/platform/page-tab/tab.ts";
import { openPlatformServer } from "../../../../src/wings/platform/server/server.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { UsageNow, ReadinessOnPage } from "../../../../src/wings/platform/page-tab/contract.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import type { PlatformClient } from "../../../../src/wings/platform/client/client.ts";
import type { ReadinessReport } from "../../../../src/wings/platform/contract/readiness.ts";
import { addComputer } from "../../../../src/wings/platform/server/computers.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { exampleReadinessReport } from "../../../support/usage/examples.ts";
import { openStream, startPage, type PageServer } from "../../../support/usage/page-server.ts";

/** Prints, waits until the file exists, and ends with the code. */
function installing(file: string, code: number): [string, ...string[]] {
  const program = `
    console.log("fetching https://ann:hunter2hunter2@registry.example/left-pad");
    process.stdout.write("half a line");
    setInterval(() => require("node:fs").existsSync(${JSON.stringify(file)}) && process.exit(${code}), 10);`;
  return [process.execPath, "-e", program];
}

async function add({ dataDir }: PageServer, argv: [string, ...string[]]): Promise<void> {
  const computer = { id: "cmp_1", name: "build box", hostname: "build-1", argv, cwd: "/", createdAt: 0 };
  await addComputer(dataDir, computer, systemClock);
}

describe("an installation", () => {
  it("shows each line as it is printed, without credentials, and how it ended", async () => {
    const server = await startPage();
    const done = join(temporaryFolder(), "done");
    await add(server, installing(done, 3));
    const device = await server.pair(["read", "administer"]);
    const stream = await openStream<UsageNow>(server, device);
    await stream.until(({ computers: [first] }) => first?.status === "Pending");
    const started = await server.post("/page/install", { computer: "cmp_1" }, device);
    expect(await started.json()).toEqual({ isDone: true, text: "The installation on build box has begun." });
    const running = await stream.until(({ computers: [first] }) => first?.line !== undefined);
    expect(running.computers).toMatchObject([
      { isRunning: true, line: expect.stringMatching(/^fetching https:\/\/.*left-pad$/) },
    ]);
    expect(JSON.stringify(running)).not.toContain("hunter2");
    const again = await server.post("/page/install", { computer: "cmp_1" }, device);
    expect(await again.json()).toEqual({ isDone: false, text: "An installation on build box is running." });
    writeFileSync(done, "");
    const ended = await stream.until(
      ({ computers: [first] }) => first?.isRunning === false && first.status === "Error",
    );
    expect(ended.computers).toMatchObject([{ error: "exit code 3", completedAt: expect.any(Number) }]);
    expect(ended.computers[0]?.line).toBeUndefined();
  });

  it("needs a computer that is registered", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "administer"]);
    const response = await server.post("/page/install", { computer: "../x" }, device);
    expect(await response.json()).toMatchObject({ isDone: false });
  });
});

const idOf = (number: number): string => `3e0a6f3c-5d2b-4a86-8f0e-9d3f1c2b4a5${number}`;
const report = (number: number): ReadinessReport => ({
  ...(exampleReadinessReport as ReadinessReport),
  reportId: idOf(number),
  createdAt: Date.UTC(2026, 2, number),
});

async function readinessOf(server: PageServer): Promise<ReadinessOnPage> {
  return (await (await server.request("/page/readiness", { device: await server.pair() })).json()) as ReadinessOnPage;
}

/** The page, and the API of a server that knows such a platform. */
function servedWith(platform: PlatformClient, isConfigured = () => true): (given: ServeGiven) => OpenServed[] {
  return ({ io, value, stop, onNote }) => [
    async () => createPage(io, undefined),
    async () =>
      await openPlatformServer({
        ...io,
        ...io.places,
        dataDir: value("data") ?? "",
        isBackfill: false,
        user: "me",
        stop,
        onNote,
        async onInstallEnded() {},
        tab: (parts) =>
          createUsageTab(parts, async (onNote) => {
            onNote("an answer is odd");
            return isConfigured() ? platform : undefined;
          }),
      }),
  ];
}

/** The part of a platform's client that the page asks. */
function platformWith(pages: () => AsyncGenerator<ReadinessReport[], void>): PlatformClient {
  return { listReadinessReports: pages } as unknown as PlatformClient;
}

describe("readiness reports", () => {
  it("are those of this server, with what to configure for those of a platform", async () => {
    const server = await startPage();
    const { reports, notes } = await readinessOf(server);
    expect(reports).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/HOOKBELL_PLATFORM_URL and HOOKBELL_PLATFORM_KEY/)]);
  });

  it("are those of the platform as well, each once, newest first", async () => {
    const platform = platformWith(async function* () {
      yield [report(1), report(3)];
      yield [report(3), report(2)];
    });
    const { reports, notes } = await readinessOf(await startPage({ open: servedWith(platform) }));
    expect(reports.map(({ id }) => id)).toEqual([idOf(3), idOf(2), idOf(1)]);
    expect(reports[0]).toMatchObject({ repository: "acme/shop", met: "1 of 2", scoreText: "75 %", change: "±0" });
    expect(notes).toEqual(["an answer is odd"]);
  });

  it("have their view as soon as a platform is configured, without a restart", async () => {
    let isConfigured = false;
    const open = servedWith(
      platformWith(async function* () {
        yield [];
      }),
      () => isConfigured,
    );
    const server = await startPage({ open });
    const stream = await openStream<UsageNow>(server, await server.pair());
    await stream.until(({ views }) => !views.readiness);
    isConfigured = true;
    const now = await stream.until(({ views }) => views.readiness);
    expect(now.views).toEqual({ users: false, readiness: true, computers: false });
  });

  it("say why the platform's are missing", async () => {
    const platform = platformWith(async function* () {
      yield [report(1)];
      throw new UserError("platform.refused", "the key is not valid", { hint: "make another one" });
    });
    const { reports, notes } = await readinessOf(await startPage({ open: servedWith(platform) }));
    expect(reports).toHaveLength(1);
    expect(notes.slice(1)).toEqual(["The platform's reports are missing: the key is not valid; make another one"]);
  });
});
