// The tabs "Why" and "Deliveries" in a real browser, over a real state folder.
import { expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { browserParts, findingsOf, browserForAll, openContext, servePage, sizes } from "../../support/usage/browser.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startServerProcess } from "../../support/usage/server-process.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";

/** Its only channel's program fails. */
function failingProject(): Project {
  const project = temporaryProject();
  project.writeRules({
    channels: { ops: { type: "command", argv: ["false"] } },
    rules: [{ name: "failures", when: { event: ["StopFailure"] }, notify: ["ops"] }],
  });
  return project;
}

describeWithParts("the page in a browser", browserParts, () => {
  const browser = browserForAll();

  it("says why something was told or not, sends again what did not arrive, and deletes it", async () => {
    const project = failingProject();
    const dead = (): number => listDeliveries(project.layout, "dead").length;
    await project.hook(payloadOf("StopFailure", { error: "server_error" }));
    await project.until("the dead letter", () => dead() === 1);
    const { pairedTab, complaints } = await servePage(project);
    const context = await openContext(browser(), sizes.desk);
    const tab = await pairedTab(context, ["read", "administer"]);
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab.getByLabel("Search the journal").fill("SHOP-WEB ops");
    await tab.getByRole("option", { name: /shop-web turn failed.*ops failed/ }).waitFor();
    await tab.getByLabel("Show").selectOption("not notified");
    expect(await findingsOf(tab)).toEqual([]);
    // The list is one Tab stop, and its end stands below its last line.
    await tab.getByLabel("Show").focus();
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("End");
    const list = tab.getByRole("listbox", { name: "Events, newest first" });
    // The list may be drawn anew between two questions to the browser.
    const chosenAndSelected = async (): Promise<number> => {
      const chosen = await list.getAttribute("aria-activedescendant");
      return tab.locator(`[id="${chosen}"][aria-selected="true"]`).count();
    };
    await expect.poll(chosenAndSelected).toBe(1);
    await tab.locator(".list").getByText("This is the beginning of the journal.").waitFor();
    await tab.keyboard.press("Enter");
    const dialog = tab.getByRole("dialog", { name: "Why" });
    await dialog.getByText(/^Not notified: ops failed/).waitFor();
    await dialog
      .getByText(/rule "failures" matches/)
      .first()
      .waitFor();
    expect(await findingsOf(tab)).toEqual([]);
    await tab.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await tab.getByRole("link", { name: "Deliveries" }).click();
    const again = tab.getByRole("button", { name: "Send again" });
    await again.waitFor();
    await tab.getByText("1 failed").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme });
      expect(await findingsOf(tab), colorScheme).toEqual([]);
    }
    await again.click();
    await tab.getByText("1 delivery put back in the queue.").waitFor();
    await project.until("the second failure", () => {
      const attempts = project.journal().filter(({ kind }) => kind === "attempt");
      return attempts.length === 2 && dead() === 1;
    });
    await tab.getByRole("button", { name: "Delete" }).click();
    await tab.getByText("1 delivery deleted.").waitFor();
    await tab.getByText("Every message arrived, or still waits for its turn.").waitFor();
    expect(dead()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("keeps only the rows on the screen, however long the journal is", async () => {
    const project = failingProject();
    ensureLayout(project.layout);
    const count = 50_000;
    const entries = Array.from({ length: count }, (_, index) => {
      return { kind: "notice" as const, title: `notice ${index}`, body: "" };
    });
    writeJournal(project.layout, Date.now(), ...entries);
    const { pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab.getByText(`notice ${count - 1}`).waitFor();
    const list = tab.getByRole("listbox", { name: "Events, newest first" });
    await list.focus();
    for (const index of [199, 599, 1199]) {
      const row = tab.getByText(new RegExp(`notice ${count - 1 - index}$`));
      while ((await row.count()) === 0) await tab.keyboard.press("End");
      expect(await list.getByRole("option").count()).toBeLessThan(60);
    }
    await tab.keyboard.press("Home");
    await tab.getByText(`notice ${count - 1}`).waitFor();
  });

  it("shows one session's lines by a link on its card, keeps them over a reload, and goes back", async () => {
    const project = failingProject();
    for (const session of ["s1", "s2"]) {
      const payload = payloadOf("UserPromptSubmit", {
        session_id: session,
        cwd: `/home/u/${session}`,
        prompt: "Go on.",
      });
      await project.hook(payload);
    }
    const { pairedTab, complaints } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Why: s2" }).click();
    await tab.getByText("Only s2").waitFor();
    const rows = tab.getByRole("listbox").getByRole("option");
    await rows.first().waitFor();
    for (const text of await rows.allInnerTexts()) expect(text).toContain("s2");
    await tab.locator(".list").getByText("Nothing earlier about s2.").waitFor();
    await tab.reload();
    await tab.getByText("Only s2").waitFor();
    await rows.first().waitFor();
    expect(await findingsOf(tab)).toEqual([]);
    await tab.getByRole("link", { name: "All sessions" }).click();
    await rows.filter({ hasText: "s1" }).first().waitFor();
    await tab.goBack();
    await tab.getByText("Only s2").waitFor();
    await tab.goBack();
    await tab.getByRole("heading", { name: "Working" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows new lines by itself, and reads on once a server that was away is there again", async () => {
    const project = failingProject();
    const { server, pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab.getByText("Nothing in the journal matches.").waitFor();
    const note = (title: string) => writeJournal(project.layout, Date.now(), { kind: "notice", title, body: "" });
    note("the first");
    await tab.getByRole("option", { name: /the first/ }).waitFor();
    await server.end("SIGKILL");
    await tab.getByText("the server cannot be reached").waitFor();
    await tab.getByLabel("Search the journal").fill("second");
    const problem = tab.getByText("The server cannot be reached. Start it with: hookbell serve");
    await problem.waitFor();
    note("the second");
    const again = await startServerProcess(project, ["--port", new URL(server.url).port]);
    await tab.getByRole("option", { name: /the second/ }).waitFor();
    await problem.waitFor({ state: "detached" });
    expect(await tab.getByRole("listbox").getByRole("option").count()).toBe(1);
    await again.end("SIGTERM");
  });
});
