import { expect, it } from "vitest";
import { whyNotToWait } from "../../../src/dispatch/answers/hold.ts";

const claude = { answersPermission: { showsDialog: true, takesSuggestion: true } };
const codex = { answersPermission: { showsDialog: false, takesSuggestion: false } };
const settings = { allow: [], hold: "away", holdForMs: 300_000 } as const;
const asked = { agent: claude, eventName: "PermissionRequest", payload: {}, settings, hasChannel: true };
const always = { ...settings, hold: "always" } as const;

it.each([
  ["away for two minutes", asked, { idleMs: 120_000 }, undefined],
  ["at the computer", asked, { idleMs: 5000 }, "you are at the computer"],
  ["behind a locked screen", asked, { idleMs: 5000, isLocked: true }, undefined],
  ["unknown, while the terminal asks, too", asked, {}, undefined],
  ["unknown, while the terminal is silent", { ...asked, agent: codex }, {}, "nothing shows whether you are away"],
  ["at the computer, always", { ...asked, settings: always }, { idleMs: 0 }, undefined],
  [
    "at the computer, always, but the terminal is silent",
    { ...asked, agent: codex, settings: always },
    { idleMs: 0 },
    "you are at the computer",
  ],
  ["never", { ...asked, settings: { ...settings, hold: "never" as const } }, {}, '"answers" is not switched on'],
  ["not set", { ...asked, settings: undefined }, {}, '"answers" is not switched on'],
  ["without a channel", { ...asked, hasChannel: false }, {}, 'no channel has "answers": true'],
  [
    "in bypassPermissions",
    { ...asked, payload: { permission_mode: "bypassPermissions" } },
    {},
    "the agent needs no permission in this mode",
  ],
  ["a helper's question", { ...asked, payload: { agent_id: "a1" } }, {}, "a helper's question"],
  ["another agent", { ...asked, agent: {} }, {}, "this agent takes no answer here"],
  ["another event", { ...asked, eventName: "Notification" }, {}, "this agent takes no answer here"],
])("waits or not: %s", async (_what, given, presence, why) => {
  expect(await whyNotToWait(given, () => Promise.resolve(presence))).toBe(why);
});
