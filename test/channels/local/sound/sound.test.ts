import { describe, expect, it } from "vitest";
import { levelLooks } from "../../../../src/channels/rendering/levels.ts";
import { sound, soundNames } from "../../../../src/channels/local/sound/sound.ts";
import { levels } from "../../../../src/model/level.ts";
import { everyRow } from "../../../support/rows.ts";

describe("settings", () => {
  it("are read, with what they leave out filled in", () =>
    everyRow(
      [
        [{}, { volume: 1 }],
        [
          { sound: "error", volume: 0.25 },
          { sound: "error", volume: 0.25 },
        ],
        [{ sound: "~/bell.wav" }, { sound: "~/bell.wav", volume: 1 }],
        [{ sound: "/srv/bell.ogg" }, { sound: "/srv/bell.ogg", volume: 1 }],
        [{ sound: "C:\\bell.wav" }, { sound: "C:\\bell.wav", volume: 1 }],
      ],
      ([given, parsed]) => {
        expect(sound.settings.parse(given)).toEqual(parsed);
      },
      (row) => JSON.stringify(row),
    ));

  it("say why they are refused", () =>
    everyRow(
      [
        [{ sound: "ding" }, "complete"],
        [{ sound: "bell.wav" }, "~/path"],
        [{ sound: "-v" }, "complete"],
        [{ volume: 2 }, "1"],
        [{ volume: "loud" }, "number"],
        [{ sounds: "x" }, "sounds"],
      ],
      ([given, told]) => {
        const parsed = sound.settings.safeParse(given);
        expect(parsed.error?.issues.map(({ message }) => message).join()).toContain(told);
      },
      (row) => JSON.stringify(row),
    ));
});

it.each(levels)("has one of its own sounds for the level %s", (level) => {
  expect(soundNames).toContain(levelLooks[level].sound);
});
