import { describe, expect, it } from "vitest";
import type { PlaceContent } from "../../../../src/wings/guard/launches/places.ts";
import { readLaunches } from "../../../../src/wings/guard/launches/read.ts";
import { withoutLaunch } from "../../../../src/wings/guard/launches/remove.ts";

const all: PlaceContent = {
  kind: "settings",
  hooks: [["hooks"]],
  servers: [["mcpServers"], ["mcp_servers"]],
  commands: [["statusLine", "command"], ["notify"]],
  packages: [["plugin"]],
};

/** The text without the launch that has this command. */
function without(text: string, command: string, name = "settings.json"): string | undefined {
  const found = readLaunches(text, name, all).launches.find((each) => each.command === command);
  return found && withoutLaunch(text, { name, content: all }, found);
}

describe("a launch is taken out of JSON", () => {
  const settings = `{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [
      { "matcher": "", "hooks": [{ "type": "command", "command": "a" }] },
      { "hooks": [{ "type": "command", "command": "b" }, { "type": "command", "command": "c" }] } // two
    ],
    "SessionStart": [{ "matcher": "startup", "hooks": [{ "type": "command", "command": "d" }] }]
  },
  "mcpServers": { "x": { "command": "e", "args": ["1"] }, "y": { "command": "f" } },
  "statusLine": { "type": "command", "command": "g" },
  "plugin": ["h", "i"]
}
`;

  it.each([
    ["a", '      { "matcher": "", "hooks": [{ "type": "command", "command": "a" }] },\n', ""],
    ["b", '{ "type": "command", "command": "b" }, ', ""],
    ["c", ', { "type": "command", "command": "c" }', ""],
    ["d", ',\n    "SessionStart": [{ "matcher": "startup", "hooks": [{ "type": "command", "command": "d" }] }]', ""],
    ["e 1", '"x": { "command": "e", "args": ["1"] }, ', ""],
    ["f", ', "y": { "command": "f" }', ""],
    ["g", '  "statusLine": { "type": "command", "command": "g" },\n', ""],
    ["h", '"h", ', ""],
    ["i", ', "i"', ""],
  ])("with its group and its event where they have nothing else: %s", (command, gone, instead) => {
    expect(settings).toContain(gone);
    expect(without(settings, command)).toBe(settings.replace(gone, instead));
  });

  it("one after the other, until only the rest is left", () => {
    let text = settings;
    for (const command of ["a", "b", "c", "d", "e 1", "f", "h", "i"]) text = without(text, command) ?? "";
    expect(readLaunches(text, "settings.json", all).launches.map((each) => each.command)).toEqual(["g"]);
    expect(text).toContain('  // mine\n  "model": "opus",\n');
  });

  it("with line ends of Windows and tabs", () => {
    const text =
      '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "command": "a" },\r\n\t\t\t{ "command": "b" }\r\n\t\t]\r\n\t}\r\n}\r\n';
    expect(without(text, "b")).toBe(
      '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "command": "a" }\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
  });

  it("but not out of a text that is broken", () => {
    expect(without('{ "hooks": { "Stop": [{ "command": "a" }] }', "a")).toBeUndefined();
  });
});

describe("a launch is taken out of TOML", () => {
  const toml = `# mine
model = "o3"
notify = ["say", "done"] # at the end

[[hooks.Stop]]
matcher = ""
[[hooks.Stop.hooks]]
type = "command"
command = "a"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
[mcp_servers.docs.env]
KEY = "1"

[mcp_servers.other]
command = "b"
`;

  it.each([
    ["say done", 'notify = ["say", "done"] # at the end\n'],
    ["npx -y docs", '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\n[mcp_servers.docs.env]\nKEY = "1"\n'],
    ["b", '[mcp_servers.other]\ncommand = "b"\n'],
    ["a", '[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "a"\n'],
  ])("with what is below it: %s", (command, gone) => {
    expect(toml).toContain(gone);
    expect(without(toml, command, "config.toml")).toBe(toml.replace(gone, ""));
  });

  it("but not out of a line that has more than one", () => {
    expect(
      without('mcp_servers = { a = { command = "a" }, b = { command = "b" } }\n', "a", "config.toml"),
    ).toBeUndefined();
  });
});
