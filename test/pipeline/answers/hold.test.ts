import { expect, it } from "vitest";
import { whyNotToWait } from "../../../src/pipeline/answers/plan-question.ts";
import { everyRow } from "../../support/rows.ts";

const claude = { kind: "permission", showsDialog: true } as const;
const codex = { kind: "permission", showsDialog: false } as const;
const prompt = { ...codex, kind: "prompt" } as const;
const settings = { allow: [], hold: "away", holdForMs: 300_000 } as const;
const asked = { asked: claude, payload: {}, settings, hasChannel: true, stops: 0 };
const always = { ...settings, hold: "always" } as const;
const onlyAway = "its hook waits only while you are away";
const two = { ...settings, nextPrompt: 2 };

it("waits or not, and says why", () =>
  everyRow(
    [
      ["away for two minutes", asked, { idleMs: 120_000 }, undefined],
      ["at the computer, where the terminal asks, too", asked, { idleMs: 0 }, undefined],
      ["at the computer, while the terminal is silent", { ...asked, asked: codex }, { idleMs: 5000 }, onlyAway],
      ["behind a locked screen", { ...asked, asked: codex }, { idleMs: 5000, isLocked: true }, undefined],
      ["unknown, while the terminal asks, too", asked, {}, undefined],
      [
        "unknown, while the terminal is silent",
        { ...asked, asked: codex },
        {},
        "hookbell cannot tell whether you are away, and its hook waits only then",
      ],
      ["at the computer, always", { ...asked, settings: always }, { idleMs: 0 }, undefined],
      [
        "at the computer, always, but the terminal is silent",
        { ...asked, asked: codex, settings: always },
        { idleMs: 0 },
        onlyAway,
      ],
      ["never", { ...asked, settings: { ...settings, hold: "never" as const } }, {}, '"answers.hold" is "never"'],
      ["not set", { ...asked, settings: undefined }, {}, '"answers" is not switched on'],
      ["without a channel", { ...asked, hasChannel: false }, {}, 'no channel has "answers": true'],
      [
        "in bypassPermissions",
        { ...asked, payload: { permission_mode: "bypassPermissions" } },
        {},
        "the agent needs no permission in this mode",
      ],
      ["shortened", { ...asked, isShortened: true as const }, {}, "the payload is too long to be shown whole"],
      [
        "a subagent's question",
        { ...asked, payload: { agent_id: "a1" } },
        {},
        "a subagent asks, and its terminal would show nothing meanwhile",
      ],
      [
        "the end of a turn, unless it is allowed",
        { ...asked, asked: prompt },
        { idleMs: 120_000 },
        '"answers.nextPrompt" is not set',
      ],
      [
        "the end of a turn, while away",
        { ...asked, asked: prompt, settings: two, stops: 1 },
        { idleMs: 120_000 },
        undefined,
      ],
      ["the end of a turn, at the computer", { ...asked, asked: prompt, settings: two }, { idleMs: 0 }, onlyAway],
      [
        "the third in a row of two",
        { ...asked, asked: prompt, settings: two, stops: 2 },
        { idleMs: 120_000 },
        "the limit of prompts in a row is reached",
      ],
      ["where the agent takes no answer", { ...asked, asked: undefined }, {}, "this agent takes no answer here"],
    ],
    async ([_what, given, presence, why]) => {
      expect(await whyNotToWait(given, () => Promise.resolve(presence))).toBe(why);
    },
  ));
