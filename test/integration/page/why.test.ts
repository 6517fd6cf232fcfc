// The tabs "Why" and "Deliveries" in a real browser, over a real state folder.
import { expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { browserParts, findingsOf, openBrowser, openContext, servePage, sizes } from "../../support/usage/browser.ts";
import { describeWithParts } from "../../support/parts.ts";
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
  it("says why something was told or not, sends again what did not arrive, and deletes it", async () => {
    const project = failingProject();
    const dead = (): number => listDeliveries(project.layout, "dead").length;
    await project.hook(payloadOf("StopFailure", { error: "server_error" }));
    await project.until("the dead letter", () => dead() === 1);
    const { pairedTab, complaints } = await servePage(project);
    const context = await openContext(await openBrowser(), sizes.desk);
    const tab = await pairedTab(context, ["read", "administer"]);
    await tab.getByRole("button", { name: "Why" }).click();
    await tab.getByLabel("Search the journal").fill("SHOP-WEB ops");
    await tab.getByRole("button", { name: /attempt.*ops failed/ }).waitFor();
    await tab.getByLabel("Show").selectOption("not told");
    expect(await findingsOf(tab)).toEqual([]);
    await tab.getByRole("button", { name: /attempt.*ops failed/ }).focus();
    await tab.keyboard.press("Enter");
    const dialog = tab.getByRole("dialog", { name: "Why" });
    await dialog.getByText(/yes {2}failures/).waitFor();
    expect(await findingsOf(tab)).toEqual([]);
    await tab.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await tab.getByRole("button", { name: "Deliveries" }).click();
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
    project.writeRules("{");
    await tab
      .getByText("The rules file has a mistake; the last good rules apply. In a terminal: hookbell check")
      .waitFor();
    await tab.getByText("ops", { exact: true }).waitFor();
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
    const tab = await pairedTab(await openContext(await openBrowser()));
    await tab.getByRole("button", { name: "Why" }).click();
    await tab.getByText(`notice ${count - 1}`).waitFor();
    const list = tab.getByRole("group", { name: "Journal, newest first" });
    await list.focus();
    for (const index of [199, 599, 1199]) {
      const row = tab.getByText(new RegExp(`notice ${count - 1 - index}$`));
      while ((await row.count()) === 0) await tab.keyboard.press("End");
      expect(await list.locator("li").count()).toBeLessThan(60);
    }
    await tab.keyboard.press("Home");
    await tab.getByText(`notice ${count - 1}`).waitFor();
  });
});
