// The tab "Usage" and `hookbell usage` have the same figures of one server.
import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { runCommand } from "../../../../src/cli/command-line.ts";
import { systemClock, systemRandom } from "../../../../src/system/clock.ts";
import { addDays, utcDate } from "../../../../src/wings/platform/contract/dates.ts";
import type { UsageOnPage } from "../../../../src/wings/platform/page-tab/contract.ts";
import { addKey } from "../../../../src/wings/platform/server/keys.ts";
import { randomKey } from "../../../../src/system/crypto.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { startPage, type PageServer } from "../../../support/usage/page-server.ts";
import { writeTranscripts } from "../../../support/usage/transcript-home.ts";

const today = utcDate(Date.now());
const from = addDays(today, -13);
const tools = ["Bash", "Read", "mcp__github__list"];

/**
 * A session on each of the last 28 days that is no weekend: other models, tools and lengths each day. Returns how many
 * tools are called from the first asked day on.
 */
function writeWeeks(home: string): number {
  const days = Array.from({ length: 28 }, (_, ago) => addDays(today, -ago));
  const isWorked = (day: string): boolean => ![0, 6].includes(new Date(day).getUTCDay());
  const files = days.filter(isWorked).map((day, session): [string, object[]] => {
    const line = (index: number, type: string, message: object): object => ({
      type,
      sessionId: `s${session}`,
      uuid: `u${session}_${index}`,
      requestId: `req_${session}_${index}`,
      timestamp: `${day}T00:00:${String(index).padStart(2, "0")}.000Z`,
      message,
    });
    const lines = Array.from({ length: 4 + session }, (_, index) =>
      index % 3 === 0
        ? line(index, "user", { role: "user", content: "go on" })
        : line(index, "assistant", {
            id: `msg_${session}_${index}`,
            role: "assistant",
            model: ["claude-opus-4-6", "claude-haiku-4-5"][index % 2],
            content: [{ type: "tool_use", id: `t${session}_${index}`, name: tools[index % tools.length], input: {} }],
            usage: { input_tokens: 1_000_000 + index, output_tokens: 900, cache_read_input_tokens: 7 * session },
          }),
    );
    return [`.claude/projects/shop/s${session}.jsonl`, lines];
  });
  writeTranscripts(home, Object.fromEntries(files));
  const asked = days.filter((day) => isWorked(day) && day >= from);
  return asked.reduce((sum, _, session) => sum + Math.floor(((4 + session) * 2) / 3), 0);
}

async function command(server: PageServer, home: string, key: string, args: string[]): Promise<string> {
  const out: string[] = [];
  const env = { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: server.url, HOOKBELL_PLATFORM_KEY: key };
  const io = commandIo(home, { env, clock: systemClock, random: systemRandom, stdout: (text) => out.push(text) });
  await runCommand(["usage", ...args, "--from", from, "--to", "today"], io);
  return out.join("");
}

/** The cells of the line that begins with this word. */
function cellsOf(text: string, first: string): string[] {
  const line = text.split("\n").find((each) => each.startsWith(`${first} `)) ?? "";
  return line.slice(first.length).trim().split(/ {2,}/);
}

it("has the figures that the command has, of every endpoint, with and without groups", async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const calls = writeWeeks(home);
  const server = await startPage({ home, flags: ["backfill"] });
  const device = await server.pair();
  const { key } = await addKey(server.dataDir, { name: "ann", role: "Manager" }, systemClock, randomKey());
  const page = async (query: string): Promise<UsageOnPage> =>
    (await (await server.request(`/page/usage?from=${from}&${query}`, { device })).json()) as UsageOnPage;
  await expect.poll(async () => (await page("of=tools")).charts[0]?.total).toBe(String(calls));
  let compared = 0;
  for (const name of ["tokens", "tools", "activity", "productivity"]) {
    const [shown, said] = [await page(`of=${name}&grouped=false`), await command(server, home, key, [name])];
    for (const { label, total, change, meanOf, series } of shown.charts) {
      const cells = cellsOf(said, label);
      expect([label, ...cells]).toEqual(expect.arrayContaining([label, total, ...[change, meanOf].filter(Boolean)]));
      expect(cells[0]).toBe(total);
      expect(series[0]?.total).toBe(total);
      compared += 1;
    }
    for (const { items } of shown.lists) {
      for (const { name: item, value, share } of items) {
        expect(cellsOf(said, item).slice(0, share === "" ? 1 : 2)).toEqual(share === "" ? [value] : [value, share]);
        compared += 1;
      }
    }
  }
  for (const [name, group] of [
    ["tokens", "model"],
    ["tools", "tool_name"],
    ["activity", "client"],
  ] as const) {
    const shown = await page(`of=${name}&grouped=true`);
    const said = await command(server, home, key, [name, "--group-by", group]);
    for (const { series, total } of shown.charts.slice(0, 1)) {
      for (const each of series) expect(cellsOf(said, each.name)[0]).toBe(each.total);
      if (total !== "") expect(cellsOf(said, "Total")[0]).toBe(total);
      compared += series.length;
    }
  }
  const users = await page("of=users");
  const said = await command(server, home, key, ["users"]);
  for (const { label, total, series } of users.charts) {
    expect(cellsOf(said, label)[0]).toBe(total);
    for (const each of series) expect(cellsOf(said, each.name)).toContain(each.total);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(40);
  expect((await page("of=tools")).charts.find(({ label }) => label === "Autonomy")?.meanOf).toBe("10 of 14 days");
  const csv = await (await server.request(`/page/usage.csv?of=users&from=${from}`, { device })).text();
  expect(csv).toBe(await command(server, home, key, ["users", "--format", "csv"]));
});

it("opens on the figures of a person alone, also without --backfill, and says that they are theirs", async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const calls = writeWeeks(home);
  const server = await startPage({ home });
  const device = await server.pair();
  const page = async (of: string): Promise<UsageOnPage> =>
    (await (await server.request(`/page/usage?of=${of}&from=${from}`, { device })).json()) as UsageOnPage;
  await expect.poll(async () => (await page("tools")).charts[0]?.total).toBe(String(calls));
  const shown = await page("tokens");
  expect(shown).toMatchObject({ whose: "your own figures", notes: [expect.stringContaining("is not over yet")] });
  // Without a platform, the command reads the same transcripts by itself.
  const out: string[] = [];
  const io = commandIo(home, { clock: systemClock, stdout: (text) => out.push(text) });
  await runCommand(["usage", "tokens", "--from", from], io);
  expect(cellsOf(out.join(""), "Credits")[0]).toBe(shown.charts[0]?.total);
});
