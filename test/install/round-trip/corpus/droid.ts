// Droid's files as people leave them: it reads hooks from three places.
import { bytes, ownCommand, usualEvents } from "../install.ts";
import { all, group, lines, type FoundFiles } from "./found-files.ts";

const droid = (name: string, files: Record<string, string>, more: Partial<FoundFiles> = {}): FoundFiles => ({
  name: `droid's places: ${name}`,
  agent: "droid",
  files: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, bytes(text)])),
  ...more,
});

const droidEvents = usualEvents("droid");

export const droidFiles: readonly FoundFiles[] = [
  droid("nothing at all", {}, { into: "hooks.json" }),
  droid("settings without hooks", { "settings.json": '{\n  "model": "x"\n}\n' }, { into: "hooks.json" }),
  droid("hooks.json with hooks of others", { "hooks.json": `{"Stop":${group("say")}}` }, { into: "hooks.json" }),
  droid("an empty hooks.json", { "hooks.json": "" }, { into: "hooks.json", isReversible: false }),
  droid(
    "{} in hooks.json, hooks in settings",
    { "hooks.json": "{}", "settings.json": `{"hooks":{"PreToolUse":[],"Stop":${group("say")}}}` },
    { into: "settings.json" },
  ),
  droid(
    "hooks in settings alone",
    { "settings.json": `{"hooks":{"PreToolUse":${group("guard")}}}` },
    { into: "settings.json" },
  ),
  droid(
    "one event in each file",
    {
      "hooks.json": `{"Stop":${group("a")}}`,
      "settings.json": `{"hooks":{"Stop":${group("b")},"SessionEnd":${group("c")}}}`,
    },
    { into: "hooks.json" },
  ),
  droid(
    "comments",
    {
      "hooks.json": lines(
        "// mine",
        "{",
        "  /* what */",
        '  "Stop": [ // here',
        '    { "hooks": [] } // last',
        "    // end",
        "  ] // after",
        "  // bottom",
        "}",
        "",
      ),
    },
    { into: "hooks.json" },
  ),
  droid(
    "comments in empty containers",
    { "settings.json": lines("{", '  "hooks": {', '    "Stop": [', "      // none yet", "    ]", "  }", "}") },
    { into: "settings.json", isReversible: false },
  ),
  droid(
    "comments and CRLF",
    { "hooks.json": lines("{", "  // one", '  "Stop": []', "}", "").replaceAll("\n", "\r\n") },
    { into: "hooks.json" },
  ),
  droid(
    "the wrapped form",
    { "hooks.json": `{"hooks":{"Stop":${group("say")}}}` },
    { into: "hooks.json", warned: /ignores "hooks" in this file \(Stop\)/ },
  ),
  droid(
    "both forms in one file",
    { "hooks.json": `{"hooks":{"SessionEnd":${group("a")}},"Stop":${group("b")}}` },
    { into: "hooks.json", warned: /\(SessionEnd\)/ },
  ),
  droid(
    "ours in the wrapped form",
    { "hooks.json": `{"hooks":{"Stop":${group("hookbell hook")}}}` },
    { into: "hooks.json", hasOurs: true },
  ),
  droid(
    "ours hidden in settings",
    { "hooks.json": `{"Stop":${group("say")}}`, "settings.json": `{"hooks":{"Stop":${group(ownCommand("droid"))}}}` },
    { into: "hooks.json", hasOurs: true },
  ),
  droid(
    "the older place",
    { "hooks/hooks.json": `{"Stop":${group("say")}}`, "settings.json": `{"hooks":{"SessionEnd":${group("x")}}}` },
    { into: "hooks/hooks.json" },
  ),
  droid(
    "the older place beside the new one",
    { "hooks.json": "{}", "hooks/hooks.json": "{ broken" },
    { into: "hooks.json" },
  ),
  droid("installed already", { "hooks.json": `{${all(droidEvents, ownCommand("droid"))}}` }, { hasHooks: true }),
  droid("unknown keys", { "hooks.json": '{"$schema": "x", "Foo": {}, "hooks": []}' }, { into: "hooks.json" }),
  droid(
    "hooks switched off in settings",
    { "settings.json": '{"hooks": {"hooksDisabled": true}}' },
    { into: "hooks.json", warned: /"hooks.hooksDisabled" is true/ },
  ),
  droid(
    "hooks switched off in hooks.json",
    { "hooks.json": '{"hooksDisabled": true}' },
    { into: "hooks.json", warned: /"hooksDisabled" is true/ },
  ),
  droid(
    "a trailing comma",
    { "hooks.json": '{\n  "Stop": [],\n}' },
    { refused: /comma before the closing bracket/, exitCode: 65, at: "3:1" },
  ),
  droid(
    "a trailing comma before a comment",
    { "hooks.json": '{\n  "Stop": [1, /* c */ ]\n}' },
    { refused: /comma before the closing bracket/, exitCode: 65 },
  ),
  droid("a byte order mark", { "hooks.json": '\uFEFF{"Stop": []}' }, { refused: /byte order mark/, exitCode: 65 }),
  droid(
    "another event null",
    { "hooks.json": '{"PreToolUse": null}' },
    { refused: /"PreToolUse" must be an array, found null/, exitCode: 65 },
  ),
  droid(
    "an entry without hooks",
    { "hooks.json": '{"PreToolUse": [{"matcher": "x"}]}' },
    { refused: /has no array "hooks"/, exitCode: 65 },
  ),
  droid(
    "an entry that is a command",
    { "settings.json": '{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}' },
    { refused: /has no array "hooks"/, exitCode: 65 },
  ),
  droid("both files broken", { "hooks.json": "{", "settings.json": "[" }, { refused: /not JSON/, exitCode: 65 }),
];
