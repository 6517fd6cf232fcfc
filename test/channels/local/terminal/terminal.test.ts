import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxBody,
  maxTitle,
  toOneSequence,
  toSequences,
  wrapped,
} from "../../../../src/channels/local/terminal/message.ts";
import { mannerOf, terminalStyles, type TerminalManner } from "../../../../src/channels/local/terminal/style.ts";
import type { Message } from "../../../../src/model/message.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { anyText } from "../../../support/random/any-text.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const message = (more: Partial<Message> = {}): Message => ({
  title: "shop: done",
  body: "All tests pass.",
  level: "success",
  fields: [],
  ...more,
});
const shown = (style: (typeof terminalStyles)[number], more: Partial<Message> = {}): string =>
  toSequences(message(more), "Stop", style, "msg_1").join("");
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

describe("mannerOf", () => {
  it("knows each terminal by its environment", () =>
    everyRow<[Record<string, string>, TerminalManner["style"], Partial<TerminalManner>?]>(
      [
        [{ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "osc99"],
        [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "osc99"],
        [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "osc777"],
        [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "osc777"],
        [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "osc9"],
        [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, "osc9"],
        [{ TERM: "xterm-256color", TERM_PROGRAM: "WarpTerminal" }, "osc777"],
        [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "bel"],
        [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode", VTE_VERSION: "7000" }, "bel"],
        [{ TERM: "xterm-256color", WT_SESSION: "x" }, "bel"],
        [{ TERM: "xterm-256color", KONSOLE_VERSION: "230800" }, "osc777"],
        [{ TERM: "foot-extra" }, "osc777"],
        [{ TERM: "rxvt-unicode-256color" }, "osc777"],
        [{ TERM: "alacritty" }, "bel"],
        [{ TERM: "linux" }, "bel"],
        [{ TERM: "dumb" }, "bel"],
        [{ TERM: "xterm-256color", VTE_VERSION: "7000" }, "osc777", { isUncertain: true }],
        [{}, "osc777", { isUncertain: true }],
        [{ TERM_PROGRAM: "toString" }, "osc777", { isUncertain: true }],
        [
          { TERM: "tmux-256color", TERM_PROGRAM: "tmux", TMUX: "/tmp/t,1,0" },
          "osc777",
          { inside: "tmux", isUncertain: true },
        ],
        [
          { TERM: "tmux-256color", TERM_PROGRAM: "tmux", TMUX: "/tmp/t,1,0", LC_TERMINAL: "iTerm2" },
          "osc9",
          { inside: "tmux", isUncertain: true },
        ],
        [{ TERM: "screen.xterm-256color", STY: "1.pts-0" }, "osc777", { inside: "screen", isUncertain: true }],
        [{ TERM: "xterm-kitty", ZELLIJ: "0" }, "bel"],
      ],
      ([env, style, more = {}]) => {
        expect(mannerOf(env)).toEqual({ style, inside: undefined, isUncertain: false, ...more });
      },
      (row) => JSON.stringify(row),
    ));
});

describe("toSequences", () => {
  it.each([
    ["osc9", "\u001B]9;shop: done: All tests pass.\u0007"],
    ["osc777", "\u001B]777;notify;shop: done;All tests pass.\u0007"],
    [
      "osc99",
      `\u001B]99;i=msg_1:p=title:u=1:f=${base64("hookbell")}:n=${base64("info")}:d=0:e=1;${base64("shop: done")}\u001B\\` +
        `\u001B]99;i=msg_1:p=body:e=1;${base64("All tests pass.")}\u001B\\`,
    ],
    ["bel", "\u0007"],
  ] as const)("says it in %s", (style, expected) => {
    expect(shown(style)).toBe(expected);
  });

  it("makes no command for ConEmu of a text that begins with a number", () => {
    expect(shown("osc9", { title: "4;1;50", body: "" })).toBe("\u001B]9; 4;1;50\u0007");
    expect(shown("osc9", { title: "12", body: "" })).toBe("\u001B]9; 12\u0007");
  });

  it("makes no third part of a semicolon", () => {
    expect(shown("osc777", { title: "a;b", body: "c;d" })).toBe("\u001B]777;notify;a,b;c,d\u0007");
  });

  it("rings louder the more it matters, for kitty", () => {
    const urgencies = levels.map((level) => /:u=(\d)/.exec(shown("osc99", { level }))?.[1]);
    expect(urgencies).toEqual(["0", "1", "1", "2"]);
  });

  it("needs one sequence only where there is no body, and where no more is passed on", () => {
    expect(toSequences(message({ body: " \n" }), "Stop", "osc99", "a")).toHaveLength(1);
    const one = toOneSequence(message(), "Stop", "osc99", "a");
    expect(one.match(/\u001B\]/g)).toHaveLength(1);
    expect(one).toContain(base64("shop: done: All tests pass."));
    expect(one).not.toContain("d=0");
  });

  it.each([
    ["title", maxTitle],
    ["body", maxBody],
  ] as const)("cuts the %s after %i code points", (part, most) => {
    for (const sign of ["x", "😀"]) {
      expect(shown("osc9", { [part]: sign.repeat(most) })).toContain(sign.repeat(most));
      const cut = shown("osc9", { [part]: sign.repeat(most + 1) });
      expect(cut).toContain("…");
      expect(cut.replace("…", "")).toContain(sign.repeat(most - 1));
      expect(cut.replace("…", "")).not.toContain(sign.repeat(most));
    }
  });
});

/** Every sequence of the allow-list that Claude Code documents: numbers, and an end. */
const sound = /^(?:\u001B\](?:9|99|777);[^\u0000-\u001F\u007F-\u009F]*(?:\u0007|\u001B\\)|\u0007)*$/;

describe("a stranger's text", () => {
  const wild = fc.oneof(anyText(400), fc.constantFrom(...adversarialTexts));

  it("never ends a sequence, or begins one", () => {
    fc.assert(
      fc.property(wild, wild, fc.constantFrom(...terminalStyles), (title, body, style) => {
        const text = shown(style, { title, body });
        expect(text).toMatch(sound);
        expect(toOneSequence(message({ title, body }), "Stop", style, "a")).toMatch(sound);
        expect(text.match(/\u001B\]/g)?.length ?? 0).toBeLessThanOrEqual(2);
        expect(text.isWellFormed()).toBe(true);
        // Kitty takes so much at once.
        for (const payload of text.matchAll(/;([A-Za-z0-9+/=]*)\u001B/g)) {
          expect(payload[1]?.length).toBeLessThanOrEqual(4096);
          if (style === "osc99") expect(Buffer.from(payload[1] ?? "", "base64").length).toBeLessThanOrEqual(2048);
        }
        if (style === "osc9") expect(text).not.toMatch(/\]9;\d/);
        if (style === "osc777") expect(text.match(/;/g)).toHaveLength(3);
      }),
      { numRuns: slowRuns(300) },
    );
  });

  it("gets through tmux as it is, with no end before the wrapping's own", () => {
    fc.assert(
      fc.property(wild, fc.constantFrom(...terminalStyles), (title, style) => {
        const plain = shown(style, { title });
        const [, inner = ""] = /^\u001BPtmux;([\s\S]*)\u001B\\$/.exec(wrapped(plain, "tmux")) ?? [];
        expect(inner.replaceAll("\u001B\u001B", "\u001B")).toBe(plain);
        expect(inner.replaceAll("\u001B\u001B", "")).not.toContain("\u001B");
      }),
      { numRuns: slowRuns(100) },
    );
  });

  it("gets through screen in pieces that it takes, with nothing of which it would make an escape", () => {
    fc.assert(
      fc.property(wild, fc.constantFrom(...terminalStyles), (body, style) => {
        const text = wrapped(shown(style, { body }), "screen");
        const pieces = [...text.matchAll(/\u001BP([\s\S]*?)\u001B\\/g)];
        expect(pieces.map(([whole]) => whole).join("")).toBe(text);
        for (const [, piece = ""] of pieces) expect(Buffer.byteLength(piece, "utf8")).toBeLessThanOrEqual(700);
        expect(pieces.map(([, piece]) => piece).join("")).toMatch(sound);
        expect(text).not.toMatch(/[^\0-\u00FF]/u);
      }),
      { numRuns: slowRuns(100) },
    );
    // Of a Cyrillic letter it would make an escape character, of an emoji the end of the string.
    expect(wrapped(shown("osc9", { title: "Л ć 😀 – …", body: "" }), "screen")).toBe(
      "\u001BP\u001B]9;? ? ? - ...\u0007\u001B\\",
    );
  });
});
