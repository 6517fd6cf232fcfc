// A page that was loaded from another program on the server's port: its script can use the browser's key, and gains no answer by it.
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { listDevices } from "../../../src/answers/browsers/devices.ts";
import { readAnswer } from "../../../src/answers/questions.ts";
import { pairingLink } from "../../../src/wings/page/trust/devices.ts";
import { statement } from "../../../src/wings/page/trust/contract.ts";
import { hmacSha256 } from "../../../src/system/crypto.ts";
import { describeWithParts } from "../../support/parts.ts";
import type { Project } from "../../support/project/running-project.ts";
import {
  browserParts,
  findingsOf,
  isLive,
  browserForAll,
  openContext,
  servePage,
  shows,
} from "../../support/usage/browser.ts";
import { greet, postJson, senderTo } from "../../support/usage/page-browser.ts";
import { startServerProcess, type ServerProcess } from "../../support/usage/server-process.ts";
import { answer, takePort, type Behaviour } from "../../support/usage/stranger.ts";
import { again, alarm, pageProject, restart } from "./page-project.ts";
import { askHook, decisionOf, onlyQuestion, printed, type Hook } from "../answers/asking.ts";

interface Scene {
  project: Project;
  server: ServerProcess;
  context: BrowserContext;
  tab: Page;
  hook: Hook;
  question: string;
}

const browser = browserForAll();

async function open(): Promise<Scene> {
  const project = pageProject();
  const { server, pairedTab } = await servePage(project);
  const context = await openContext(browser());
  const tab = await pairedTab(context, ["read", "answer"]);
  const hook = askHook(project);
  await tab.getByRole("button", { name: "Allow", exact: true }).waitFor();
  return { project, server, context, tab, hook, question: onlyQuestion(project)?.id ?? "" };
}

/** The script of another program, at the page's own origin, signs for it whatever it wants. */
const oracle = `
const pairing = () => new Promise((resolve, reject) => {
  const opening = indexedDB.open("hookbell", 1);
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const got = opening.result.transaction("page").objectStore("page").get("pairing");
    got.onsuccess = () => resolve(got.result);
  };
});
window.device = async () => (await pairing()).device;
window.sign = async (text) => {
  const { keys } = await pairing();
  const made = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(made))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
window.exported = async () => {
  const { keys } = await pairing();
  return await crypto.subtle.exportKey("jwk", keys.privateKey).then(() => "exported", (error) => error.name);
};`;
const strangersPage = answer(200, "text/html", `<title>stranger</title><script>${oracle}</script>`);

/** Each way in which the script tries to get a ticket; what it got. */
const ticketHunt = `(async () => {
  const got = [];
  const look = async (name, work) => got.push([name, /hookbell-ticket" content="[^" ]+ /.test(String(await work().catch(String)))]);
  const text = async (init) => (await fetch("/", { cache: "no-store", ...init })).text();
  await look("fetch", () => text({}));
  await look("headers", () => text({ headers: { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" } }));
  await look("request", () => new Promise((resolve) => {
    const sent = new XMLHttpRequest();
    sent.open("GET", "/");
    sent.onloadend = () => resolve(sent.responseText);
    sent.send();
  }));
  await look("frame", () => new Promise((resolve) => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.onload = () => { try { resolve(frame.contentDocument.documentElement.innerHTML); } catch (error) { resolve(error); } };
    frame.src = "/";
    setTimeout(() => resolve("late"), 3000);
  }));
  for (const first of ["/", "about:blank"]) {
    await look("window " + first, () => new Promise((resolve) => {
      const opened = window.open(first);
      opened.location = "/";
      let last = "";
      const every = setInterval(() => { try { last += opened.document.documentElement.innerHTML; } catch (error) { last += error; } }, 1);
      setTimeout(() => { clearInterval(every); resolve(last); }, 2000);
    }));
  }
  return got;
})()`;

describeWithParts("a page that another program gave the browser", browserParts, () => {
  it("opens no session by the browser's key, and the browser may only read until it is paired again", async () => {
    const { project, server, context, tab, hook, question } = await open();
    await server.end("SIGKILL");
    const stranger = await takePort(server.url, strangersPage);
    await tab.reload();
    expect(await tab.title()).toBe("stranger");
    expect(await tab.evaluate("exported()")).toBe("InvalidAccessError");
    await stranger.close();
    const back = await restart(project, server);
    const hunted = await tab.evaluate<[string, boolean][]>(ticketHunt);
    expect(hunted.map(([name]) => name)).toHaveLength(6);
    expect(hunted.filter(([, hasTicket]) => hasTicket)).toEqual([]);
    // The program has the script sign, and speaks to the server itself.
    const send = senderTo(server.url);
    const device = await tab.evaluate<string>("device()");
    const statuses: number[] = [];
    for (const ticket of [
      { id: "", secret: "" },
      { id: "x", secret: "x" },
      { id: "x".repeat(22), secret: "A".repeat(43) },
    ]) {
      const { exchange } = await greet(send, server.url);
      const text = statement("session", exchange, [device, ticket.id]);
      const signature = await tab.evaluate<string>(`sign(${JSON.stringify(text)})`);
      const proof = { id: ticket.id, proof: hmacSha256(ticket.secret, text) };
      const body = { nonce: exchange.nonce, exchange: exchange.browser, device, noticed: [], ticket: proof, signature };
      statuses.push((await postJson(send, "/page/session", body)).status);
    }
    expect(statuses).toEqual([409, 409, 409]);
    expect(listDevices(project.layout)).toMatchObject([{ rights: ["read"], pairAgain: "noTicket" }]);
    const { stdout } = await project.run(["devices"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("must be paired again before it may do more than read");
    const examined = await project.run(["doctor"]);
    expect(examined.stdout.replaceAll(/\s+/g, " ")).toContain("Ann's phone may only read on the page");
    await tab.reload();
    await isLive(tab);
    await shows(tab, again);
    expect(await findingsOf(tab)).toEqual([]);
    expect(await tab.getByRole("button", { name: "Allow", exact: true }).count()).toBe(0);
    expect(await tab.locator(".asked").innerText()).toContain("touch made");
    expect(readAnswer(project.layout, question)).toBeUndefined();
    // A new pairing replaces the old one.
    await tab.goto(pairingLink(project.layout, server.url, { rights: ["read", "answer"] }, Date.now()));
    await isLive(tab);
    expect(listDevices(project.layout)).toHaveLength(1);
    expect(listDevices(project.layout)[0]?.id).not.toBe(device);
    await tab.locator("button.allow:enabled").click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await context.close();
    await back.end("SIGTERM");
  });

  it("of another hookbell server tells it nothing, and is noted for the true one", async () => {
    const { project, server, tab, hook } = await open();
    await server.end("SIGKILL");
    const others = pageProject();
    const other = await startServerProcess(others, ["--port", new URL(server.url).port]);
    await tab.reload();
    await shows(tab, alarm);
    expect(listDevices(others.layout)).toEqual([]);
    await other.end("SIGTERM");
    const back = await restart(project, server);
    // What this tab has was given to it by the other server.
    await shows(tab, "Load this page again");
    await tab.reload();
    await isLive(tab);
    await shows(tab, again);
    hook.child.kill("SIGTERM");
    await hook.ended;
    await back.end("SIGTERM");
  });

  const worker = `
    self.addEventListener("install", () => self.skipWaiting());
    self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener("fetch", (event) => {
      if (event.request.mode === "navigate") event.respondWith((async () => {
        const answer = await fetch(event.request);
        const text = await answer.clone().text();
        await (await caches.open("stolen")).put("/stolen" + Math.random(), new Response(text));
        return answer;
      })());
      else if (event.request.url.includes("page.js")) event.respondWith(new Response("document.title = 'taken'", { headers: { "content-type": "text/javascript" } }));
    });`;

  it.each([
    ["of a script of its own, for all pages", "/sw.js", "/"],
    ["in the page's own worker's name, for all pages", "/page/worker.js", "/"],
    ["at a path of the platform's API", "/api/v0/readiness-reports", "/"],
  ])("leaves a service worker %s, which gets no ticket, changes no script and goes", async (_what, script, scope) => {
    const { project, server, tab, hook, question } = await open();
    await server.end("SIGKILL");
    const behave: Behaviour = (heard, response) =>
      heard.path === script
        ? answer(200, "text/javascript", worker, { "service-worker-allowed": "/", "cache-control": "no-store" })(
            heard,
            response,
          )
        : strangersPage(heard, response);
    const stranger = await takePort(server.url, behave);
    await tab.reload();
    await tab.evaluate(
      `navigator.serviceWorker.register("${script}", { scope: "${scope}" }).then(() => navigator.serviceWorker.ready).then(() => true)`,
    );
    await expect.poll(() => tab.evaluate<boolean>("navigator.serviceWorker.controller !== null")).toBe(true);
    await stranger.close();
    const back = await restart(project, server);
    await expect
      .poll(
        async () => {
          await tab.reload();
          const isThere = tab.getByText(again).waitFor({ timeout: 10_000 });
          return await isThere.then(
            () => true,
            () => false,
          );
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(await tab.evaluate("navigator.serviceWorker.getRegistrations().then(({ length }) => length)")).toBe(0);
    const stolen = await tab.evaluate<string>(
      `caches.open("stolen").then(async (cache) => (await Promise.all((await cache.matchAll()).map((each) => each.text()))).join("\\n"))`,
    );
    expect(stolen).not.toMatch(/hookbell-ticket" content="[^" ]+ /);
    expect(await tab.getByRole("button", { name: "Allow", exact: true }).count()).toBe(0);
    expect(listDevices(project.layout)).toMatchObject([{ rights: ["read"], pairAgain: "foreignWorker" }]);
    expect(readAnswer(project.layout, question)).toBeUndefined();
    hook.child.kill("SIGTERM");
    await hook.ended;
    await back.end("SIGTERM");
  });
});
