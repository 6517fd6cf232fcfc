// Which mutes are one, which of several counts, and what a message that waits says of its mute.
import { expect, it } from "vitest";
import { isSameMute, muteOf, mutePolicy } from "../../src/policies/mute.ts";
import { eventOf, hour, messageOf, minute, noon, question } from "./messages.ts";

it("two mutes are one only if both their scope and their name are the same", () => {
  const mute = { scope: "project", name: "shop-web" } as const;
  expect(isSameMute(mute, { ...mute })).toBe(true);
  expect(isSameMute(mute, { scope: "agent", name: "shop-web" })).toBe(false);
  expect(isSameMute(mute, { scope: "project", name: "shop" })).toBe(false);
  expect(isSameMute(mute, { scope: "agent", name: "claude-code" })).toBe(false);
});

it("of several mutes, the one that lasts longest counts, and one without an end before all others", () => {
  const short = { scope: "all", name: "", until: noon + minute } as const;
  const long = { scope: "project", name: "shop-web", until: noon + hour } as const;
  const endless = { scope: "channel", name: "phone" } as const;
  const event = eventOf("Stop");
  expect(muteOf([long, short], event, "phone", noon)).toBe(long);
  expect(muteOf([short, long], event, "phone", noon)).toBe(long);
  expect(muteOf([endless, long, short], event, "phone", noon)).toBe(endless);
  expect(muteOf([{ ...long, until: noon }], event, "phone", noon)).toBeUndefined();
});

it("on Windows, the name of a project is muted however its folder is spelled", () => {
  const mute = { scope: "project", name: "Shop-Web" } as const;
  const event = eventOf("Stop");
  expect(muteOf([mute], { ...event, project: "shop-web", cwd: String.raw`C:\code\shop-web` }, "phone", noon)).toBe(
    mute,
  );
  expect(muteOf([mute], { ...event, project: "shop-web", cwd: "/code/shop-web" }, "phone", noon)).toBeUndefined();
});

it("only a mute without an end says how it is ended", () => {
  const whyOf = (until: number | undefined): string =>
    mutePolicy(messageOf(question), [{ scope: "all", name: "", until }], noon)?.why ?? "";
  expect(whyOf(undefined)).toBe("muted: everything, until: hookbell unmute");
  expect(whyOf(noon + hour)).toMatch(/^muted: everything until \d\d:\d\d$/);
});
