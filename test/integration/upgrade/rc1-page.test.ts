// The page of 1.0.0-rc.1 in a tab whose server is one of now, and the page of now in a tab whose server is one of 1.0.0-rc.1.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { listDevices } from "../../../src/answers/browsers/devices.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson } from "../../support/project/person-terminal.ts";
import type { Project } from "../../support/project/running-project.ts";
import { unpackRc1 } from "../../support/home/rc1-program.ts";
import {
  browserForAll,
  browserParts,
  isLive,
  newTab,
  openContext,
  servePage,
  shows,
} from "../../support/usage/browser.ts";
import { startServerProcess, type ServerProcess } from "../../support/usage/server-process.ts";
import { askHook, decisionOf, printed } from "../answers/asking.ts";
import { alarm, pageProject, restart } from "../page/page-project.ts";

/** A server that is away or refuses is no fault of the page. */
const faults = (complaints: readonly string[]): string[] =>
  complaints.filter((complaint) => !complaint.startsWith("Failed to load resource"));

async function serveRc1(project: Project, cli: string, args: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServerProcess(project, args, cli);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  return server;
}

const textOf = async (tab: Page): Promise<string> => await tab.locator("body").innerText();

describeWithParts("the page after an upgrade", [...browserParts, ...personParts], () => {
  const browser = browserForAll();

  it("of 1.0.0-rc.1 in an open tab becomes the page of now, with its rights, without an error", async () => {
    const project = pageProject();
    const cli = join(unpackRc1(join(project.home, "rc1")).folder, "dist", "cli.js");
    const old = await serveRc1(project, cli);
    const added = await runAsPerson(project, ["devices", "add", "--answer", "--name", "Ann's phone"], "", cli);
    const [link = ""] = /http:\S+/.exec(added.shown) ?? [];
    const complaints: string[] = [];
    const tab = await newTab(await openContext(browser()), complaints);
    await tab.goto(link);
    await isLive(tab);
    expect(listDevices(project.layout)).toMatchObject([{ name: "Ann's phone", rights: ["read", "answer"] }]);
    const loadedAt = await tab.evaluate("performance.timeOrigin");
    await old.end("SIGTERM");
    const now = await restart(project, old);
    onTestFinished(async () => void (await now.end("SIGTERM")));
    while ((await tab.evaluate("performance.timeOrigin").catch(() => loadedAt)) === loadedAt) {
      expect((await textOf(tab).catch(() => "x")).trim()).not.toBe("");
      await tab.waitForTimeout(100);
    }
    await isLive(tab);
    expect(await tab.evaluate(`localStorage.getItem("hookbell-key")`)).toBeNull();
    const hook = askHook(project);
    await tab.locator("button.allow:enabled").click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    expect(listDevices(project.layout)).toMatchObject([{ name: "Ann's phone", rights: ["read", "answer"] }]);
    expect(faults(complaints)).toEqual([]);
  });

  it("of now says so where the server is one of 1.0.0-rc.1, is live again with the server of now, and reads as unpaired there", async () => {
    const project = pageProject();
    const cli = join(unpackRc1(join(project.home, "rc1")).folder, "dist", "cli.js");
    const { server, complaints, pairedTab } = await servePage(project);
    const context = await openContext(browser());
    const tab = await pairedTab(context, ["read", "answer"]);
    await server.end("SIGTERM");
    const old = await serveRc1(project, cli, ["--port", new URL(server.url).port]);
    await shows(tab, alarm);
    expect(await textOf(tab)).toContain("gone back to an older version");
    // What a browser gets that is opened now is the page of 1.0.0-rc.1.
    const other = await newTab(context, complaints);
    await other.goto(old.url);
    await shows(other, "This browser is not paired");
    await other.close();
    await old.end("SIGTERM");
    const back = await restart(project, server);
    onTestFinished(async () => void (await back.end("SIGTERM")));
    await isLive(tab);
    const hook = askHook(project);
    await tab.locator("button.allow:enabled").click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    expect(faults(complaints)).toEqual([]);
  });
});
