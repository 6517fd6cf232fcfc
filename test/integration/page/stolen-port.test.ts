// Another program takes the port of the page's server while a tab is open: it is told nothing, and nothing of it counts.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { listDevices } from "../../../src/answers/browsers/devices.ts";
import { readAnswer } from "../../../src/answers/questions.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { browserParts, isLive, browserForAll, openContext, servePage, shows } from "../../support/usage/browser.ts";
import { startServerProcess } from "../../support/usage/server-process.ts";
import {
  answer,
  ask,
  relayTo,
  takePort,
  type Behaviour,
  type Heard,
  type Stranger,
} from "../../support/usage/stranger.ts";
import { alarm, pageProject, restart } from "./page-project.ts";
import { askHook, decisionOf, onlyQuestion, printed } from "../answers/asking.ts";

const protectedPaths = ["/page/events", "/page/deliveries", "/page/journal", "/page/push", "/page/rules"];

/** What a program can make of all that it was told. Answers with how many tries there were, and which were taken. */
async function replayAll(
  url: string,
  heard: readonly Heard[],
  question: string,
): Promise<{ tries: number; taken: string[] }> {
  const taken: string[] = [];
  let tries = 0;
  const attempt = async (each: Heard): Promise<void> => {
    tries += 1;
    const { status, body } = await ask(url, each);
    // Anyone is given the page's own files, and the server's proof.
    const isPublic = /^\/(?:$|page\/(?:hello|load\/|icons\/))/.test(each.path);
    const isTold = status < 300 && !isPublic;
    // A tab of the page before this one is told to load itself anew, and nothing else.
    const isNothing = body.includes('"groups":[]') && body.includes('"rights":[]');
    if (isTold && !isNothing) taken.push(`${each.method} ${each.path} ${body.slice(0, 80)}`);
  };
  for (const each of heard) {
    await attempt(each);
    for (const path of protectedPaths) await attempt({ ...each, method: "GET", path, body: "" });
    const headers = { ...each.headers, origin: url, "content-type": "application/json" };
    const body = JSON.stringify({ question, nonce: "x", words: "" });
    await attempt({ method: "POST", path: "/page/answers", headers, body });
    await attempt({ method: "POST", path: "/page/retry", headers, body: JSON.stringify({ ids: ["x"] }) });
  }
  return { tries, taken };
}

/** Browsers ask for the icon of a tab by themselves. */
function isNoIcon({ path }: Heard): boolean {
  return path !== "/favicon.ico" && !path.startsWith("/page/icons/");
}

const fakeState = JSON.stringify({
  build: "x",
  at: 0,
  groups: [],
  computers: [],
  host: "evil",
  journal: "",
  day: { start: 0, projects: [] },
  device: { name: "", rights: [] },
});

describeWithParts("an open tab whose server's port another program takes", browserParts, () => {
  const browser = browserForAll();

  it("tells it nothing that the server takes, says so, and goes on when the server is back", async () => {
    const project = pageProject();
    const { server, pairedTab } = await servePage(project);
    const context = await openContext(browser());
    const tab = await pairedTab(context, ["read", "answer"]);
    const second = await context.newPage();
    await second.goto(server.url);
    await isLive(second);
    const hook = askHook(project);
    await tab.getByRole("button", { name: "Allow", exact: true }).waitFor();
    const question = onlyQuestion(project)?.id ?? "";
    // What the true server has said can be overheard by no one here, but a copy of it must be worth nothing.
    const hello = {
      method: "POST",
      path: "/page/hello",
      headers: { origin: server.url, "content-type": "application/json" },
    };
    const asked = JSON.stringify({ nonce: "x", exchange: "B".repeat(87) });
    const copied = await ask(server.url, { ...hello, body: asked });
    const behaviours: Record<string, Behaviour> = {
      "answers 404": answer(404, "text/plain", "no"),
      "answers 501": answer(501, "text/html", "<p>Unsupported method</p>"),
      "answers 401": answer(401, "application/json", JSON.stringify({ detail: "it was revoked" })),
      "says yes to all": answer(200, "application/json", "{}"),
      "streams a state of its own": answer(200, "text/event-stream", `data: ${fakeState}\n\n`),
      "repeats what the server said": answer(copied.status, "application/json", copied.body),
      "sends it elsewhere": answer(307, "text/plain", "", { location: "http://127.0.0.1:9/page/hello" }),
    };
    let genuine = server;
    const tries: Record<string, number> = {};
    for (const [name, behave] of Object.entries(behaviours)) {
      await genuine.end("SIGKILL");
      const stranger = await takePort(server.url, behave);
      for (const each of [tab, second]) await shows(each, alarm);
      expect(await tab.locator("main > [inert] button.allow").count()).toBe(1);
      await stranger.close();
      genuine = await restart(project, server);
      const told = stranger.heard.filter(isNoIcon);
      expect([...new Set(told.map(({ method, path }) => `${method} ${path}`))], name).toEqual(["POST /page/hello"]);
      for (const { headers, body } of told) {
        expect(Object.keys(headers).filter((each) => /cookie|hookbell|authorization/.test(each))).toEqual([]);
        expect(Object.keys(JSON.parse(body) as object)).toEqual(["nonce", "exchange"]);
      }
      const replayed = await replayAll(server.url, told, question);
      expect(replayed.taken, name).toEqual([]);
      tries[name] = replayed.tries;
      for (const each of [tab, second]) await isLive(each);
      expect(await tab.getByText(alarm).count()).toBe(0);
    }
    console.log("replayed and forged, of which 0 were taken:", tries);
    expect(readAnswer(project.layout, question)).toBeUndefined();
    await tab.locator("button.allow:enabled").click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    expect(listDevices(project.layout)).toMatchObject([{ rights: ["read", "answer"] }]);
    await genuine.end("SIGTERM");
  });

  it("does not speak to its server through a program on its port while the server is at another", async () => {
    const project = pageProject();
    const { server, pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()), ["read", "answer"]);
    await server.end("SIGTERM");
    const moved = await startServerProcess(project);
    const host = new URL(moved.url).host;
    const changes: Record<string, string>[] = [{}, { host }, { host, origin: moved.url }];
    for (const changed of changes) {
      const stranger = await takePort(server.url, relayTo(moved.url, changed));
      await shows(tab, alarm);
      expect(stranger.heard.filter(isNoIcon).filter(({ path }) => path !== "/page/hello")).toEqual([]);
      await stranger.close();
      await shows(tab, "the server cannot be reached");
    }
    await moved.end("SIGTERM");
    const back = await restart(project, server);
    await isLive(tab);
    await back.end("SIGTERM");
  });

  it.runIf(findPart("faketime") !== undefined)("goes on with a server whose clock is an hour off", async () => {
    const project = pageProject();
    const { server, pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()), ["read", "answer"]);
    await server.end("SIGTERM");
    for (const offset of ["+1h", "-1h"]) {
      const faked = {
        LD_PRELOAD: "/usr/$LIB/faketime/libfaketime.so.1",
        FAKETIME: offset,
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      const other = await startServerProcess({ ...project, env: { ...project.env, ...faked } }, [
        "--port",
        new URL(server.url).port,
      ]);
      await isLive(tab);
      await tab.reload();
      await isLive(tab);
      expect(listDevices(project.layout).map(({ pairAgain }) => pairAgain)).toEqual([undefined]);
      await other.end("SIGTERM");
      await shows(tab, "the server cannot be reached");
    }
  });

  it("gets nothing that counts from a tab that does something in the moment in which the server goes", async () => {
    const project = pageProject();
    const { server, pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()), ["read", "answer"]);
    await server.end("SIGKILL");
    const stranger: Stranger = await takePort(server.url, answer(200, "application/json", "{}"));
    for (const name of ["Why", "Deliveries", "Usage", "Now"]) {
      await tab.getByRole("link", { name, exact: true }).click();
      await sleep(50);
    }
    await shows(tab, alarm);
    // The browser may tell the tab late that its server is gone. Until then the tab asks as before.
    const told = stranger.heard.filter(({ path }) => path !== "/page/hello");
    expect(told.filter(({ method, body, headers }) => method !== "GET" || body !== "" || "cookie" in headers)).toEqual(
      [],
    );
    await stranger.close();
    const back = await restart(project, server);
    await isLive(tab);
    expect((await replayAll(server.url, stranger.heard, "x")).taken).toEqual([]);
    await back.end("SIGTERM");
  });
});
