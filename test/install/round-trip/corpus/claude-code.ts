// Claude Code's settings as people leave them.
import { bytes, ownCommand, usualEvents } from "../install.ts";
import { all, group, lines, type FoundFiles } from "./found-files.ts";

const claude = (name: string, text: string | Uint8Array, more: Partial<FoundFiles> = {}): FoundFiles => ({
  name: `claude: ${name}`,
  agent: "claude-code",
  files: { "settings.json": typeof text === "string" ? bytes(text) : text },
  into: "settings.json",
  ...more,
});

const claudeEvents = usualEvents("claude-code");

const pretty = (indent: string | number, eol = "\n", end = "\n"): string =>
  JSON.stringify(
    {
      model: "opus",
      permissions: { allow: ["Bash(ls:*)"], deny: [] },
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "guard" }] }],
        Stop: [{ hooks: [{ type: "command", command: "say done" }] }],
      },
      env: { A: "1" },
    },
    undefined,
    indent,
  ).replaceAll("\n", eol) + end;

const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]);
const latin1 = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe9, 0x22, 0x7d]);

export const claudeCodeFiles: readonly FoundFiles[] = [
  { name: "claude: no file", agent: "claude-code", files: {}, into: "settings.json" },
  claude("empty", "", { isReversible: false }),
  claude("white space", " \n\n", { isReversible: false }),
  claude("{}", "{}"),
  claude("{} with a newline", "{}\n"),
  claude("braces on two lines", "{\n}\n", { isReversible: false }),
  claude("two blanks", pretty(2)),
  claude("four blanks", pretty(4)),
  claude("tabs", pretty("\t")),
  claude("one blank", pretty(1)),
  claude("no final newline", pretty(2, "\n", "")),
  claude("many final newlines", pretty(2, "\n", "\n\n\n")),
  claude("CRLF", pretty(2, "\r\n", "\r\n")),
  claude("old Mac line ends", pretty(2, "\r", "\r")),
  claude(
    "minified",
    JSON.stringify({ model: "x", hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }] }] }, z: [1, 2] }),
  ),
  claude("minified without hooks", '{"model":"x"}'),
  claude(
    "one spaced line",
    '{ "model": "x", "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "a" } ] } ] } }\n',
  ),
  claude("byte order mark", `\uFEFF${pretty(2)}`),
  claude("byte order mark and CRLF", `\uFEFF${pretty(2, "\r\n", "\r\n")}`),
  claude("not indented at all", lines("{", '"a": 1,', '"b": 2', "}")),
  claude(
    "unusual blanks and blank lines",
    lines("{", "", '   "a" :1 ,', "", '   "hooks"   :   { "Stop":[', "   ] },", '   "b":   [1,', "2]", "", "}", ""),
    { isReversible: false },
  ),
  claude("hooks null", '{"hooks": null}', { isReversible: false }),
  claude("empty hooks", lines("{", '  "hooks": {},', '  "model": "x"', "}")),
  claude("empty event", lines("{", '  "hooks": {', '    "Stop": []', "  }", "}")),
  claude("hooks last on one line", lines("{", '  "model": "x",', '  "hooks": { "Stop": [] }', "}")),
  claude(
    "several hooks of others around",
    lines(
      "{",
      '  "hooks": {',
      '    "Stop": [',
      '      { "hooks": [{ "type": "command", "command": "one" }, { "type": "command", "command": "two" }] },',
      '      { "matcher": "", "hooks": [{ "type": "http", "url": "https://example.org" }] }',
      "    ],",
      '    "Notification": [{ "matcher": "idle_prompt", "hooks": [] }]',
      "  }",
      "}",
    ),
  ),
  claude("unknown events and keys", '{"hooks":{"Bogus":[],"TeammateIdle":[{"hooks":[],"x":1}]},"zzz":{"hooks":[1]}}'),
  claude(
    "unicode",
    lines("{", '  "statusLine": "日本語 🔔 \\u00e9 \\ud83d\\ude00",', '  "ключ": ["ß", "\\u2028"]', "}"),
  ),
  claude("numbers that JavaScript cannot hold", '{"a": 12345678901234567890, "b": 1.0, "c": 1e400, "d": -0}'),
  claude("repeated keys elsewhere", '{"a": 1, "a": 2, "b": {"c": 1, "c": 2}}'),
  claude("keys that look like others", '{"__proto__": {"hooks": 1}, "constructor": 2, "hooks ": [], "": 0}'),
  claude("hooks written with an escape", '{"\\u0068ooks": {"Stop": []}}'),
  claude("deep nesting", `{"deep": ${"[".repeat(500)}${"]".repeat(500)}, "x": 1}`),
  claude("brackets and braces in strings", lines("{", '  "a": "}]{[, // no comment /* */",', '  "b": "\\"}"', "}")),
  claude("installed already", `{"hooks":{${all(claudeEvents, ownCommand("claude-code"))}}}`, { hasHooks: true }),
  claude(
    "installed with a longer timeout of the person's",
    `{"hooks":{${all(claudeEvents, ownCommand("claude-code")).replace('"timeout":10', '"timeout":30')}}}`,
    { hasHooks: true },
  ),
  claude(
    "installed by an older installation",
    `{"hooks":{${all(claudeEvents, "/home/me/.nvm/versions/node/v18.0.0/bin/node /home/me/.nvm/versions/node/v18.0.0/lib/node_modules/hookbell/dist/hook.cjs --agent claude-code")}}}`,
    { hasOurs: true },
  ),
  claude("set up by hand", `{"hooks":{"Stop":${group("hookbell hook --agent claude-code")}}}`, { hasOurs: true }),
  claude("installed for another agent", `{"hooks":{"Stop":${group(ownCommand("droid"))}}}`, { hasOurs: true }),
  claude(
    "installed asynchronously",
    `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":${JSON.stringify(ownCommand("claude-code"))},"async":true}]}]}}`,
    { hasOurs: true },
  ),
  claude(
    "installed twice in one event",
    `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookbell hook"},{"type":"command","command":"x"}]},{"hooks":[{"type":"command","command":"hookbell"}]}]}}`,
    { hasOurs: true },
  ),
  claude("a pipe of the person's that calls us", `{"hooks":{"Stop":${group("tee -a log | hookbell hook")}}}`, {
    warned: /Stop also calls hookbell/,
  }),
  claude("hooks switched off", '{"disableAllHooks": true}', { warned: /"disableAllHooks" is true/ }),
  claude("broken", '{\n  "a": 1,\n  "b" 2\n}', { refused: /not JSON/, exitCode: 65, at: "3:7" }),
  claude("cut short", '{\n  "hooks": {', { refused: /not JSON/, exitCode: 65, at: "2:13" }),
  claude("a comment", '{\n  // mine\n  "a": 1\n}', { refused: /a comment/, exitCode: 65, at: "2:3" }),
  claude("a trailing comma", '{\n  "a": 1,\n}', {
    refused: /comma before the closing bracket/,
    exitCode: 65,
    at: "3:1",
  }),
  claude("something after the end", "{} {}", { refused: /not JSON/, exitCode: 65, at: "1:4" }),
  claude("an array", "[]", { refused: /expected an object, found an array/, exitCode: 65, at: "1:1" }),
  claude("a string", '"hooks"', { refused: /expected an object, found a string/, exitCode: 65 }),
  claude("null", "null", { refused: /found null/, exitCode: 65 }),
  claude("hooks an array", '{"hooks": []}', { refused: /found an array/, exitCode: 65 }),
  claude("hooks a string", '{"hooks": "x"}', { refused: /found a string/, exitCode: 65 }),
  claude("event null", '{"hooks": {"Stop": null}}', { refused: /"Stop" must be an array, found null/, exitCode: 65 }),
  claude("event an object", '{"hooks": {"Stop": {}}}', { refused: /found an object/, exitCode: 65 }),
  claude("another event an object", '{"hooks": {"PreToolUse": {}}}', {
    refused: /"PreToolUse" must be an array/,
    exitCode: 65,
  }),
  claude("hooks twice", '{\n"hooks": {},\n"hooks": {}\n}', {
    refused: /"hooks" is here twice/,
    exitCode: 65,
    at: "3:10",
  }),
  claude("an event twice", '{"hooks": {"Stop": [], "Stop": []}}', {
    refused: /"Stop" is here twice/,
    exitCode: 65,
  }),
  claude("UTF-16", utf16, { refused: /UTF-16/, exitCode: 65 }),
  claude("Latin 1", latin1, { refused: /not UTF-8/, exitCode: 65 }),
  claude("nested beyond sense", `{"a": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`, {
    refused: /nested too deeply/,
    exitCode: 65,
  }),
];
