// The page as an app, and its service worker in a real browser on a real desktop. Chromium receives pushes only from Google's service, so what
// the dispatcher has sent to a receiver of the test is decrypted there, and handed to the worker by Chromium's debugger.
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { listSubscribers } from "../../../src/channels/phone/webpush/subscriptions.ts";
import { deskParts, openDesk, type Desk } from "../../support/desktop/desk.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { testBrowser, type TestBrowser } from "../../support/receivers/push-service.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";
import { browserParts, openWithProfile, servePage } from "../../support/usage/browser.ts";

interface App {
  project: Project;
  desk: Desk;
  context: BrowserContext;
  tab: Page;
  complaints: string[];
  service: HttpReceiver;
  browser: TestBrowser;
  origin: string;
}

async function openApp(): Promise<App> {
  const desk = await openDesk("dunst");
  onTestFinished(desk.stop);
  const tls = makeSelfSigned(["127.0.0.1"]);
  const service = await startHttpReceiver({ tls, behaviour: { answer: 201 } });
  onTestFinished(service.close);
  const project = temporaryProject();
  project.env.NODE_EXTRA_CA_CERTS = tls.certFile;
  project.writeRules({
    channels: { phone: { type: "webpush", allowPrivate: true } },
    rules: [{ name: "asks", when: { event: "Notification" }, notify: ["phone"] }],
  });
  const { server, pairedTab, complaints } = await servePage(project);
  const context = await openWithProfile(desk.env);
  await context.grantPermissions(["notifications"], { origin: server.url });
  const browser = testBrowser(`${service.origin}/send/one`);
  await context.addInitScript({ content: subscribingTo(browser.subscription) });
  const tab = await pairedTab(context);
  return { project, desk, context, tab, complaints, service, browser, origin: server.url };
}

/** A script for the page: without Google's service, a subscription cannot be made. */
function subscribingTo(subscription: TestBrowser["subscription"]): string {
  const given = JSON.stringify(subscription);
  return `{
    const made = {
      endpoint: ${given}.endpoint,
      toJSON: () => (${given}),
      unsubscribe: async () => localStorage.removeItem("subscribed"),
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem("subscribed") === null ? null : made;
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (userVisibleOnly !== true || !/^[\\w-]{87}$/.test(applicationServerKey)) throw new Error("the options are wrong");
      localStorage.setItem("subscribed", "yes");
      return made;
    };
  }`;
}

/** Hands what the service has received to the worker, decrypted, as the browser does. */
async function deliver(
  { context, tab, service, browser, origin }: App,
  index: number,
): Promise<Record<string, unknown>> {
  const { headers, bytes } = service.requests[index] ?? { headers: {}, bytes: Buffer.alloc(0) };
  const { text } = browser.receive(headers as Record<string, string>, bytes);
  const client = await context.newCDPSession(tab);
  const registered = new Promise<string>((resolve) => {
    client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await client.send("ServiceWorker.enable");
  await client.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data: text });
  return JSON.parse(text) as Record<string, unknown>;
}

const shownIn = (tab: Page): Promise<unknown> =>
  tab.evaluate(
    "navigator.serviceWorker.getRegistration('/page/worker/').then((worker) => worker.getNotifications()).then((shown) => shown.map(({ title, body }) => [title, body]))",
  );

describeWithParts("the page as an app", [...browserParts, ...deskParts, "dunst"], () => {
  it("can be installed", async () => {
    const { context, tab, complaints } = await openApp();
    const client = await context.newCDPSession(tab);
    const manifest = await client.send("Page.getAppManifest");
    expect(manifest).toMatchObject({
      errors: [],
      url: expect.stringContaining("/page/manifest.webmanifest") as unknown,
    });
    expect(await client.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
    expect(complaints).toEqual([]);
  });

  it("says so when the browser's push service does not answer, and can be asked again", async () => {
    const { project, tab } = await openApp();
    await tab.getByRole("link", { name: "This device" }).click();
    await tab.clock.install();
    await tab.evaluate("PushManager.prototype.subscribe = () => new Promise(() => {})");
    const button = tab.getByRole("button", { name: "Notify this device" });
    await button.click();
    // Until it has asked the service, the button waits for the server.
    await tab.locator(".device button:disabled").waitFor();
    const notice = tab.getByRole("status").getByText("this browser's push service did not answer");
    await expect
      .poll(async () => {
        await tab.clock.fastForward(20_000);
        return await notice.count();
      })
      .toBe(1);
    await tab.locator(".device button:enabled").waitFor();
    expect(listSubscribers(project.layout.root)).toEqual([]);
  });

  it("shows a question that was pushed, closes it when it is answered, and opens its session at a click", async () => {
    const app = await openApp();
    const { project, desk, context, tab, service, complaints } = app;
    const ask = async (session: string, message: string): Promise<Record<string, unknown>> => {
      const before = service.requests.length;
      await project.hook(
        payloadOf("Notification", { notification_type: "permission_prompt", session_id: session, message }),
      );
      await project.until("the push", () => service.requests.length > before);
      const pushed = await deliver(app, before);
      await project.until("the notification", () => desk.notifications().length > 0);
      // The page knows of it, too, so that nothing moves while the test looks.
      await tab.locator("nav .badge", { hasText: "1" }).waitFor();
      return pushed;
    };
    const answer = async (session: string): Promise<Record<string, unknown>> => {
      const before = service.requests.length;
      await project.hook(payloadOf("UserPromptSubmit", { session_id: session, prompt: "Go on." }));
      await project.until("the end of the question", () => service.requests.length > before);
      return await deliver(app, before);
    };
    await tab.getByRole("link", { name: "This device" }).click();
    await tab.getByRole("button", { name: "Notify this device" }).click();
    await tab.getByRole("status").getByText("This device is notified from now on.").waitFor();
    expect(listSubscribers(project.layout.root)).toMatchObject([{ name: "Ann's phone", origin: app.origin }]);
    const question = await ask("s-1", "May I push to main?");
    expect(question.body).toContain("May I push to main?");
    expect(await shownIn(tab)).toEqual([[question.title, question.body]]);
    expect(await answer("s-1")).toMatchObject({ tag: question.tag, isOver: true });
    await project.until("an empty screen", () => desk.notifications().length === 0);
    expect(await shownIn(tab)).toEqual([]);
    // The page is open, at another place.
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    const again = await ask("s-1", "May I push now?");
    const focused = tab.locator(`#session-${String(again.session)}:focus`);
    await clickUntil(desk, async () => (await focused.count()) > 0);
    await focused.getByText("May I push now?").waitFor();
    await answer("s-1");
    await project.until("an empty screen again", () => desk.notifications().length === 0);
    // The page is closed.
    const other = await ask("s-2", "May I deploy?");
    await context.newPage();
    await tab.close();
    const page = (): Page | undefined => context.pages().find((each) => each.url().startsWith(app.origin));
    await clickUntil(desk, () => Promise.resolve(page() !== undefined));
    const opened = page() ?? tab;
    await opened
      .locator(`#session-${String(other.session)}:focus`)
      .getByText("May I deploy?")
      .waitFor();
    await opened.getByRole("link", { name: "This device" }).click();
    await opened.getByRole("button", { name: "Stop notifying" }).click();
    await opened.getByRole("status").getByText("This device is no longer notified.").waitFor();
    expect(listSubscribers(project.layout.root)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** A click in the moment in which the notification moves into place hits nothing. */
async function clickUntil(desk: Desk, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error("no click had an effect");
    if (desk.notifications().length > 0) desk.click();
    await sleep(200);
  }
}
