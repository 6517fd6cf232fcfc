// The registry has every channel type, and each type says all that lists, schemas and the dispatcher need.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { channelTypeNames, loadChannelType, loadChannelTypes } from "../../../src/channels/index.ts";
import { isHttp, sampledTypes, samples } from "../../support/channels/channel-samples.ts";
import { everyRow } from "../../support/rows.ts";

const sources = new URL("../../../src/channels/", import.meta.url);
const hour = 60 * 60 * 1000;
const filesIn = (folder: URL): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" });

describe("the registry", () => {
  it("has every type whose file defines one, by the name of its folder and file", () => {
    const definers = ["channel-type.ts", "http-channel.ts"];
    const defining = filesIn(sources)
      .filter((path) => path.endsWith(".ts") && !definers.includes(path) && !path.startsWith("_template"))
      .filter((path) => /\bdefine(Http)?Channel\b\s*[<(]/.test(readFileSync(new URL(path, sources), "utf8")));
    const unregistered = defining.filter((path) => !channelTypeNames.includes(basename(path, ".ts")));
    expect(unregistered, "files without an entry in src/channels/index.ts").toEqual([]);
    const elsewhere = defining.filter((path) => basename(dirname(path)) !== basename(path, ".ts"));
    expect(elsewhere, "files that are not in a folder of their own name").toEqual([]);
    expect(defining).toHaveLength(channelTypeNames.length);
  });

  it("has a sample of every type, under the kind that it is, and none of a type that is gone", () => {
    const unregistered = Object.keys(samples).filter((type) => !["_template", ...channelTypeNames].includes(type));
    expect(unregistered, "samples in test/channels/ of types that src/channels/index.ts does not have").toEqual([]);
    for (const { type, channel, sample } of sampledTypes) {
      expect("allowHttp" in settingsSchema(channel.settings).properties, type).toBe(isHttp(sample));
    }
  });

  it("knows of every type for a phone that it rings one", async () => {
    const phones = readdirSync(new URL("phone/", sources));
    const unasked = (await loadChannelTypes(phones)).filter(({ ringsPhone }) => ringsPhone !== true);
    expect(
      unasked.map(({ type }) => type),
      "types without `ringsPhone: true`",
    ).toEqual([]);
  });

  it("refuses a name that is not registered, such as one of every object's", async () => {
    await expect(loadChannelType("toString")).rejects.toThrow("no channel type");
    await expect(loadChannelType("carrier-pigeon")).rejects.toThrow("no channel type");
  });
});

function settingsSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: "input" }) as { properties: object; type: string; additionalProperties: unknown };
}

describe("every channel type", () => {
  const everyType = (check: (row: (typeof sampledTypes)[number]) => void): Promise<void> =>
    everyRow(sampledTypes, check, ({ type }) => type);

  it("says what it is and where its vendor's page is", () =>
    everyType(({ type, channel }) => {
      expect(type).toMatch(/^_?[a-z][a-z0-9-]*$/);
      expect(channel.summary).toMatch(/^\S[^\n]{10,100}[^.\s]$/);
      expect(channel.docs).toMatch(/^https:\/\//);
      for (const each of channel.noticing?.otherwise ?? []) expect(each).toMatch(/^[a-z].*[^.]$/);
    }));

  it("has limits with unit and source", () =>
    everyType(({ channel }) => {
      expect(channel.limits.length).toBeGreaterThan(0);
      for (const limit of channel.limits) {
        expect(limit.what, JSON.stringify(limit)).not.toBe("");
        expect(limit.most, limit.what).toBeGreaterThan(0);
        expect(["utf16", "codePoints", "bytes", "items", "milliseconds"]).toContain(limit.unit);
        expect(limit.source, limit.what).toMatch(/^(https:\/\/\S+|ours)$/);
      }
    }));

  it("expires, and gives up an attempt long before that", () =>
    everyType(({ channel }) => {
      expect(channel.expiresAfterMs).toBeLessThanOrEqual(48 * hour);
      expect(channel.timeoutMs).toBeGreaterThan(0);
      expect(channel.timeoutMs).toBeLessThanOrEqual(Math.min(channel.expiresAfterMs, hour / 6));
    }));

  it("has settings that describe themselves and refuse what they do not know", () =>
    everyType(({ channel, sample }) => {
      expect(settingsSchema(channel.settings)).toMatchObject({ type: "object", additionalProperties: false });
      const settings = sample.settings("https://receiver.example");
      expect(channel.settings.safeParse(settings).error).toBeUndefined();
      expect(channel.settings.safeParse({ ...settings, noSuchSetting: 1 }).success).toBe(false);
    }));
});
