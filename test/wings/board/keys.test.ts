// What the keys do: moving, answering only what was seen, replying in words.
import { describe, expect, it } from "vitest";
import { firstUi, keysFor, keyTable, pressed, selectedIn, type Act, type Ui } from "../../../src/wings/board/keys.ts";
import type { BoardRow } from "../../../src/overview/board.ts";
import { asking, keyOf, rowsOf, working } from "./sample.ts";

const rows = rowsOf(asking("a", "npm test"), asking("b", "make"), working("c"));
const seen = "evt_a";

/** One key after the other; the last act, and the view at the end. */
function press(
  names: string[],
  { whole = seen, all = rows as BoardRow[], from = firstUi } = {},
): { ui: Ui; act?: Act } {
  let last: { ui: Ui; act?: Act } = { ui: from };
  for (const name of names) last = pressed(keyOf(name), last.ui, all, whole);
  return last;
}

const at = (names: string[]): string | undefined => selectedIn(rows, press(names).ui)?.record.session;

describe("a key", () => {
  it("moves: arrows, hjkl, g, G, and n to the next that needs the person", () => {
    expect([
      at([]),
      at(["down"]),
      at(["j", "j"]),
      at(["j", "j", "j"]),
      at(["G", "k"]),
      at(["G", "g"]),
      at(["end", "home"]),
    ]).toEqual(["a", "b", "c", "c", "b", "a", "a"]);
    expect([at(["n"]), at(["n", "n"]), at(["G", "n"])]).toEqual(["b", "a", "a"]);
  });

  it("stays with its session where the list changes", () => {
    const { ui } = press(["j"]);
    expect(selectedIn(rowsOf(asking("z", "x"), asking("b", "make")), ui)?.record.session).toBe("b");
    expect(selectedIn(rowsOf(working("c")), ui)?.record.session).toBe("c");
    expect(selectedIn([], ui)).toBeUndefined();
  });

  it.each([
    ["return", "go"],
    ["right", "go"],
    ["l", "go"],
    ["m", "mute"],
    ["o", "page"],
    ["q", "quit"],
  ])("%s: %s", (name, kind) => {
    expect(press([name]).act).toEqual({ kind });
  });

  it("escape leaves a view, never the board", () => {
    expect(press(["r", "escape", "escape"]).act).toBeUndefined();
    expect(keyTable.map(([key]) => key)).toContain("esc");
  });

  it("ctrl-c quits and ctrl-z stops, also while replying", () => {
    const { ui } = press(["r"]);
    expect(pressed(keyOf("c", { isCtrl: true }), ui, rows, undefined).act).toEqual({ kind: "quit" });
    expect(pressed(keyOf("z", { isCtrl: true }), firstUi, rows, undefined).act).toEqual({ kind: "suspend" });
  });
});

describe("an answer", () => {
  it("allows only the question that is wholly on the screen", () => {
    expect(press(["a"]).act).toEqual({ kind: "answer", event: seen, choice: "allow" });
    for (const whole of ["", "evt_b"]) {
      expect(press(["a"], { whole })).toMatchObject({
        ui: { says: expect.stringContaining("read all of the question") },
      });
      expect(press(["a"], { whole }).act).toBeUndefined();
    }
    expect(press(["j", "a"]).act).toBeUndefined();
  });

  it("denies without that", () => {
    expect(press(["d"], { whole: "" }).act).toEqual({ kind: "answer", event: seen, choice: "deny" });
  });

  it("is refused where the list does not have it, no hook waits, or nothing is asked", () => {
    const all = rowsOf(asking("a", "npm test", { isAllowable: false }));
    expect(press(["a"], { all })).toMatchObject({ ui: { says: expect.stringContaining("does not list it") } });
    expect(keysFor(all[0], firstUi).map(({ key }) => key)).not.toContain("a");
    const elsewhere = rowsOf(asking("a", "npm test", {}, false));
    expect(press(["a"], { all: elsewhere })).toMatchObject({
      ui: { says: expect.stringContaining("which hookbell does not know") },
    });
    expect(press(["a"], { all: rowsOf(working("a")) })).toMatchObject({ ui: { says: "This session asks nothing." } });
  });

  it("is never in what is pasted", () => {
    expect(pressed(keyOf("a", { isPasted: true }), firstUi, rows, seen)).toEqual({ ui: firstUi });
  });

  it("in words is typed, pasted, corrected and sent; it is for the question that was on the screen then", () => {
    const typed = press(["r", "n", "o", "x", "backspace", "t"]);
    expect(typed.ui.mode).toEqual({ kind: "reply", event: seen, text: "not" });
    const pasted = pressed(keyOf("漢", { isPasted: true }), typed.ui, rows, seen).ui;
    const others = rowsOf(asking("b", "make"), working("a"));
    expect(press(["return"], { from: pasted, all: others }).act).toEqual({
      kind: "answer",
      event: seen,
      choice: "reply",
      message: "not漢",
    });
    expect(press(["escape"], { from: pasted })).toMatchObject({ ui: { mode: { kind: "list" } } });
    expect(press(["return"], { from: press(["r"]).ui }).act).toBeUndefined();
    expect(pressed(keyOf("return", { isPasted: true }), pasted, rows, seen).ui.mode).toMatchObject({ text: "not漢\n" });
  });

  it("starts with the number of an option", () => {
    const all = rowsOf(asking("a", "", { kind: "question", text: "Which?" }));
    expect(press(["2"], { all }).ui.mode).toMatchObject({ kind: "reply", text: "2" });
    expect(press(["2"])).toMatchObject({ ui: { says: "It has no options." } });
  });
});

it("Space shows all about the session, and scrolls", () => {
  const whole = press(["j", "space"]);
  expect(whole.ui.mode).toEqual({ kind: "whole", from: 0 });
  expect(press(["down", "pagedown", "up"], { from: whole.ui }).ui.mode).toEqual({ kind: "whole", from: 10 });
  const back = press(["space"], { from: whole.ui });
  expect(back.ui.mode).toEqual({ kind: "list" });
  expect(selectedIn(rows, back.ui)?.record.session).toBe("b");
});
