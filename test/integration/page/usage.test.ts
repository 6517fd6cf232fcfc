// The tab "Usage" in a real browser: charts of what the server has counted, the table behind each, and the download.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { browserParts, findingsOf, browserForAll, openContext, servePage, sizes } from "../../support/usage/browser.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { exampleReadinessReport } from "../../support/usage/examples.ts";
import { writeMonth } from "../../support/usage/month-of-usage.ts";

describeWithParts("the page in a browser", browserParts, () => {
  const browser = browserForAll();

  it("draws each endpoint's figures, with a table and a file of the same, on a phone and on a desk", async () => {
    const project = temporaryProject();
    writeMonth(project.home, Date.now());
    await project.command(["keys", "add", "ann"]);
    const { pairedTab, complaints } = await servePage(project, ["--backfill"]);
    for (const [name, size] of Object.entries(sizes)) {
      const tab = await pairedTab(await openContext(browser(), size), ["read"], name);
      const loaded: string[] = [];
      tab.on("request", (request) => loaded.push(new URL(request.url()).pathname));
      expect(loaded).toEqual([]);
      await tab.getByRole("link", { name: "Usage" }).click();
      const chart = tab.getByRole("img", { name: /^Credits a day, .* most on 20.*The table has every value\.$/ });
      await chart.waitFor();
      await tab.getByLabel("Days").selectOption("30 days");
      const names = loaded.map((path) => path.replace(/^\/page\/load\/[\w-]{22}\//, ""));
      expect(names).toEqual(expect.arrayContaining(["usage.js", "usage.css"]));
      expect(await chart.locator("canvas").count()).toBe(1);
      await tab.getByText("claude-opus-4-6").first().waitFor();
      await tab.getByText("Table", { exact: true }).click();
      const table = tab.getByRole("region", { name: "Credits, table" });
      await expect.poll(() => table.getByRole("row").count()).toBe(32);
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        expect(await findingsOf(tab), `${name}, ${colorScheme}`).toEqual([]);
      }
      const [saved] = await Promise.all([
        tab.waitForEvent("download"),
        tab.getByRole("button", { name: "Download CSV" }).click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(/^hookbell-tokens-20\S+-to-20\S+\.csv$/);
      const [head = "", first = ""] = readFileSync(await saved.path(), "utf8").split("\n");
      expect(head).toBe("date,group_key,billable_tokens,input_tokens,output_tokens");
      expect(first).toMatch(/^20\d\d-\d\d-\d\d,claude-/);
      for (const view of ["Tools", "Activity", "Productivity", "Users"]) {
        await tab.getByRole("button", { name: view, exact: true }).click();
        await tab.getByRole("img", { name: /The table has every value/ }).waitFor();
        expect(await findingsOf(tab), `${name}, ${view}`).toEqual([]);
      }
      await tab.getByRole("button", { name: /^Tool calls/ }).click();
      await tab.getByRole("img", { name: /^Tool calls a day/ }).waitFor();
      await tab.getByLabel("Days").selectOption("7 days");
      await tab.getByText("Table", { exact: true }).click();
      await expect.poll(() => tab.getByRole("region", { name: "Tool calls, table" }).getByRole("row").count()).toBe(9);
    }
    expect(complaints).toEqual([]);
  });

  it("shows computers with their last installation, and readiness reports with their criteria", async () => {
    const project = temporaryProject();
    const done = join(project.home, "done");
    const program = `console.log("fetching one");
      setInterval(() => require("node:fs").existsSync(${JSON.stringify(done)}) && process.exit(3), 10);`;
    const argv = [process.execPath, "-e", program];
    const { stdout } = await project.command(["computers", "add", "build box", "--json", "--", ...argv]);
    expect(stdout).toContain("cmp_");
    const reports = join(project.layout.root, "server", "readiness");
    mkdirSync(reports, { recursive: true, mode: 0o700 });
    writeFileSync(join(reports, "one.json"), JSON.stringify(exampleReadinessReport));
    const { pairedTab, complaints } = await servePage(project);
    for (const [name, size] of Object.entries(sizes)) {
      const tab = await pairedTab(await openContext(browser(), size), ["read", "administer"], name);
      await tab.getByRole("link", { name: "Usage" }).click();
      await tab.getByRole("button", { name: "Computers" }).click();
      await tab.getByRole("button", { name: "Install dependencies" }).click();
      await tab.getByText("fetching one").waitFor();
      expect(await findingsOf(tab), name).toEqual([]);
      writeFileSync(done, "");
      await tab.getByText(/^Install dependencies: Error \(exit code 3\)$/).waitFor();
      rmSync(done);
      expect(await findingsOf(tab), name).toEqual([]);
      await tab.getByRole("button", { name: "Readiness" }).click();
      await tab.getByText("acme/shop").waitFor();
      await tab.getByText("Criteria", { exact: true }).click();
      await tab.getByText("apps/web has none").waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        expect(await findingsOf(tab), `${name}, ${colorScheme}`).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });

  it("opens on their own figures for a person alone, also those of before the first start", async () => {
    const project = temporaryProject();
    writeMonth(project.home, Date.now());
    const { pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Usage" }).click();
    await tab.getByRole("img", { name: /^Credits a day, .* most on 20/ }).waitFor();
    await tab.getByText("your own figures").waitFor();
    expect(await tab.getByText("hookbell serve --backfill").count()).toBe(0);
    expect(await tab.getByLabel("Days").inputValue()).toBe("7d");
    // What is about an organization is not offered.
    const offered = await tab.getByRole("group", { name: "Show" }).getByRole("button").allInnerTexts();
    expect(offered).toEqual(["Tokens", "Tools", "Activity", "Productivity"]);
  });

  it("says what is wrong with the days that a person chose, and keeps what it showed", async () => {
    const project = temporaryProject();
    await project.command(["keys", "add", "ann"]);
    const { pairedTab } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Usage" }).click();
    await tab.getByText("There is nothing on these days.").waitFor();
    await tab.getByText(/The server has counted since .* hookbell serve --backfill/).waitFor();
    await tab.getByLabel("Days").selectOption("from … to …");
    await tab.getByLabel("From", { exact: true }).fill("2025-01-01");
    await tab
      .getByRole("alert")
      .getByText(/2025-01-01 is before 2026-01-14, the first day with data/)
      .waitFor();
    await tab.getByLabel("From", { exact: true }).fill("2026-02-01");
    await tab.getByRole("alert").waitFor({ state: "detached" });
    await tab.getByText(/a day, 2026-02-01 to/).waitFor();
    expect(await findingsOf(tab)).toEqual([]);
  });
});
