import { mkdtempSync } from "node:fs";
import { expect, it } from "vitest";
import { reportIdle } from "../../bench/waits/idle.ts";
import { renderTable } from "../../bench/table.ts";
it("x", { timeout: 400_000 }, async () => {
  console.log(renderTable(await reportIdle(mkdtempSync("/tmp/idle-"), 30)));
  expect(1).toBe(1);
});
