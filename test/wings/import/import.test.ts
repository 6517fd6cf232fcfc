import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importCommand } from "../../../src/wings/import/import.ts";
import { explain } from "../../../src/commands/explain/explain.ts";
import { UserError } from "../../../src/model/errors.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { settingsOfPeers } from "./settings-of-peers.ts";

const payloads = new URL("../../agents/known/claude-code/payloads/", import.meta.url);

function aHome(files: Record<string, string> = {}) {
  const home = temporaryFolder();
  const at = (path: string): string => join(home, path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text.replaceAll("{home}", home.replaceAll("\\", "/")));
  const read = (path: string): string => readFileSync(at(path), "utf8");
  const output = { stdout: "", stderr: "" };
  const io = commandIo(home, {
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
  });
  const run = (...args: string[]): Promise<number> => importCommand(args, io);
  return { home, at, put, read, output, io, run };
}

type Home = ReturnType<typeof aHome>;

const rulesFile = ".config/hookbell/rules.jsonc";

async function rulesIn({ read }: Home) {
  const loaded = await loadRules(read(rulesFile));
  expect([...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings]).toEqual([]);
  if (loaded.status !== "good") throw new Error("the rules are broken");
  return loaded.rules;
}

/** The channels that hear of this payload of Claude Code, as `hookbell explain` decides. */
async function told({ io, output }: Home, payload: string, ...flags: string[]): Promise<string[]> {
  output.stdout = "";
  const file = fileURLToPath(new URL(`${payload}.json`, payloads));
  expect(await explain([...flags, "--agent", "claude-code", "--json", file], io)).toBe(0);
  return (JSON.parse(output.stdout) as { deliveries: { channel: string }[] }).deliveries.map(({ channel }) => channel);
}

/** Every file below a folder with its bytes. */
function filesBelow(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "latin1")]),
  );
}

describe("peon-ping", () => {
  it("becomes rules that tell the same events on the same ways, and its topic a secret", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    expect(await home.run("--yes")).toBe(0);
    expect(home.output.stdout).not.toContain("peon-secret-topic");
    expect(home.output.stdout).toMatch(/not carried over: .*sound packs/);
    expect(home.output.stdout).toMatch(/not carried over: .*`meeting_detect`/);
    const { channels } = await rulesIn(home);
    expect(channels.sound?.settings).toMatchObject({ volume: 0.3 });
    expect(Object.keys(channels)).toEqual(["sound", "desktop", "phone"]);
    expect(home.read(".config/hookbell/phone.topic")).toBe("peon-secret-topic\n");
    expect(await told(home, "Stop", "--session-age", "1m")).toEqual(["sound", "desktop", "phone"]);
    expect(await told(home, "Stop", "--session-age", "5s"), "silent_window_seconds").toEqual([]);
    expect(await told(home, "PermissionRequest-Bash")).toEqual(["sound", "desktop", "phone"]);
    expect(await told(home, "SessionStart-startup"), "its category is off").toEqual([]);
    expect(await told(home, "SubagentStop"), "suppress_subagent_complete").toEqual([]);
  });

  it("has its topic in a file that its owner alone may read (posix)", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    await home.run("--yes");
    expect(statSync(home.at(".config/hookbell/phone.topic")).mode & 0o777).toBe(0o600);
  });

  it("is silent in the folders that it excludes", async () => {
    const home = aHome({
      ...settingsOfPeers["peon-ping"],
      ".claude/hooks/peon-ping/config.json": JSON.stringify({ exclude_dirs: ["/home/u"] }),
    });
    expect(await home.run("--yes")).toBe(0);
    expect(await told(home, "PermissionRequest-Bash")).toEqual([]);
  });

  it("leaves the agents' settings as they were before it, and a backup of their bytes", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    const before = home.read(".claude/settings.json");
    expect(await home.run("--yes")).toBe(0);
    expect(JSON.parse(home.read(".claude/settings.json"))).toEqual({
      model: "opus",
      hooks: {
        Stop: [{ hooks: [{ type: "command", command: "~/bin/mine.sh | ~/.claude/hooks/peon-ping/peon.sh" }] }],
        // hookbell has no rule for a failed shell command.
        PostToolUseFailure: [expect.objectContaining({ matcher: "Bash" })],
      },
    });
    const [backup = ""] = home.output.stdout.match(/(?<=settings\.json\n {2}backup: ).*/g) ?? [];
    expect(readFileSync(backup, "utf8")).toBe(before);
  });

  it("keeps hookbell's own hooks in the same file", async () => {
    const command = "/s/hookbell-hook.sh --agent claude-code";
    const entry = (text: string) => ({ matcher: "", hooks: [{ type: "command", command: text }] });
    const settings = { hooks: { Stop: [entry("/home/u/.claude/hooks/peon-ping/peon.sh"), entry(command)] } };
    const home = aHome({ ".claude/settings.json": JSON.stringify(settings, undefined, 2) });
    expect(await home.run("--yes")).toBe(0);
    expect(JSON.parse(home.read(".claude/settings.json"))).toEqual({ hooks: { Stop: [entry(command)] } });
  });
});

describe("Code-Notify", () => {
  it("becomes rules with its alert types and its webhooks", async () => {
    const home = aHome(settingsOfPeers["code-notify"]);
    expect(await home.run("code-notify", "--yes")).toBe(0);
    const { channels, rules } = await rulesIn(home);
    expect(Object.values(channels).map(({ name, type }) => `${name} ${type}`)).toEqual([
      "desktop desktop",
      "sound sound",
      "team slack",
    ]);
    expect(readFileSync(home.at(".config/hookbell/team.url"), "utf8")).toMatch(/^https:\/\/hooks\.slack\.com\//);
    expect(rules.map(({ name }) => name)).toEqual(["done", "needs me", "asks", "subagents"]);
    expect(await told(home, "Stop", "--session-age", "1s")).toEqual(["desktop", "sound", "team"]);
    expect(await told(home, "SubagentStop")).toEqual(["desktop", "sound", "team"]);
    expect(existsSync(home.at(".gemini/settings.json")) && JSON.parse(home.read(".gemini/settings.json"))).toEqual({
      tools: { enableHooks: true },
      hooks: { enabled: true },
    });
  });
});

describe("anotifier", () => {
  it("becomes rules with its channels, switches and quiet hours", async () => {
    const home = aHome(settingsOfPeers.anotifier);
    expect(await home.run("anotifier", "--yes")).toBe(0);
    const { channels, quietHours } = await rulesIn(home);
    expect(Object.values(channels).map(({ name, type, content }) => `${name} ${type} ${content}`)).toEqual([
      "desktop desktop full",
      "phone ntfy none",
      "telegram telegram summary",
    ]);
    expect(channels.telegram?.settings).toMatchObject({ chat: 123456789 });
    expect(readFileSync(home.at(".config/hookbell/telegram.token"), "utf8")).toBe(
      "123456789:AAmade-up_made-up_made-up_made-up_00\n",
    );
    expect(quietHours?.ranges).toHaveLength(1);
    expect(await told(home, "Stop", "--at", "12:00", "--session-age", "1m"), "webhookEnabled is false").toEqual([
      "desktop",
      "phone",
    ]);
    expect(await told(home, "PermissionRequest-Bash", "--at", "12:00")).toEqual(["desktop", "phone", "telegram"]);
    expect(await told(home, "SessionStart-startup", "--at", "12:00")).toEqual([]);
    expect(home.output.stdout).not.toContain("AAmade-up");
  });

  it("is imported without a channel whose credential cannot be one", async () => {
    const webhook = {
      enabled: true,
      format: "telegram",
      chatId: "1",
      url: "https://api.telegram.org/bot1/sendMessage",
    };
    const home = aHome({ ".anotifier/config.json": JSON.stringify({ webhook }) });
    expect(await home.run("--yes")).toBe(0);
    expect(home.output.stdout).toMatch(
      /not carried over: webhook \(telegram\), since .*hookbell channels add telegram/,
    );
    expect(Object.keys((await rulesIn(home)).channels)).toEqual(["desktop", "bell"]);
  });

  it("takes its hooks out of three agents' settings", async () => {
    const home = aHome(settingsOfPeers.anotifier);
    expect(await home.run("--yes")).toBe(0);
    for (const path of [".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json"])
      expect(home.read(path)).not.toContain("notify.mjs");
    expect(JSON.parse(home.read(".claude/settings.json"))).toMatchObject({ statusLine: { type: "command" } });
    expect(home.output.stdout).toMatch(/not carried over: .*`statusLine`/);
  });
});

describe("CCNotify", () => {
  it("is found by its hooks alone", async () => {
    const home = aHome(settingsOfPeers.ccnotify);
    expect(await home.run("--yes")).toBe(0);
    expect(await told(home, "Stop", "--session-age", "1s")).toEqual(["desktop"]);
    expect(await told(home, "Notification-permission-prompt")).toEqual(["desktop"]);
    expect(home.read(".claude/settings.json")).not.toContain("ccnotify");
  });
});

describe("import", () => {
  it("writes nothing with --dry-run, nor without a terminal and --yes", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    const before = filesBelow(home.home);
    expect(await home.run("--dry-run")).toBe(0);
    expect(await home.run()).toBe(64);
    expect(filesBelow(home.home)).toEqual(before);
    expect(home.output.stderr).toContain("add --yes");
  });

  it.each<[string, string, string]>([
    [
      "a line",
      'model = "o"\nnotify = ["bash", "/opt/code-notify/core/notifier.sh", "codex"] # told\n[tui]\n',
      'model = "o"\n[tui]\n',
    ],
    [
      "several lines",
      "\uFEFFa = 1\r\nnotify = [\r\n  'bash',\r\n  '/opt/code-notify/core/notifier.sh',\r\n]\r\nb = 2",
      "\uFEFFa = 1\r\nb = 2",
    ],
    ["the last line", "notify = ['/opt/code-notify/core/notifier.sh']", ""],
  ])("takes Codex's notify out where it calls the tool, after a backup: %s", async (_name, text, after) => {
    const home = aHome({ ...settingsOfPeers["code-notify"], ".codex/config.toml": text });
    const path = home.at(".codex/config.toml");
    expect(await home.run("--dry-run")).toBe(0);
    expect(home.output.stdout).toContain("notifier.sh");
    expect(await home.run("--yes", "--keep-hooks")).toBe(0);
    expect(home.output.stdout).toContain(`${path}: its line "notify" still calls Code-Notify\n`);
    expect(home.read(".codex/config.toml")).toBe(text);
    home.output.stdout = "";
    expect(await home.run("--yes", "--json")).toBe(0);
    expect(JSON.parse(home.output.stdout)).toMatchObject({ stillCalled: [] });
    expect(home.read(".codex/config.toml")).toBe(after);
    const [backup = "", ...more] = readdirSync(home.at(".codex")).filter((name) => name.includes(".hookbell-backup-"));
    expect(more).toEqual([]);
    expect(home.read(`.codex/${backup}`)).toBe(text);
  });

  it.each([
    ["in another table", '[other]\nnotify = ["/opt/code-notify/core/notifier.sh"]\n'],
    ["of another program", 'notify = ["/opt/mine.sh"]\n'],
    ["in a file that is not TOML", 'notify = ["/opt/code-notify/core/notifier.sh"\n'],
  ])("leaves a notify %s", async (_name, text) => {
    const home = aHome({ ...settingsOfPeers["code-notify"], ".codex/config.toml": text });
    expect(await home.run("--yes")).toBe(0);
    expect(home.output.stdout).not.toContain('notify" still calls');
    expect(home.read(".codex/config.toml")).toBe(text);
  });

  it("asks before each of its two changes", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    const settings = home.read(".claude/settings.json");
    const asked: string[] = [];
    const ask = { confirm: (question: string) => Promise.resolve(asked.push(question) === 1) };
    expect(await importCommand([], { ...home.io, isTerminal: true }, ask)).toBe(0);
    expect(asked).toEqual(["Write these rules?", "Remove the hooks of peon-ping from these files?"]);
    expect(existsSync(home.at(rulesFile))).toBe(true);
    expect(home.read(".claude/settings.json")).toBe(settings);
    expect(home.output.stdout).toContain("you will be notified twice");
  });

  it("adds to an existing rules file, keeps every line of it, and uses its desktop", async () => {
    const own = `// mine
{
  "channels": { "screen": { "type": "desktop" } }, // the left one
  "rules": [{ "name": "mine", "when": { "event": "Stop" }, "notify": ["screen"] }],
}
`;
    const home = aHome({ ...settingsOfPeers.ccnotify, [rulesFile]: own });
    expect(await home.run("--yes", "--keep-hooks")).toBe(0);
    expect(home.output.stdout).toContain('your channel "screen" is used');
    expect(home.read(rulesFile)).toMatch(/^\/\/ mine\n\{\n {2}"channels": .* \/\/ the left one\n/);
    expect((await rulesIn(home)).rules.map(({ name }) => name)).toEqual(["mine", "done", "needs me"]);
    expect(home.read(".claude/settings.json")).toContain("ccnotify");
  });

  it("imports two tools into one file without a second desktop", async () => {
    const home = aHome({ ...settingsOfPeers["code-notify"], ...settingsOfPeers.anotifier });
    expect(await home.run("code-notify", "anotifier", "--yes")).toBe(0);
    const { channels } = await rulesIn(home);
    expect(Object.values(channels).filter(({ type }) => type === "desktop")).toHaveLength(1);
  });

  it.each(["peon-ping", "code-notify", "anotifier", "ccnotify"] as const)(
    "changes nothing the second time: %s",
    async (tool) => {
      const home = aHome(settingsOfPeers[tool]);
      expect(await home.run("--yes")).toBe(0);
      const written = filesBelow(home.home);
      expect(await home.run(tool, "--yes")).toBe(0);
      expect(filesBelow(home.home)).toEqual(written);
      expect(home.output.stdout).toContain("does the same already");
    },
  );

  it("prints JSON without a secret", async () => {
    const home = aHome(settingsOfPeers["peon-ping"]);
    expect(await home.run("--yes", "--json")).toBe(0);
    expect(JSON.parse(home.output.stdout)).toMatchObject({
      tools: [{ id: "peon-ping", notCarriedOver: expect.arrayContaining([expect.any(String)]) as unknown }],
      rules: { outcome: "written", secretFiles: [home.at(".config/hookbell/phone.topic")] },
      agents: [{ id: "claude-code", outcome: "changed" }],
    });
    expect(home.output.stdout).not.toContain("peon-secret-topic");
  });

  it.each([
    ["nothing is found", {}, [], "import.nothing"],
    ["the settings are not JSON", { ".anotifier/config.json": "{" }, [], "import.unreadable"],
    ["the tool is unknown", {}, ["ntfy"], "usage.import"],
  ])("says so if %s", async (_name, files, args, code) => {
    const error: unknown = await aHome(files)
      .run(...args)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).code).toBe(code);
  });
});
