// The page of a real server in a real browser, with real hooks.
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { listDevices, revokeDevice } from "../../../src/answers/browsers/devices.ts";
import { readAnswer } from "../../../src/answers/questions.ts";
import {
  browserParts,
  findingsOf,
  newTab,
  browserForAll,
  openContext,
  servePage,
  sizes,
} from "../../support/usage/browser.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { writeWorking } from "../../support/usage/frames.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson } from "../../support/project/person-terminal.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startServerProcess } from "../../support/usage/server-process.ts";
import { askHook, decisionOf, onlyQuestion, printed } from "../answers/asking.ts";

/** No channel carries answers: only the page does. */
function pageProject(): Project {
  const project = temporaryProject();
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { log: { type: "command", argv: ["true"] } },
    rules: [{ name: "asks", when: { event: ["PermissionRequest", "Stop"] }, notify: ["log"] }],
  });
  return project;
}

async function isFocused(field: Locator): Promise<boolean> {
  return await field.evaluate((element) => element.matches(":focus"));
}

describeWithParts("the page in a browser", [...browserParts, ...personParts], () => {
  const browser = browserForAll();

  it("is paired by the link of a command that a person runs, once, and is gone when it is revoked", async () => {
    const project = pageProject();
    const early = await runAsPerson(project, ["devices", "add"]);
    expect(early).toMatchObject({ code: 1, shown: expect.stringContaining("the page is not being served") });
    const { complaints } = await servePage(project);
    const context = await openContext(browser());
    const { shown } = await runAsPerson(project, ["devices", "add", "--name", "Ann's phone"]);
    const link = /http:\S+#pair=\S+/.exec(shown)?.[0] ?? "";
    const tab = await newTab(context, complaints);
    await tab.goto(link);
    await tab.getByText("live", { exact: true }).waitFor();
    expect(tab.url()).not.toContain("pair");
    await tab.reload();
    await tab.getByText("live", { exact: true }).waitFor();
    const listed = await project.run(["devices"]);
    expect(listed.stdout).toMatch(/Ann's phone +read +20/);
    const other = await newTab(await openContext(browser()), []);
    await other.goto(link);
    await other.getByRole("heading", { name: "This browser is not paired" }).waitFor();
    await other.getByText(/The link was used already/).waitFor();
    expect(complaints).toEqual([]);
    expect(await findingsOf(other)).toEqual([]);
    // Another link in the same tab changes only what follows the #.
    const next = await runAsPerson(project, ["devices", "add", "--name", "Ben's desk"]);
    await other.goto(/http:\S+#pair=\S+/.exec(next.shown)?.[0] ?? "");
    await other.getByText("live", { exact: true }).waitFor();
    expect(await project.run(["devices", "revoke", "Ann's phone"])).toMatchObject({ code: 0 });
    await tab.getByRole("heading", { name: "This browser is not paired" }).waitFor();
  });

  it("shows a question of a real hook, which prints what was pressed, on a phone and on a desk", async () => {
    const project = pageProject();
    const { pairedTab, complaints } = await servePage(project);
    const phone = await pairedTab(await openContext(browser(), sizes.phone), ["read", "answer"]);
    const desk = await pairedTab(await openContext(browser(), sizes.desk), ["read", "answer"], "Ben's desk");
    await phone.getByText("No session needs you.").waitFor();
    const hook = askHook(project);
    const allow = phone.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();
    expect(await phone.locator(".asked").innerText()).toBe("touch made");
    expect(await phone.title()).toBe("(1) hookbell");
    await desk.getByRole("button", { name: "Deny" }).waitFor();
    const reader = await pairedTab(await openContext(browser()), ["read"], "the hall");
    await reader.getByText("This browser may not answer.").waitFor();
    expect(await reader.getByRole("button", { name: "Deny" }).count()).toBe(0);
    for (const tab of [phone, desk]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        expect(await findingsOf(tab), colorScheme).toEqual([]);
      }
    }
    await allow.click();
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await phone
      .getByRole("status")
      .getByText(/Allowed by Ann's phone in the page after/)
      .waitFor();
    for (const tab of [phone, desk]) await tab.getByRole("button", { name: "Deny" }).waitFor({ state: "detached" });
    // The keyboard alone.
    const second = askHook(project, "rm -rf build");
    const reason = desk.locator("summary", { hasText: "Deny and say why" });
    const field = desk.getByLabel("Why not");
    // A button takes no press in the moment in which its question appears; until then, Tab passes it by.
    await desk.locator("button.deny:enabled").waitFor();
    for (let tabs = 0; !(await isFocused(reason)); tabs += 1) {
      expect(tabs).toBeLessThan(50);
      await desk.keyboard.press("Tab");
    }
    await desk.keyboard.press("Enter");
    await desk.keyboard.press("Tab");
    expect(await isFocused(field)).toBe(true);
    expect(await findingsOf(desk)).toEqual([]);
    await desk.keyboard.type("Not this one.");
    await desk.keyboard.press("Tab");
    await desk.keyboard.press("Enter");
    expect(await printed(second)).toEqual(decisionOf("deny", "Not this one."));
    expect(complaints).toEqual([]);
  });

  it("connects again after the server has started anew, and its old buttons do nothing", async () => {
    const project = pageProject();
    const { server, pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()), ["read", "answer"]);
    await server.end("SIGKILL");
    await tab.getByText("the server cannot be reached").waitFor();
    const again = await startServerProcess(project, ["--port", new URL(server.url).port]);
    await tab.getByText("live", { exact: true }).waitFor();
    const hook = askHook(project);
    await tab.getByRole("button", { name: "Deny" }).click();
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
    await again.end("SIGTERM");
  });

  it("says on each tab that the rules file is broken, where, how to fix it, and which rules apply, until it is fixed", async () => {
    const project = pageProject();
    await project.hook(payloadOf("Stop"));
    await project.until("the good rules", () => project.journal().some(({ kind }) => kind === "attempt"));
    const { pairedTab, complaints } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    project.writeRules('{\n  "channels": {},\n  "rules": [{ "name": "x", "notify": [], "notfy": [] }]\n}');
    const alert = tab.getByRole("alert").filter({ hasText: "The rules file is broken; the last good rules apply." });
    await alert.waitFor();
    const mistake = `${project.rulesFile}:3:42 there is no setting "notfy" here; did you mean "notify"?`;
    expect(await alert.innerText()).toContain(mistake);
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme });
      expect(await findingsOf(tab), colorScheme).toEqual([]);
    }
    await tab.getByRole("link", { name: "Deliveries" }).click();
    await alert.waitFor();
    project.writeRules({ channels: {}, rules: [] });
    await alert.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("says who was told first, what failed in one line with all of it on demand, and why it takes no answer", async () => {
    const project = pageProject();
    const words = "the receiver said a lot about what it does not like ".repeat(4).trim();
    project.writeRules({
      channels: {
        bad: { type: "command", argv: ["sh", "-c", `echo '${words}' >&2; exit 1`] },
        log: { type: "command", argv: ["true"] },
      },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["bad", "log"] }],
    });
    await project.hook(payloadOf("Notification", { notification_type: "permission_prompt", message: "May I push?" }));
    const { pairedTab, complaints } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    const line = tab.locator(".notified summary", { hasText: /^Notified: log (?:now|.* ago); not bad$/ });
    await line.waitFor();
    await tab.getByText("Answers are off; to enable them").waitFor();
    const failure = tab.locator(".notified p", { hasText: words });
    expect(await failure.isVisible()).toBe(false);
    await line.focus();
    await tab.keyboard.press("Enter");
    await failure.waitFor();
    // What is broken is said once, above all sessions.
    const attempt = { kind: "attempt" as const, event: "evt_1", channel: "log", attempt: 1, ms: 3 };
    writeJournal(project.layout, Date.now(), { ...attempt, outcome: "failed", next: "dead", detail: "no such host" });
    await tab
      .getByRole("status")
      .getByText(/^log does not reach you, last tried .*: no such host/)
      .waitFor();
    expect(await findingsOf(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("says on This device what the browser may do and how to change it, in the order in which Tab goes", async () => {
    const project = pageProject();
    const { pairedTab, complaints } = await servePage(project);
    for (const [name, size] of Object.entries(sizes)) {
      const tab = await pairedTab(await openContext(browser(), size), ["read", "answer"], name);
      const link = tab.getByRole("link", { name: "This device" });
      // The tabs come first, then the settings, then what the tab shows.
      const stops: string[] = [];
      while (!(await isFocused(link))) {
        expect(stops.length).toBeLessThan(10);
        await tab.keyboard.press("Tab");
        stops.push(await tab.locator(":focus").innerText());
      }
      expect(stops.slice(0, 3)).toEqual(["Now", "Why", "Deliveries"]);
      await tab.keyboard.press("Enter");
      const panel = tab.getByRole("region", { name: "this device" });
      const rights = await panel.locator("dl > div").allInnerTexts();
      expect(rights.map((right) => right.replace(/\s+/g, " "))).toEqual([
        "May See sessions, questions and the journal",
        "May Answer questions",
        "May not Send failed messages again, start installations, try other rules",
      ]);
      await panel.getByText("hookbell devices add --answer --administer").waitFor();
      const notify = tab.getByRole("button", { name: "Notify this device" });
      await notify.waitFor();
      await tab.keyboard.press("Tab");
      await expect.poll(() => isFocused(notify)).toBe(true);
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        expect(await findingsOf(tab), `${name}, ${colorScheme}`).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });

  it("draws the sessions near the screen only, and the others as they come near", async () => {
    const project = pageProject();
    ensureLayout(project.layout);
    const count = 120;
    for (let index = 0; index < count; index += 1) writeWorking(project.layout, index, "run `npm test`?");
    const { pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    const all = tab.locator(".sessions > li");
    await all.nth(count - 1).waitFor();
    const drawn = tab.locator(".sessions .place");
    await drawn.first().waitFor();
    expect(await drawn.count()).toBeLessThan(count / 2);
    const last = all.nth(count - 1);
    await last.scrollIntoViewIfNeeded();
    await last.locator(".place").waitFor();
    expect(await findingsOf(tab)).toEqual([]);
  });

  it("shows markup in every field of an event as text", async () => {
    const project = pageProject();
    const { pairedTab, complaints } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()), ["read", "answer"]);
    const markup = '<img src="x" onerror="document.title=1"><script>document.title=2</script>';
    const hook = askHook(project, `touch '${markup}'`, {}, { cwd: `/home/u/${markup}`, session_id: markup });
    await tab.getByText(`touch '${markup}'`).waitFor();
    expect(await tab.locator("#page img, #page script").count()).toBe(0);
    expect(await tab.title()).toBe("(1) hookbell");
    // The journal has the same words.
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab
      .getByRole("option", { name: /onerror/ })
      .first()
      .click();
    await tab
      .getByRole("dialog")
      .getByText(/onerror/)
      .first()
      .waitFor();
    expect(await tab.locator("#page img, #page script").count()).toBe(0);
    expect(complaints).toEqual([]);
    const [device] = listDevices(project.layout);
    revokeDevice(project.layout, device ?? { id: "" });
    await tab.getByRole("heading", { name: "This browser is not paired" }).waitFor();
    const question = onlyQuestion(project);
    expect(readAnswer(project.layout, question?.id ?? "")).toBeUndefined();
    hook.child.kill("SIGTERM");
    await hook.ended;
  });
});
