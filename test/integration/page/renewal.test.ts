// A browser that 1.0.0-rc.1 has paired gets a key of its own, and its old token is worth nothing: not to a stranger, and not afterwards.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { devicesFolder, listDevices } from "../../../src/answers/browsers/devices.ts";
import { sha256 } from "../../../src/system/crypto.ts";
import { describeWithParts } from "../../support/parts.ts";
import type { Project } from "../../support/project/running-project.ts";
import { browserParts, isLive, browserForAll, openContext, servePage, shows } from "../../support/usage/browser.ts";
import { answer, ask, takePort } from "../../support/usage/stranger.ts";
import { alarm, pageProject, restart } from "./page-project.ts";
import { askHook, decisionOf, printed } from "../answers/asking.ts";

const id = "0123abcd";
const cookie = `${id}.${"c".repeat(44)}`;
const key = "k".repeat(44);

function devicePath({ layout }: Project): string {
  return join(devicesFolder(layout), `${id}.json`);
}

/** As 1.0.0-rc.1 stored it. */
function storeOldDevice(project: Project): void {
  const device = { id, name: "Ann's phone", rights: ["read", "answer"], pairedAt: 1_790_000_000_000 };
  mkdirSync(devicesFolder(project.layout), { recursive: true, mode: 0o700 });
  const stored = { ...device, cookie: sha256(cookie), key: sha256(key) };
  writeFileSync(devicePath(project), JSON.stringify(stored), { mode: 0o600 });
}

async function openOld(context: BrowserContext, url: string): Promise<Page> {
  await context.addCookies([
    { name: "hookbell", value: cookie, domain: "127.0.0.1", path: "/page", httpOnly: true, sameSite: "Strict" },
  ]);
  const tab = await context.newPage();
  await tab.goto(url);
  await shows(tab, "This browser is not paired");
  await tab.evaluate(`localStorage.setItem("hookbell-key", "${key}")`);
  return tab;
}

/** How often the old token opened anything, of how many tries. */
async function useOldToken(url: string): Promise<{ tries: number; taken: string[] }> {
  const taken: string[] = [];
  const tokens: Record<string, string>[] = [
    { cookie: `hookbell=${cookie}`, "x-hookbell-key": key },
    { cookie: `hookbell=${cookie}` },
    { "x-hookbell-key": key },
    { "x-hookbell-key": sha256(key) },
  ];
  const paths = ["/page/events", "/page/deliveries", "/page/journal", "/page/rules", "/page/push"];
  const json = JSON.stringify({ question: "1", nonce: "x", ids: [] });
  for (const token of tokens) {
    const headers = { ...token, origin: url, "content-type": "application/json" };
    const asked = [
      ...paths.map((path) => ({ method: "GET", path, headers, body: "" })),
      ...["/page/answers", "/page/retry"].map((path) => ({ method: "POST", path, headers, body: json })),
    ];
    for (const each of asked) {
      const { status, body } = await ask(url, each);
      const isReload = body.includes('"groups":[]') && body.includes('"rights":[]');
      if (status < 300 && !isReload) taken.push(`${each.path} ${status}`);
    }
  }
  return { tries: tokens.length * (paths.length + 2), taken };
}

describeWithParts("a browser that 1.0.0-rc.1 has paired", browserParts, () => {
  const browser = browserForAll();

  it("gets a new key without sending the old one, keeps its rights, and the old one is void", async () => {
    const project = pageProject();
    storeOldDevice(project);
    const { server } = await servePage(project);
    expect(await useOldToken(server.url)).toEqual({ tries: 28, taken: [] });
    const context = await openContext(browser());
    // Its worker had all pages; the content policy lets no test register it.
    await context.route(`${server.url}/`, (route) => route.fulfill({ contentType: "text/html", body: "" }), {
      times: 1,
    });
    const before = await context.newPage();
    await before.goto(server.url);
    const registering = `navigator.serviceWorker.register("/page/worker.js", { scope: "/" }).then(() => navigator.serviceWorker.ready).then(({ scope }) => scope)`;
    expect(await before.evaluate(registering)).toBe(`${server.url}/`);
    await before.close();
    // A tab that is opened as soon as there is a pairing must not find the worker.
    await context.addInitScript(`{
      const unregister = ServiceWorkerRegistration.prototype.unregister;
      ServiceWorkerRegistration.prototype.unregister = async function () {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return unregister.call(this);
      };
    }`);
    const tab = await openOld(context, server.url);
    const sent: string[] = [];
    tab.on("request", (request) =>
      sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(request.headers())}`),
    );
    const second = await context.newPage();
    const third = await context.newPage();
    const openLate = async (): Promise<void> => {
      await expect.poll(() => readFileSync(devicePath(project), "utf8")).toContain("publicKey");
      await third.goto(server.url);
    };
    await Promise.all([tab.reload(), second.goto(server.url), openLate()]);
    for (const each of [tab, second, third]) await isLive(each);
    expect(await tab.evaluate("navigator.serviceWorker.getRegistrations().then(({ length }) => length)")).toBe(0);
    expect(sent.filter((each) => each.includes(key) || each.includes(sha256(key)))).toEqual([]);
    expect(await tab.evaluate(`localStorage.getItem("hookbell-key")`)).toBeNull();
    expect((await context.cookies()).filter(({ name }) => name === "hookbell")).toEqual([]);
    const stored = readFileSync(devicePath(project), "utf8");
    expect(stored).not.toContain(sha256(key));
    expect(listDevices(project.layout)).toMatchObject([{ id, name: "Ann's phone", rights: ["read", "answer"] }]);
    expect(await useOldToken(server.url)).toEqual({ tries: 28, taken: [] });
    const hook = askHook(project);
    await tab.locator("button.allow:enabled").click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
  });

  it("tells a stranger on the port nothing of its old key, and gets its new one when the server is back", async () => {
    const project = pageProject();
    storeOldDevice(project);
    const { server } = await servePage(project);
    const context = await openContext(browser());
    const tab = await openOld(context, server.url);
    // The page comes from the server, which goes before the page has asked it.
    await tab.route("**/page/hello", (route) => route.abort());
    await tab.reload();
    await shows(tab, "the server cannot be reached");
    await server.end("SIGKILL");
    for (const body of [
      "{}",
      JSON.stringify({ publicKey: "B".repeat(87), exchange: "B".repeat(87), signature: "A".repeat(86), old: ["x"] }),
    ]) {
      const stranger = await takePort(server.url, answer(200, "application/json", body));
      await tab.unroute("**/page/hello");
      await shows(tab, alarm);
      const told = JSON.stringify(stranger.heard);
      for (const secret of [key, sha256(key), cookie]) expect(told).not.toContain(secret);
      await stranger.close();
    }
    const back = await restart(project, server);
    await isLive(tab);
    expect(listDevices(project.layout)).toMatchObject([{ id, rights: ["read", "answer"] }]);
    expect(await useOldToken(server.url)).toEqual({ tries: 28, taken: [] });
    await back.end("SIGTERM");
  });
});
