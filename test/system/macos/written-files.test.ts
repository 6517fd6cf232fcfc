// The files and quoted texts that hookbell writes for macOS: no text can leave the place that it is written to.
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { toastRequest } from "../../../src/system/desktop/toast.ts";
import { launchAgent } from "../../../src/wings/remote/start-at-login.ts";
import { everyRow } from "../../support/rows.ts";
import { launchdKeys, manuals, misunderstood } from "./manuals.ts";

/** What a stranger may put into a name or a message. */
const texts = [
  "plain",
  "two\nlines\r\nand\rmore",
  "\ttabs and trailing blanks  ",
  `'single' "double" \`back\` $(touch pwned) \${HOME} $HOME`,
  '"; }, { "Label" = "x"; ',
  'a = "b"; c = d;',
  "\\",
  '\\" \\\\ \\n \\U0041 \\101 \\',
  "</string><string>rm</string><key>Program</key>",
  "<![CDATA[ ]]> <!-- --> &amp; &#10; &lt; <?xml?>",
  "-execute touch -open x",
  "--help",
  "(a, b)",
  "{a = b;}",
  "<0a0b>",
  "/* a */ // b",
  "zo\u00EB zoe\u0308 東京 👩‍👩‍👧 \u202E\u2028\u2029\uFEFF",
  "=",
];

/** A property list of XML: https://www.apple.com/DTDs/PropertyList-1.0.dtd; throws at what is none. */
function parsePlist(text: string): unknown {
  const head = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist [^>]+>\n<plist version="1\.0">/.exec(text);
  if (head === null) throw new Error("no head of a property list");
  const tokens = [...text.slice(head[0].length).matchAll(/<(\/?)(\w+)(\/?)>|<\/plist>|([^<]+)/g)];
  const covered = tokens.reduce((sum, [all]) => sum + all.length, 0);
  if (covered !== text.length - head[0].length) throw new Error("something between the tags");
  let at = 0;
  // Between tags that hold others, blanks mean nothing.
  const skip = (): void => {
    while (tokens[at]?.[4] !== undefined && tokens[at]?.[4]?.trim() === "") at += 1;
  };
  const tag = (): string => {
    skip();
    const [all, , , , characters] = tokens[at++] ?? [];
    if (all === undefined || characters !== undefined)
      throw new Error(`expected a tag, got ${characters ?? "the end"}`);
    return all;
  };
  const characters = (end: string): string => {
    const raw = tokens[at]?.[4] === undefined ? "" : (tokens[at++]?.[4] ?? "");
    if (tokens[at++]?.[0] !== end) throw new Error(`expected ${end}`);
    return raw
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll(/&(?:(lt|gt|amp)|#(\d+));|&/g, (all, name: string | undefined, code: string | undefined) => {
        if (name === undefined && code === undefined) throw new Error("a bare ampersand");
        return code === undefined
          ? ({ lt: "<", gt: ">", amp: "&" }[name ?? ""] ?? all)
          : String.fromCodePoint(Number(code));
      });
  };
  const value = (opening: string): unknown => {
    if (opening === "<string>") return characters("</string>");
    if (opening === "<true/>") return true;
    if (opening === "<array>") {
      const list: unknown[] = [];
      for (let next = tag(); next !== "</array>"; next = tag()) list.push(value(next));
      return list;
    }
    if (opening !== "<dict>") throw new Error(`unknown: ${opening}`);
    const pairs: [string, unknown][] = [];
    for (let next = tag(); next !== "</dict>"; next = tag()) {
      if (next !== "<key>") throw new Error(`expected a key, got ${next}`);
      pairs.push([characters("</key>"), value(tag())]);
    }
    return Object.fromEntries(pairs);
  };
  const whole = value(tag());
  if (tag() !== "</plist>") throw new Error("more than one value");
  skip();
  if (at !== tokens.length) throw new Error("text after the end");
  return whole;
}

describe("the job for launchd", () => {
  it("has only keys that launchd knows, each with what belongs there", () => {
    const job = parsePlist(launchAgent(["/opt/node", "/opt/cli.js", "dispatch"], { PATH: "/usr/bin" }) ?? "");
    const kinds = Object.entries(job as object).map(([key, value]: [string, unknown]) => {
      const kind = Array.isArray(value) ? "array of strings" : typeof value;
      return [key, kind === "object" ? "dictionary of strings" : kind];
    });
    expect(Object.fromEntries(kinds)).toEqual(launchdKeys);
  });

  it("holds every path as it is", () =>
    everyRow(texts, (text) =>
      expect(parsePlist(launchAgent([text, "cli.js", text], { HOOKBELL_STATE_DIR: text }) ?? "")).toEqual({
        Label: "hookbell",
        ProgramArguments: [text, "cli.js", text],
        EnvironmentVariables: { HOOKBELL_STATE_DIR: text },
        RunAtLoad: true,
      }),
    ));

  it("is not written with what XML cannot hold", () =>
    everyRow(["a\u0000b", "\u001B[1m", "\uFFFE", "half \uD83D of a sign"], (text) => {
      expect(launchAgent([text], {})).toBeUndefined();
      expect(launchAgent(["node"], { PATH: text })).toBeUndefined();
    }));
});

const utils = createRequire(import.meta.url)("node-notifier/lib/utils.js") as {
  mapToMac(options: object): object;
  constructArgumentList(options: object): string[];
};

/**
 * A quoted string of an old property list, as macOS reads the values of options:
 * https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/PropertyLists/OldStylePlists/OldStylePLists.html
 */
function unquoted(word: string): string {
  const inner = /^"((?:[^"\\]|\\[^])*)"$/.exec(word)?.[1];
  if (inner === undefined) throw new Error(`the text ends before the word does: ${word}`);
  const named: Readonly<Record<string, string>> = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
  return inner.replaceAll(
    /\\(?:([0-7]{1,3})|U([\da-fA-F]{4})|([^]))/g,
    (_, octal?: string, hex?: string, sign = "") => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return hex === undefined ? (named[sign] ?? sign) : String.fromCodePoint(Number.parseInt(hex, 16));
    },
  );
}

/** terminal-notifier's words for this text. */
function toastWords(title: string, body: string): string[] {
  const toast = { title, body, group: "hookbell-1", click: { open: "https://example.org/?a=$(b)&c=`d`" } };
  const { notification } = toastRequest("NotificationCenter", toast, undefined) as { notification: object };
  return utils.constructArgumentList(utils.mapToMac({ ...notification }));
}

describe("a notification of macOS (posix)", () => {
  it("has only options of terminal-notifier, and never the one that runs a command", () =>
    everyRow(texts, (text) => {
      const words = toastWords(text, text);
      expect(misunderstood(manuals["terminal-notifier"], words)).toEqual([]);
      expect(words.filter((_, index) => index % 2 === 0)).toEqual(["-title", "-message", "-group", "-open", "-json"]);
    }));

  it("says the text, whatever it is", () =>
    everyRow(texts, (text) => {
      const words = toastWords(text, text);
      const [title = "", message = "", group, link] = words.filter((_, index) => index % 2 === 1).map(unquoted);
      // terminal-notifier takes a backslash at the start away. A line break has one form.
      const shown = [title, message].map((each) => each.replace(/^\\/, "").replace(/^\u200B/, ""));
      expect(shown).toEqual(Array.from({ length: 2 }, () => text.replaceAll("\r\n", "\n")));
      expect([group, link]).toEqual(["hookbell-1", "https://example.org/?a=$(b)&c=`d`"]);
    }));
});
