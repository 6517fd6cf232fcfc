// Each setting of another tool is carried over or named, and a hook goes only if rules send all that it sends.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SettingsReader } from "../../../src/wings/import/settings-reader.ts";
import { importCommand } from "../../../src/wings/import/import.ts";
import { peers } from "../../../src/wings/import/peers.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { type FullSettings, fullSettings } from "./full-settings.ts";
import { settingsOfPeers } from "./settings-of-peers.ts";

type Tool = keyof typeof fullSettings;
const tools = Object.keys(fullSettings) as Tool[];

interface Imported {
  /** The rules file as it will be, and what is not carried over. */
  rules: string;
  named: string[];
  kept: { hook: string; why: string; twice: string[] }[];
  /** The diff of each settings file. */
  diffs: string[];
  text: string;
}

function aHome(files: FullSettings): string {
  const home = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(home, path), text.replaceAll("{home}", home.replaceAll("\\", "/")));
  }
  return home;
}

async function run(tool: Tool, files: FullSettings, env: Record<string, string> = {}): Promise<Imported> {
  const home = aHome(files);
  const said = { json: "", text: "" };
  const io = { ...commandIo(home), env: { HOME: home, PATH: "", ...env } };
  await importCommand([tool, "--dry-run", "--json"], { ...io, stdout: (text) => void (said.json += text) });
  await importCommand([tool, "--dry-run"], { ...io, stdout: (text) => void (said.text += text) });
  const { tools, rules, keptHooks, agents } = JSON.parse(said.json.replaceAll(home, "{home}")) as {
    tools: { notCarriedOver: string[] }[];
    rules: { text: string; notes: string[] };
    keptHooks: Imported["kept"];
    agents: { files: { diff: string }[] }[];
  };
  return {
    rules: rules.text,
    named: [...tools.flatMap(({ notCarriedOver }) => notCarriedOver), ...rules.notes],
    kept: keptHooks,
    diffs: agents.flatMap(({ files }) => files.map(({ diff }) => diff)),
    text: said.text.replaceAll(home, "{home}"),
  };
}

/** What the importer alone makes of the files: what is carried over, and the places that are not. */
function read(tool: Tool, files: FullSettings): { carried: string; named: string[] } {
  const home = aHome(files);
  const peer = peers.find(({ id }) => id === tool);
  if (peer === undefined) throw new Error(`there is no importer ${tool}`);
  const account = new SettingsReader(tool, "");
  const { channels, rules, whole } = peer.read({ home, env: {} }, account, []);
  const named = account.close().flatMap(({ places = [], reason }) => (places.length === 0 ? [reason] : places));
  return {
    carried: JSON.stringify([channels, rules, whole]).replaceAll(home, ""),
    named: named.map((place) => place.replaceAll(home, "")),
  };
}

type Path = readonly (string | number)[];

/** The paths of all objects, or of all other members, within a value. A list of texts is one member. */
function pathsIn(value: unknown, of: "objects" | "leaves", path: Path = []): Path[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  if (typeof value !== "object" || value === null || isList) return of === "leaves" ? [path] : [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    pathsIn(each, of, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return of === "objects" && !Array.isArray(value) ? [path, ...inner] : inner;
}

function at(value: object, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** The list that the path is in, as a place; it is not carried over as a whole. */
function listOf(path: Path): string | undefined {
  const index = path.findIndex((key) => typeof key === "number");
  return index === -1 ? undefined : path.slice(0, index).join(".");
}

/** A copy without the member, or with another value for it. */
function changed(value: object, path: Path, to: unknown): object {
  const copy = structuredClone(value);
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  const last = path.at(-1) ?? "";
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

function jsonFiles(files: FullSettings): [file: string, content: object][] {
  return Object.entries(files).flatMap(([file, content]) => (typeof content === "string" ? [] : [[file, content]]));
}

describe.each(tools)("%s", (tool) => {
  const full: FullSettings = fullSettings[tool];

  it("names an unknown member at each level of each file", () => {
    const files = jsonFiles(full);
    const tries = files.flatMap(([file, content]) =>
      pathsIn(content, "objects").map((path) => ({ file, content, path })),
    );
    const silent = tries.filter(({ file, content, path }) => {
      const { named } = read(tool, { ...full, [file]: changed(content, [...path, "zzUnknown"], 1) });
      return !named.some((place) => place.includes("zzUnknown") || place === listOf(path));
    });
    expect(tries.length).toBeGreaterThan(1);
    expect(silent.map(({ file, path }) => [file, ...path])).toEqual([]);
  });

  it("carries over or names each setting: with another value, what is carried over or named is another", () => {
    const whole = read(tool, full);
    const isSame = (files: FullSettings): boolean => JSON.stringify(read(tool, files)) === JSON.stringify(whole);
    const dropped = jsonFiles(full).flatMap(([file, content]) =>
      pathsIn(content, "leaves")
        .filter((path) => {
          const value = at(content, path);
          const other = typeof value === "boolean" ? !value : undefined;
          const isNamed = whole.named.some((place) => place.endsWith(path.join(".")) || place === listOf(path));
          return !isNamed && isSame({ ...full, [file]: changed(content, path, other) });
        })
        .map((path) => [file, ...path]),
    );
    expect(dropped).toEqual([]);
    const files = Object.keys(full).filter((file) => {
      const { [file]: _, ...others } = full;
      return isSame(others);
    });
    // The script sets nothing.
    expect(files.filter((file) => !file.endsWith(".py"))).toEqual([]);
  });

  it("names a setting of another type", () => {
    for (const [file, content] of jsonFiles(full)) {
      for (const key of Object.keys(content)) {
        const { named } = read(tool, { ...full, [file]: { ...content, [key]: [[1]] } });
        expect([file, key, named.some((place) => place.includes(key))]).toEqual([file, key, true]);
      }
    }
  });

  it("keeps the hooks, and says so, while a setting is unknown", async () => {
    const settings: Record<string, string> = settingsOfPeers[tool];
    const [[file, content] = ["", {}]] = jsonFiles(full);
    const usual: unknown = JSON.parse(settings[file] ?? "{}");
    const files = { ...settings, [file]: { ...(usual as object), pager: { url: "https://example.com" } } };
    expect(content).not.toHaveProperty("pager");
    const { named, kept, diffs, text } = await run(tool, files);
    expect(named).toContain("`pager`: hookbell does not know this setting");
    expect(kept.map(({ why }) => why)).toContain("hookbell does not know all that pager does");
    expect(kept.flatMap(({ twice }) => twice)).toContain("Stop");
    expect(text).toMatch(/until you remove what stays, you will be notified twice of .*Stop/);
    expect(diffs.join("\n")).not.toMatch(/^-.*(?:stop|Stop)/m);
  });
});

const hookOf = (command: string, more: object = {}): object => ({ hooks: [{ type: "command", command, ...more }] });
const settingsWith = (hooks: object): Record<string, object> => ({ ".claude/settings.json": { hooks } });
const codeNotify = "/usr/local/lib/node_modules/code-notify/lib/code-notify/core/notifier.sh";
const peon = "{home}/.claude/hooks/peon-ping/peon.sh";
const ccnotify = "~/.claude/ccnotify/ccnotify.py";
const anotifier = 'node "/usr/lib/node_modules/anotifier/src/notify.mjs" --source claude';

describe("a hook", () => {
  it("with a matcher of two kinds becomes a rule for both, and goes", async () => {
    const files = settingsWith({
      Notification: [{ matcher: "idle_prompt|permission_prompt", ...hookOf(`${codeNotify} notification claude`) }],
    });
    const { rules, kept, diffs } = await run("code-notify", files);
    expect(rules).toMatch(/"notificationType": \[\s*"idle_prompt",\s*"permission_prompt"\s*\]/);
    expect(rules).toContain('"PermissionRequest"');
    expect(kept).toEqual([]);
    expect(diffs.join("")).toContain("-");
  });

  it("of CCNotify with Telegram goes when Telegram is a channel, and stays when it cannot be one", async () => {
    const hooks = settingsWith({ Stop: [hookOf(`${ccnotify} Stop`)] });
    const way = (token: string): object => ({
      ".claude/ccnotify/config.json": {
        notifications: { telegram: { enabled: true, bot_token: token, chat_id: "12" } },
      },
    });
    const good = await run("ccnotify", { ...hooks, ...way("123456789:AAmade-up_made-up_made-up_made-up_00") });
    expect(good.rules).toContain('"type": "telegram"');
    expect(good.rules).not.toContain("AAmade-up");
    expect(good.kept).toEqual([]);
    const bad = await run("ccnotify", { ...hooks, ...way("your_bot_token_here") });
    expect(bad.named.join("\n")).toMatch(/not carried over: phone \(telegram\)/);
    expect(bad.kept).toEqual([
      expect.objectContaining({ hook: "Stop", why: "no rule notifies phone of Stop" }) as unknown,
    ]);
    expect(bad.diffs).toEqual([]);
  });

  it.each<[what: string, tool: Tool, hooks: object, hook: string, why: string | RegExp]>([
    [
      "for an event of which no rule tells",
      "peon-ping",
      { PostToolUseFailure: [{ matcher: "Bash", ...hookOf(peon) }] },
      "PostToolUseFailure (Bash)",
      "no rule notifies sound of PostToolUseFailure",
    ],
    [
      "for an event that the tool does not have",
      "ccnotify",
      { SubagentStop: [hookOf(`${ccnotify} SubagentStop`)] },
      "SubagentStop",
      "hookbell does not know what it does for SubagentStop",
    ],
    [
      "with a pattern as matcher",
      "code-notify",
      { Notification: [{ matcher: "idle.*", ...hookOf(`${codeNotify} notification claude`) }] },
      "Notification (idle.*)",
      "its matcher is a pattern",
    ],
    [
      "with a tool as matcher that is not the question",
      "code-notify",
      { PreToolUse: [{ matcher: "Bash|AskUserQuestion", ...hookOf(`${codeNotify} PreToolUse claude`) }] },
      "PreToolUse (Bash|AskUserQuestion)",
      /^no rule notifies desktop of PreToolUse/,
    ],
    ["with a condition", "anotifier", { Stop: [hookOf(anotifier, { if: "Bash(git *)" })] }, "Stop", 'it has "if"'],
    [
      "with a variable, whose value is not shown",
      "ccnotify",
      { Stop: [hookOf(`TELEGRAM_TOKEN=s3cret ${ccnotify} Stop`)] },
      "Stop",
      "its command sets TELEGRAM_TOKEN",
    ],
    [
      "with more arguments",
      "anotifier",
      { Stop: [hookOf(`${anotifier} --pager s3cret`)] },
      "Stop",
      "its command has arguments that hookbell does not know",
    ],
    [
      "in another program",
      "ccnotify",
      { Stop: [hookOf(`/home/u/tee.sh s3cret ${ccnotify} Stop`)] },
      "Stop",
      "its command has more before the tool's program",
    ],
    [
      "in a pipe",
      "ccnotify",
      { Stop: [hookOf(`cat | ${ccnotify} Stop`)] },
      "Stop",
      "it is a command of your own around the tool",
    ],
    [
      "that answers questions",
      "anotifier",
      { PermissionRequest: [hookOf('node "/usr/lib/node_modules/anotifier/src/approve.mjs" --source claude')] },
      "PermissionRequest",
      /^it answers questions from your phone/,
    ],
  ])("%s stays, and the reason is said", async (_what, tool, hooks, hook, why) => {
    const { kept, diffs, text } = await run(tool, settingsWith(hooks));
    expect(kept).toEqual([
      expect.objectContaining({
        hook,
        why: typeof why === "string" ? why : (expect.stringMatching(why) as string),
      }) as unknown,
    ]);
    expect(diffs).toEqual([]);
    expect(text).toContain(`'s ${hook}, since ${kept[0]?.why}`);
    expect(text).not.toContain("s3cret");
  });

  it("for the end of a turn keeps with it the one that records its beginning", async () => {
    const files = settingsWith({
      UserPromptSubmit: [hookOf(`${ccnotify} UserPromptSubmit`)],
      Stop: [hookOf(`A=1 ${ccnotify} Stop`)],
    });
    const { kept, diffs } = await run("ccnotify", files);
    expect(kept.map(({ hook, why }) => `${hook}: ${why}`)).toEqual([
      "UserPromptSubmit: the hooks that stay may need it",
      "Stop: its command sets A",
    ]);
    expect(diffs).toEqual([]);
  });

  it.each([
    ["surely", { event: "Stop" }],
    ["in some folders", { event: "Stop", cwd: "*" }],
    ["in all folders but one", { cwd: { not: "/srv" } }],
  ])("stays if a rule of the person's own ends the search before the imported ones, %s", async (_, when) => {
    const own = {
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "x", when, notify: [], final: true }],
    };
    const files = { ...settingsWith({ Stop: [hookOf(`${ccnotify} Stop`)] }), ".config/hookbell/rules.jsonc": own };
    const { kept } = await run("ccnotify", files);
    expect(kept.map(({ why }) => why)).toEqual(["no rule notifies desktop of Stop"]);
  });

  it("of a tool that is switched off goes", async () => {
    const files = {
      ...settingsWith({ Stop: [hookOf(`${codeNotify} stop claude`)] }),
      ".claude/notifications/disabled": "",
    };
    const { kept, diffs } = await run("code-notify", files);
    expect([kept, diffs.length]).toEqual([[], 1]);
  });
});

it("names the variables that set something, without their values", async () => {
  const env = { CODE_NOTIFY_STOP_RATE_LIMIT_SECONDS: "s3cret" };
  const { text } = await run("code-notify", {}, env);
  expect(text).toContain("`CODE_NOTIFY_STOP_RATE_LIMIT_SECONDS`: hookbell does not read this variable");
  expect(text).not.toContain("s3cret");
});

it("names the files beside the settings that no importer knows", async () => {
  const ini = { ".claude/ccnotify/ccnotify.ini": "[telegram]\ntoken = s3cret\n", ".claude/notifications/pager": "x" };
  expect((await run("ccnotify", ini)).named.join("\n")).toMatch(/ccnotify\.ini`: hookbell does not know this file/);
  expect((await run("code-notify", ini)).named.join("\n")).toMatch(/pager`: hookbell does not know this file/);
});

it("follows no link to a file whose whole text is a setting, and repeats nothing of it (posix)", async () => {
  const home = aHome({ ".claude/notifications/sound-enabled": "", secret: "s3cret_word" });
  for (const name of ["notify-types", "voice-enabled", "sound-custom"])
    symlinkSync(join(home, "secret"), join(home, ".claude/notifications", name));
  let text = "";
  await importCommand(["code-notify", "--dry-run"], { ...commandIo(home), stdout: (more) => void (text += more) });
  expect(text.match(/it is a link, which hookbell does not follow here/g)).toHaveLength(3);
  expect(text).not.toContain("s3cret");
});

it.each<[string, (path: string) => void, RegExp]>([
  ["cannot be read", (path) => mkdirSync(path), /settings\.json: this is not a file/],
  ["is broken and names the tool", (path) => writeFileSync(path, `{ "hooks": ${ccnotify} }`), /settings\.json:1:12: /],
])("says that its hooks may be in a settings file that %s", async (_what, make, message) => {
  const home = aHome({ ".claude/ccnotify/ccnotify.py": "" });
  make(join(home, ".claude/settings.json"));
  const said = { out: "", err: "" };
  const io = {
    ...commandIo(home),
    stdout: (more: string) => void (said.out += more),
    stderr: (more: string) => void (said.err += more),
  };
  expect(await importCommand(["ccnotify", "--yes"], io)).toBe(1);
  expect(said.err).toMatch(message);
  said.out = "";
  await importCommand(["ccnotify", "--yes", "--json"], io);
  expect(JSON.parse(said.out)).toMatchObject({ unread: [{ path: join(home, ".claude/settings.json") }] });
});
