// The same settings and the same mistakes for each agent whose hooks lie in a JSON file, as people and other tools write them.
import { bytes, type AgentId } from "../install.ts";
import type { FoundFiles } from "./found-files.ts";

/** How one JSON value may be written. */
const layouts: Record<string, (value: unknown) => string> = {
  "two blanks": (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  "four blanks": (value) => `${JSON.stringify(value, undefined, 4)}\n`,
  tabs: (value) => `${JSON.stringify(value, undefined, "\t")}\n`,
  "no final newline": (value) => JSON.stringify(value, undefined, 2),
  "three final newlines": (value) => `${JSON.stringify(value, undefined, 2)}\n\n\n`,
  CRLF: (value) => `${JSON.stringify(value, undefined, 2)}\n`.replaceAll("\n", "\r\n"),
  minified: (value) => JSON.stringify(value),
};

interface JsonShape {
  agent: AgentId;
  file: string;
  layout: "grouped" | "flat";
  shape: "wrapped" | "bare";
  event: string;
  /** Another event, which is not ours. */
  foreign: string;
  version?: number;
  hasComments?: true;
  hasMark?: true;
}

export const jsonShapes: readonly JsonShape[] = [
  {
    agent: "cursor",
    file: "hooks.json",
    layout: "flat",
    shape: "wrapped",
    event: "stop",
    foreign: "afterFileEdit",
    version: 1,
  },
  {
    agent: "copilot-cli",
    file: "hooks/hookbell.json",
    layout: "flat",
    shape: "wrapped",
    event: "Stop",
    foreign: "preToolUse",
    version: 1,
  },
  {
    agent: "windsurf",
    file: "hooks.json",
    layout: "flat",
    shape: "wrapped",
    event: "post_cascade_response",
    foreign: "pre_run_command",
  },
  { agent: "kiro", file: "agents/dev.json", layout: "flat", shape: "wrapped", event: "stop", foreign: "agentSpawn" },
  {
    agent: "gemini-cli",
    file: "settings.json",
    layout: "grouped",
    shape: "wrapped",
    event: "AfterAgent",
    foreign: "BeforeTool",
    hasComments: true,
  },
  {
    agent: "qwen-code",
    file: "settings.json",
    layout: "grouped",
    shape: "wrapped",
    event: "Stop",
    foreign: "PreToolUse",
    hasComments: true,
  },
  { agent: "codex", file: "hooks.json", layout: "grouped", shape: "wrapped", event: "Stop", foreign: "PreToolUse" },
  {
    agent: "letta",
    file: "settings.json",
    layout: "grouped",
    shape: "wrapped",
    event: "Stop",
    foreign: "PreToolUse",
  },
  {
    agent: "goose",
    file: "hooks/hooks.json",
    layout: "grouped",
    shape: "wrapped",
    event: "Stop",
    foreign: "PreToolUse",
  },
  {
    agent: "claude-code",
    file: "settings.json",
    layout: "grouped",
    shape: "wrapped",
    event: "Stop",
    foreign: "PreToolUse",
    hasMark: true,
  },
  {
    agent: "droid",
    file: "hooks.json",
    layout: "grouped",
    shape: "bare",
    event: "Stop",
    foreign: "PreToolUse",
    hasComments: true,
  },
];

function jsonFiles(json: JsonShape): FoundFiles[] {
  const { agent, file, layout, shape, event, foreign, version, hasComments, hasMark } = json;
  const isCodex = agent === "codex";
  const entry = (command: string): unknown =>
    layout === "flat" ? { command } : { hooks: [{ type: "command", command }] };
  const whole = (events: Record<string, unknown>, others: Record<string, unknown> = {}): unknown => ({
    ...(version === undefined ? {} : { version }),
    ...others,
    ...(shape === "bare" ? events : { hooks: events }),
  });
  const others = isCodex
    ? { description: "mine" }
    : { zeta: [1, "two", null], "a b": { hooksX: { nested: [] } }, ключ: "🔔 é" };
  const contents: Record<string, unknown> = {
    "an event of others'": whole({ [event]: [entry("say done"), entry("log | tee x")] }),
    "another event": whole({ [foreign]: [entry("guard --strict 'a b'")] }),
    "other settings": whole({ [foreign]: [entry("a")], [event]: [entry("b")] }, others),
    "empty arrays": whole({ [event]: [], [foreign]: [] }),
    "no events": whole({}),
  };
  const of = (name: string, text: string | Uint8Array, more: Partial<FoundFiles> = {}): FoundFiles => ({
    name: `${agent}: ${name}`,
    agent,
    files: { [file]: typeof text === "string" ? bytes(text) : text },
    ...more,
  });
  const usual = JSON.stringify(contents["other settings"], undefined, 2);
  const inside = usual.replace("{\n", "{\n  // mine, with a comma\n  /* and } ] */\n");
  const broken: [name: string, text: string | Uint8Array, refused: RegExp][] = [
    ["cut short", usual.slice(0, -3), /not JSON/],
    ["a trailing comma", usual.replace(/\n\}$/, ",\n}"), /comma before the closing bracket|not JSON/],
    ["an array", "[]", /expected an object/],
    ["a string", '"hooks"', /expected an object/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /UTF-16/],
    ["Latin 1", new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe9, 0x22, 0x7d]), /not UTF-8/],
    ["an event that is an object", JSON.stringify(whole({ [event]: {} })), /must be an array/],
    ["an event twice", JSON.stringify(whole({ [event]: [] })).replace('":[]', `":[],"${event}":[]`), /is here twice/],
    ...(shape === "wrapped"
      ? ([
          [
            "hooks an array",
            JSON.stringify({ ...(version === undefined ? {} : { version }), hooks: [] }),
            /"hooks" must be an object/,
          ],
          ["hooks twice", '{"hooks":{},"hooks":{}}', /"hooks" is here twice/],
        ] as [string, string, RegExp][])
      : []),
    ...(version === undefined
      ? []
      : ([["another version", '{"version":2,"hooks":{}}', /"version" must be 1/]] as [string, string, RegExp][])),
    ...(isCodex
      ? ([["a member that Codex refuses", '{"$schema":"x","hooks":{}}', /may not be here/]] as [
          string,
          string,
          RegExp,
        ][])
      : []),
    ...(hasComments === true ? [] : ([["a comment", inside, /a comment/]] as [string, string, RegExp][])),
    ...(hasMark === true
      ? []
      : ([["a byte order mark", `\uFEFF${usual}`, /byte order mark/]] as [string, string, RegExp][])),
  ];
  return [
    ...Object.entries(contents).flatMap(([what, value]) =>
      Object.entries(layouts).map(([how, write]) => of(`${what}, ${how}`, write(value))),
    ),
    of(
      "numbers that JavaScript cannot hold",
      isCodex ? usual : usual.replace('"two"', "12345678901234567890, 1.0, 1e400"),
    ),
    of("no blanks after colons", usual.replaceAll('": ', '":')),
    ...(shape === "wrapped"
      ? [
          of("hooks null", JSON.stringify({ ...(version === undefined ? {} : { version }), hooks: null }), {
            isReversible: false,
          }),
        ]
      : []),
    of("blank lines", usual.replaceAll(",\n", ",\n\n"), { isReversible: false }),
    ...(agent === "kiro" ? [] : [of("empty", "", { isReversible: false })]),
    ...(hasComments === true ? [of("comments", inside), of("comments and CRLF", inside.replaceAll("\n", "\r\n"))] : []),
    ...(hasMark === true ? [of("a byte order mark", `\uFEFF${usual}`)] : []),
    ...broken.map(([name, text, refused]) => of(name, text, { refused })),
  ];
}

export const filesOfEveryShape: readonly FoundFiles[] = jsonShapes.flatMap(jsonFiles);
