// The tab "Usage": the figures of the server's store, and what it refuses.
import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import type { UsageOnPage } from "../../../../src/wings/platform/page-tab/contract.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { writeMonth } from "../../../support/usage/month-of-usage.ts";
import { startPage } from "../../../support/usage/page-server.ts";

it("has today's figures too, grouped or not, and the days before them to compare with", async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const answers = writeMonth(home, Date.now());
  const server = await startPage({ home, flags: ["backfill"] });
  const device = await server.pair();
  const ask = async (query: string): Promise<UsageOnPage> =>
    (await (await server.request(`/page/usage?${query}`, { device })).json()) as UsageOnPage;
  await expect.poll(async () => (await ask("of=tools&from=all")).charts[0]?.total).toBe(String(answers));
  const grouped = await ask("of=tokens&from=7d");
  expect(grouped.charts[0]?.series).toHaveLength(3);
  const today = new Date().toISOString().slice(0, 10);
  expect(grouped).toMatchObject({ endDate: today, group: { label: "Model", isGrouped: true } });
  expect(grouped.days).toHaveLength(7);
  expect(grouped.charts[0]?.change).toMatch(/ %$/);
  expect(grouped.notes).toEqual([`${today} is not over yet (UTC), so its figures are incomplete.`]);
  const together = await ask("of=tokens&from=7d&grouped=false");
  expect(together.charts[0]?.total).toBe(grouped.charts[0]?.total);
  expect(together.charts.length).toBeGreaterThan(1);
  expect((await ask("of=tools&from=all&grouped=true")).startDate).toBe("2026-01-14");
  expect((await ask("of=users&from=7d&grouped=true")).group).toBeUndefined();
});

it.each([
  ["of=secrets", /expected one of tokens, tools/],
  ["of=tokens&from=2026-13-01", /startDate: there is no such day as 2026-13-01/],
  ["of=tokens&from=0d", /invalid --from 0d/],
  ["of=tokens&from=2026-02-01&to=2999-01-01", /in the future/],
  ["of=tokens&from=x&to=%22%0A", /startDate: .*; endDate: /],
])("refuses %s, and says why", async (query, detail) => {
  const server = await startPage();
  const device = await server.pair();
  for (const path of ["/page/usage", "/page/usage.csv"]) {
    const response = await server.request(`${path}?${query}`, { device });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { detail: string }).detail).toMatch(detail);
  }
});
