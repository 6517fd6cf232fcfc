// A level looks and sounds the same everywhere: one table, and no channel type with an opinion of its own.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { levelLooks } from "../../src/channels/levels.ts";
import { channelTypes } from "../../src/channels/all.ts";
import { levels, type Level } from "../../src/model/level.ts";
import { systemClock } from "../../src/system/clock.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { localRequest, localTools } from "../support/channels/channel-request.ts";
import { httpSamples } from "./channel-samples.ts";

const folder = new URL("../../src/channels/", import.meta.url);

describe("the table of levels", () => {
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && path !== "levels.ts",
  );
  // `info` and `error` are words of other things, too.
  const levelNamed = /Record<Level|\b(success|attention): |[!=]== "attention"|level [!=]== "/;

  it.each(others)("is the only one: none in %s", (name) => {
    const source = readFileSync(new URL(name, folder), "utf8");
    expect(source.split("\n").filter((line) => levelNamed.test(line))).toEqual([]);
  });

  it("tells the levels apart by word, sign and colour", () => {
    for (const column of ["word", "mark", "colour", "textColour", "teamsColour", "feishuTemplate"] as const) {
      expect(new Set(levels.map((level) => levelLooks[level][column])).size, column).toBe(levels.length);
    }
  });

  it("is never less urgent for a level that matters more", () => {
    const urgencies = ["low", "normal", "critical"];
    const bark = ["passive", "active", "timeSensitive"];
    const rows = levels.map((level) => levelLooks[level]);
    const ranks = rows.map((look) => [
      urgencies.indexOf(look.urgency),
      look.ntfy.priority,
      look.pushoverPriority,
      look.gotifyPriority,
      bark.indexOf(look.barkLevel),
      Number(look.isImportant),
      -Number(look.isQuiet),
    ]);
    for (const [index, rank] of ranks.slice(1).entries()) {
      rank.forEach((value, column) => expect(value).toBeGreaterThanOrEqual(ranks[index]?.[column] ?? Number.NaN));
    }
  });

  it("has colours of six digits", () => {
    for (const level of levels) {
      expect([levelLooks[level].colour, levelLooks[level].textColour].join()).toMatch(/^#[0-9A-F]{6},#[0-9A-F]{6}$/);
    }
  });
});

describe.each(Object.entries(httpSamples))("the HTTP channel %s", (type, sample) => {
  async function bodyAt(level: Level): Promise<string> {
    const channel = channelTypes.find((candidate) => candidate.type === type);
    const sent: string[] = [];
    const settings = await resolveSecrets(
      channel?.settings.parse(sample.settings("https://receiver.example")),
      {},
      "/nowhere",
    );
    const tools = localTools({}, "/nowhere", {
      // Some sign the time.
      clock: { ...systemClock, now: () => Date.UTC(2026, 10, 21) },
      http: ({ body = "" }) => {
        sent.push(body);
        return Promise.resolve({ status: 200, headers: {}, body: sample.okBody });
      },
    });
    await channel?.send(localRequest({ level }, settings), tools);
    return sent.join("\n");
  }

  it("says how much a message matters", async () => {
    const bodies = await Promise.all(levels.map(bodyAt));
    expect(bodies.every((body) => body.length > 0)).toBe(true);
    expect(bodies[0]).not.toBe(bodies[3]);
    expect(bodies[0]).not.toBe(bodies[2]);
  });
});
