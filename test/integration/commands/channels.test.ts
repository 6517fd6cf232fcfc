// hookbell channels, by the built command line: lists, types, and adding one by flags and by answers in a terminal.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { typedWord } from "../../../src/model/places/user-shell.ts";
import { docsUrl } from "../../../src/model/errors.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../../support/agents/agent-terminal.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../support/parts.ts";
import { everyRow } from "../../support/rows.ts";
import { cliPath, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { shell, webhookProject } from "./webhook-project.ts";

async function receiver(): Promise<HttpReceiver> {
  const started = await startHttpReceiver();
  onTestFinished(() => started.close());
  return started;
}

const configFiles = (project: Project): string[] => readdirSync(dirname(project.rulesFile)).sort();
const rulesOf = (project: Project): string => readFileSync(project.rulesFile, "utf8");

describe("channels", () => {
  it("lists what is configured, and every type with its settings, in eighty columns", async () => {
    const project = await webhookProject();
    const { code, stdout, stderr } = await project.command(["channels"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('  ops    webhook  notified by "done"\n  spare  webhook  no rule notifies it\n');
    expect(stdout).toMatch(
      /^ {2}telegram +A Telegram chat, group topic or channel, through a bot\n +needs token, chat; optional: /m,
    );
    expect(stdout).not.toContain("\u001B");
    for (const line of stdout.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("knows which are switched off, and says all of it in JSON", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 410 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    expect((await project.command(["channels"])).stdout).toMatch(
      /ops +webhook +notified by "done"; switched off: gone/,
    );
    const { channels, types } = JSON.parse((await project.command(["channels", "--json"])).stdout) as {
      channels: object[];
      types: { type: string; settings: { name: string; required: boolean; secret: boolean }[] }[];
    };
    expect(channels).toEqual([
      { name: "ops", type: "webhook", rules: ["done"], switchedOff: expect.stringContaining("gone") },
      { name: "spare", type: "webhook", rules: [] },
    ]);
    expect(types.find(({ type }) => type === "ntfy")?.settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "server", required: false, secret: false }),
        expect.objectContaining({ name: "topic", required: true, secret: true }),
      ]),
    );
  });

  it("explains one type, with its page and how it stands in a file", async () => {
    const project = temporaryProject();
    const { code, stdout } = await project.command(["channels", "ntfy"]);
    expect(code).toBe(0);
    expect(stdout).toContain("https://docs.ntfy.sh/publish/#publish-as-json\n");
    expect(stdout).toContain('"ntfy": { "type": "ntfy", "topic": { "file": "~/.config/hookbell/ntfy.topic" } }');
    expect(stdout.match(/\{ "env": NAME \}/g)).toHaveLength(1);
    expect(await project.command(["channels", "ntfi"])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('did you mean "ntfy"?'),
    });
    const { stderr } = await project.command(["channels", "nothing-like-it"]);
    expect(stderr).toMatch(/^ {2}types: desktop, .*, command; or add, remove, pair$/m);
    expect(configFiles(project)).toEqual([]);
  });

  it("shows a channel of yours by its name, without its secrets", async () => {
    const project = temporaryProject();
    project.writeRules({
      channels: {
        hook: {
          type: "webhook",
          url: "https://example.org/in/s3cretPath12345678",
          secret: { env: "HOOK_SECRET" },
          headers: { Authorization: "Bearer s3cretHeader", "X-Team": "shop" },
        },
        // A type's name says the type.
        ntfy: { type: "ntfy", topic: "s3cretTopic123456" },
      },
      rules: [{ name: "all", notify: ["hook"] }],
    });
    const { code, stdout, stderr } = await project.command(["channels", "hook"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^hook {2}webhook; notified by "all"\n/);
    expect(stdout).toMatch(/^ {2}url +"https:\/\/example\.org\/…"$/m);
    expect(stdout).toMatch(/^ {2}secret +\{"env":"HOOK_SECRET"\}$/m);
    expect(stdout).toMatch(/Test it: hookbell test hook\./);
    const json = (await project.command(["channels", "hook", "--json"])).stdout;
    expect(JSON.parse(json)).toMatchObject({
      name: "hook",
      type: "webhook",
      rules: ["all"],
      settings: { url: "https://example.org/…", headers: { Authorization: "…" } },
    });
    expect(`${stdout}${json}`).not.toContain("s3cret");
    expect((await project.command(["channels", "ntfy"])).stdout).toContain(
      "https://docs.ntfy.sh/publish/#publish-as-json\n",
    );
    expect(await project.command(["channels", "hook", "hook"])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('unexpected argument "hook"'),
    });
  });

  const slips: [line: string, meant: string][] = [
    ["rm hook", 'did you mean "remove"?'],
    ["delete", 'did you mean "remove"?'],
    ["new slack", 'did you mean "add"?'],
    ["ad slack", 'did you mean "add"?'],
    ["slck", 'did you mean "slack"?'],
  ];
  it("knows what was meant", async () => {
    const project = temporaryProject();
    await everyRow(slips, async ([line, meant]) => {
      const result = await project.command(["channels", ...line.split(" ")]);
      expect(result).toMatchObject({ code: 64, stdout: "", stderr: expect.stringContaining(meant) });
    });
  });

  it("shows a program of one's own with what it is called by, and our own page", async () => {
    const { stdout } = await temporaryProject().command(["channels", "command"]);
    expect(stdout).toContain('"command": { "type": "command", "argv": ["~/bin/notify", "--from", "hookbell"] }\n');
    expect(stdout).toContain(docsUrl("reference/CHANNELS.md"));
    expect(stdout.match(/https:/g)).toHaveLength(1);
  });
});

describe("channels add, by flags", () => {
  it("tries the channel, keeps its secret apart, and starts from the built-in rules", async () => {
    const project = temporaryProject();
    // A machine with a screen, so that the rules keep the desktop.
    project.env.DISPLAY = ":0";
    const { origin, requests } = await receiver();
    const args = [
      "--name",
      "team",
      "--set",
      `url=${origin}/hooks/s3cretToken12345678`,
      "--events",
      "attention",
      "--rule",
      "done",
    ];
    const added = await project.command(["channels", "add", "slack", ...args, "--yes"]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toMatch(/team \(slack\): delivered in/);
    expect(`${added.stdout}${rulesOf(project)}`).not.toContain("s3cretToken");
    expect(requests.map(({ path }) => path)).toEqual(["/hooks/s3cretToken12345678"]);
    const secret = join(dirname(project.rulesFile), "team.url");
    expect(readFileSync(secret, "utf8")).toBe(`${origin}/hooks/s3cretToken12345678\n`);
    const modes = [secret, project.rulesFile].map((path) => statSync(path).mode & 0o777);
    // Windows has other rights, which node:fs does not show.
    if (process.platform !== "win32") expect(modes).toEqual([0o600, 0o600]);
    expect(rulesOf(project)).toContain('"desktop": { "type": "desktop" }');
    expect(rulesOf(project)).not.toContain("copy this file");
    expect(rulesOf(project)).toContain(
      '{ "name": "done", "when": { "event": "Stop" }, "notify": ["desktop", "sound", "team"]',
    );
    expect(await project.command(["check"])).toMatchObject({ code: 0, stdout: expect.stringContaining("no problems") });
    expect(await project.command(["test", "team"])).toMatchObject({ code: 0 });
    expect(requests).toHaveLength(2);
  });

  it("leaves the desktop and the sound out of a new file where neither can be, with the rules that they alone had (posix)", async () => {
    const project = temporaryProject();
    Object.assign(project.env, { XDG_RUNTIME_DIR: project.home, PATH: "" });
    const team = ["slack", "--name", "team", "--set", "url.env=URL", "--events", "attention", "--rule", "done"];
    const { code, stdout } = await project.command(["channels", "add", ...team, "--no-test", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^left out, .*: desktop, sound; to add one later: hookbell channels add desktop$/m);
    const text = rulesOf(project);
    expect(text).not.toMatch(/desktop"|sound"|It waits for you/);
    expect(text).toContain('{ "name": "done", "when": { "event": "Stop" }, "notify": ["team"], "level": "success" }');
    expect(text.match(/"name": "[^"]*"/g)).toEqual([
      '"name": "team: needs me"',
      '"name": "for your information"',
      '"name": "done"',
    ]);
    expect((await project.command(["check"])).stdout).toContain("no problems");
  });

  it("with --events every also notifies of a short turn, which the built-in defaults leave out", async () => {
    const project = temporaryProject();
    const { origin, requests } = await receiver();
    const args = ["channels", "add", "webhook", "--set", `url=${origin}/x`, "--events", "every", "--no-test", "--yes"];
    expect(await project.command(args)).toMatchObject({ code: 0, stderr: "" });
    const payload = { session_id: "s1", cwd: project.home, prompt: "Go.", stop_hook_active: false };
    for (const name of ["UserPromptSubmit", "Stop"]) {
      const input = JSON.stringify({ ...payload, hook_event_name: name });
      await project.command(["hook", "--agent", "claude-code", "--wait"], input);
    }
    const told = requests.map(
      ({ body }) => (JSON.parse(body) as { data: { event: { name: string } } }).data.event.name,
    );
    expect(told).toEqual(["UserPromptSubmit", "Stop"]);
  });

  it("says all that is missing at once, and writes nothing", async () => {
    const project = temporaryProject();
    const { code, stdout, stderr } = await project.command(["channels", "add", "email"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    for (const key of [
      "smtp: --set smtp=…, --set smtp.env=NAME",
      "from: --set from=…",
      "to: --set to=…",
      "--events: which events notify it (attention, finished, every, none)",
    ]) {
      expect(stderr).toContain(key);
    }
    expect(await project.command(["channels", "add"])).toMatchObject({ code: 64 });
    expect(configFiles(project)).toEqual([]);
  });

  it.each<[string, string[], number, RegExp]>([
    ["a typo in the type", ["slck"], 64, /did you mean "slack"/],
    [
      "a typo in a setting",
      ["webhook", "--set", "ulr=https://example.org", "--events", "every"],
      64,
      /did you mean "url"/,
    ],
    [
      "a value that is none",
      ["matrix", "--set", "room=#general:example.org", "--events", "every"],
      64,
      /starts with !/,
    ],
    [
      "http:// elsewhere",
      ["webhook", "--set", "url=http://example.org/x", "--events", "every"],
      64,
      /"allowHttp": true/,
    ],
    ["a kind of events that is none", ["desktop", "--name", "d", "--events", "finised"], 64, /did you mean "finished"/],
    ["a rule that is none", ["desktop", "--name", "d", "--rule", "doen"], 64, /did you mean "done"/],
    ["a name that is taken", ["webhook", "--name", "ops"], 64, /choose another name: --name webhook/],
    ["a name with spaces", ["desktop", "--name", " a ", "--events", "none", "--yes"], 64, /only letters, digits/],
    ["the name of another type", ["desktop", "--name", "slack", "--events", "none", "--yes"], 64, /something else/],
    ["no --yes", ["desktop", "--name", "d", "--events", "none"], 64, /add --yes/],
    [
      "a test that fails",
      ["command", "--set", "argv=hookbell-no-such-program", "--events", "every", "--yes"],
      1,
      /add --no-test/,
    ],
  ])("refuses %s", async (_, args, code, said) => {
    const project = await webhookProject();
    const before = rulesOf(project);
    const result = await project.command(["channels", "add", ...args]);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(said);
    expect(rulesOf(project)).toBe(before);
    expect(configFiles(project)).toEqual([basename(project.rulesFile)]);
  });

  it("takes values of every form, and where secrets are", async () => {
    const project = await webhookProject();
    const set = [
      'url.command=["pass","show","hook"]',
      "secret.env=HOOK_SECRET",
      "headers.X-Team=shop",
      "allowHttp=true",
      "content=full",
      "expireAfter=2h",
      "summary=3",
    ].flatMap((each) => ["--set", each]);
    const result = await project.command([
      "channels",
      "add",
      "webhook",
      ...set,
      "--events",
      "none",
      "--no-test",
      "--yes",
    ]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const { channels } = JSON.parse(rulesOf(project)) as { channels: Record<string, object> };
    expect(channels.webhook).toEqual({
      type: "webhook",
      url: { command: ["pass", "show", "hook"] },
      secret: { env: "HOOK_SECRET" },
      headers: { "X-Team": "shop" },
      allowHttp: true,
      content: "full",
      expireAfter: "2h",
      summary: 3,
    });
    const program = ["--set", 'argv=["logger","-t","a b"]', "--set", "env.API_TOKEN=t0psecret"];
    await project.command(["channels", "add", "command", ...program, "--events", "none", "--no-test", "--yes"]);
    expect(rulesOf(project)).toContain('"argv": ["logger", "-t", "a b"]');
    expect(rulesOf(project)).not.toContain("t0psecret");
    expect(configFiles(project)).toContain("command.env-API_TOKEN");
  });

  it("changes nothing else: comments, tabs, line ends, the byte order mark, the mode, the link (posix)", async () => {
    const project = temporaryProject();
    const text =
      '\uFEFF// mine\r\n{\r\n\t"channels": {\r\n\t\t"a": { "type": "desktop" }, // screen\r\n\t},\r\n\t"rules": [{ "name": "all", "notify": ["a"] }],\r\n}\r\n';
    const real = join(project.home, "dotfiles.jsonc");
    writeFileSync(real, text, { mode: 0o640 });
    symlinkSync(real, project.rulesFile);
    const args = ["channels", "add", "sound", "--rule", "all", "--no-test", "--yes"];
    expect(await project.command(args)).toMatchObject({ code: 0, stderr: "" });
    expect(lstatSync(project.rulesFile).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readFileSync(real, "utf8")).toBe(
      text
        .replace("// screen\r\n", '// screen\r\n\t\t"sound": { "type": "sound" },\r\n')
        .replace('"notify": ["a"]', '"notify": ["a", "sound"]'),
    );
    const backup = configFiles(project).find((name) => name.includes("hookbell-backup")) ?? "";
    expect(readFileSync(join(dirname(project.rulesFile), backup), "utf8")).toBe(text);
  });

  it("keeps a secret beside a link, not in the repository that the link leads to", async () => {
    const project = temporaryProject();
    const repository = join(project.home, "dotfiles");
    mkdirSync(repository);
    writeFileSync(join(repository, "rules.jsonc"), '{ "channels": {}, "rules": [] }\n');
    symlinkSync(join(repository, "rules.jsonc"), project.rulesFile);
    const set = ["--set", "topic=s3cretTopic123456"];
    await project.command(["channels", "add", "ntfy", ...set, "--events", "none", "--no-test", "--yes"]);
    expect(readdirSync(repository)).toEqual(["rules.jsonc"]);
    expect(configFiles(project)).toContain("ntfy.topic");
    const { stdout } = await project.command(["channels", "remove", "ntfy", "--yes"]);
    expect(stdout).toContain(`removed ${join(dirname(project.rulesFile), "ntfy.topic")}`);
    expect(configFiles(project)).not.toContain("ntfy.topic");
  });

  it("says that a topic of ntfy.sh gets no words, unless the settings say how many", async () => {
    const project = temporaryProject();
    const says = "its messages contain none of the agent's words, nor the command of a question";
    const add = async (...more: string[]): Promise<string> => {
      const set = ["--set", "topic=s3cretTopic123456", ...more];
      return (await project.command(["channels", "add", "ntfy", ...set, "--events", "none", "--no-test", "--yes"]))
        .stdout;
    };
    expect(await add()).toContain(`${says}; "content" in the channel changes that\n`);
    expect(await add("--name", "more", "--set", "content=summary")).not.toContain(says);
    expect(await add("--name", "own", "--set", "server=https://push.example.com")).not.toContain(says);
  });

  it("is undone by remove to the byte, and can be done again", async () => {
    const project = temporaryProject();
    const add = ["channels", "add", "sound", "--name", "horn", "--events", "attention,finished", "--no-test", "--yes"];
    await project.command(["channels", "remove", "sound", "--yes"]);
    const before = rulesOf(project);
    expect(await project.command(add)).toMatchObject({ code: 0, stderr: "" });
    const added = rulesOf(project);
    expect(added).toContain('"name": "horn: done"');
    const removed = await project.command(["channels", "remove", "horn", "--yes"]);
    expect(removed.stdout).not.toContain("then notifies no channel");
    expect(rulesOf(project)).toBe(before);
    await project.command(add);
    expect(rulesOf(project)).toBe(added);
  });

  it("says how to try it where the rules lie elsewhere", async () => {
    const project = temporaryProject();
    const rules = join(project.home, "my rules.jsonc");
    const add = ["channels", "add", "terminal", "--events", "none", "--no-test", "--yes"];
    const { stdout } = await project.command([...add, "--config", rules]);
    expect(stdout).toContain(`try it: hookbell test terminal --config ${typedWord(rules)}\n`);
  });

  it("leaves a broken file as it is, and shows the place", async () => {
    const project = temporaryProject();
    project.writeRules('{ "channels": { "a": { "type": "desktp" } }, "rules": [] }');
    const result = await project.command(["channels", "add", "sound", "--events", "every", "--yes"]);
    expect(result).toMatchObject({ code: 78, stdout: "" });
    expect(result.stderr).toMatch(/rules\.jsonc:1:32 .*desktp/);
    expect(configFiles(project)).toEqual([basename(project.rulesFile)]);
  });

  it("shows the change of a dry run without anybody's secrets", async () => {
    const project = temporaryProject();
    project.writeRules({
      channels: { a: { type: "pushover", token: "Aliteral12345678", user: "Aliteral87654321" } },
      rules: [],
    });
    const set = ["--set", "topic=my-s3cret-topic"];
    const { code, stdout } = await project.command([
      "channels",
      "add",
      "ntfy",
      ...set,
      "--events",
      "every",
      "--dry-run",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('+    "ntfy": {');
    expect(stdout).toContain("dry run: nothing was written");
    expect(stdout).not.toMatch(/Aliteral|s3cret/);
    expect(configFiles(project)).toEqual([basename(project.rulesFile)]);
  });
});

describeWithParts("channels add, in a terminal", terminalParts, () => {
  function open(project: Project, args: readonly string[]): AgentTerminal {
    const env = Object.fromEntries(
      Object.entries(project.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
    // Its last words stay on the screen until Enter is pressed.
    const line = '"$0" "$@"; echo "exit $?"; read -r _';
    return startAgentTerminal(project.home, ["sh", "-c", line, process.execPath, cliPath, ...args], {
      cwd: project.home,
      env,
    });
  }

  it("asks for what it needs, judges each answer, tries it, and writes it", async () => {
    const project = temporaryProject();
    const { origin, requests } = await receiver();
    const terminal = open(project, ["channels", "add", "mattermost"]);
    await terminal.until(/What should it be called/);
    terminal.press("Enter");
    await terminal.until(/Type or paste it here/);
    terminal.press("Enter");
    await terminal.until(/url:\s*\n│ {2}_/);
    terminal.press("x");
    terminal.press("Enter");
    await terminal.until(/the URL is not valid|the URL is invalid/);
    terminal.press("BSpace");
    for (const key of `${origin}/hooks/abcdefgh12345678`) terminal.press(key);
    terminal.press("Enter");
    await terminal.until(/Send a test message/);
    terminal.press("Enter");
    await terminal.until(/mattermost \(mattermost\): delivered/);
    await terminal.until(/Which events should notify "mattermost"/);
    terminal.press("Enter");
    await terminal.until(/Write this\?/);
    terminal.press("Enter");
    await terminal.until(/wrote .*rules\.jsonc[\s\S]*exit 0/);
    expect(requests).toHaveLength(1);
    expect(readFileSync(join(dirname(project.rulesFile), "mattermost.url"), "utf8")).toBe(
      `${origin}/hooks/abcdefgh12345678\n`,
    );
    expect(rulesOf(project)).toContain('"name": "mattermost: needs me"');
    expect((await project.command(["check"])).code).toBe(0);
  });

  it("is not moved by what is pasted at a choice", async () => {
    const project = temporaryProject();
    const terminal = open(project, ["channels", "add", "slack", "--name", "team", "--events", "none", "--no-test"]);
    await terminal.until(/How should it reach slack/);
    for (const key of "https://h.example.org/x") terminal.press(key);
    terminal.press("Enter");
    await terminal.until(/url: .*\n[\s\S]*● Type or paste it here/);
    for (const key of "localhost:8901") terminal.press(key);
    terminal.press("Enter");
    await terminal.until(/url:\s*\n│ {2}_/);
    for (const key of "localhost:8901/x") terminal.press(key);
    terminal.press("Enter");
    await terminal.until(/add http:\/\/ in front/);
    expect(existsSync(project.rulesFile)).toBe(false);
  });

  it("proposes a name to be typed over, and a topic", async () => {
    const project = temporaryProject();
    const terminal = open(project, ["channels", "add", "ntfy", "--events", "none", "--no-test"]);
    await terminal.until(/What should it be called[\s\S]*ntfy/);
    for (const key of "phone") terminal.press(key);
    terminal.press("Enter");
    await terminal.until(/● Create a random topic/);
    terminal.press("Enter");
    await terminal.until(/topic: hookbell-[0-9a-f]{24}[\s\S]*Any other setting/);
    terminal.press("Enter");
    await terminal.until(/Write this\?/);
    terminal.press("Enter");
    await terminal.until(/wrote .*rules\.jsonc[\s\S]*exit 0/);
    expect(rulesOf(project)).toContain('"phone"');
    expect(configFiles(project)).toContain("phone.topic");
  });

  it("writes nothing when the person walks away", async () => {
    const project = temporaryProject();
    const terminal = open(project, ["channels", "add", "desktop", "--name", "screen", "--no-test"]);
    await terminal.until(/Any other setting/);
    terminal.press("C-c");
    await terminal.until(/nothing was written[\s\S]*exit 1/);
    expect(existsSync(project.rulesFile)).toBe(false);
  });

  it("test sends no more when the person walks away from its question", async () => {
    const project = temporaryProject();
    const { origin, requests } = await receiver();
    const phone = { type: "home-assistant", url: `${origin}/api/webhook/x` };
    project.writeRules({ channels: { one: phone, two: phone }, rules: [] });
    const terminal = open(project, ["test"]);
    await terminal.until(/Did you see it\?/);
    terminal.press("C-c");
    await terminal.until(/hookbell: stopped\s+exit 1/);
    expect(requests).toHaveLength(1);
  });

  it("test asks whether it was seen, and says what to look at", async () => {
    const project = temporaryProject();
    const { origin } = await receiver();
    project.writeRules({ channels: { phone: { type: "home-assistant", url: `${origin}/api/webhook/x` } }, rules: [] });
    const terminal = open(project, ["test"]);
    await terminal.until(/Did you see it\?/);
    terminal.press("n");
    await terminal.until(/What to check:[\s\S]*automation's traces[\s\S]*exit 1/);
    const piped = await project.command(["test"]);
    expect(piped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("; only you can tell whether it was seen\n"),
    });
    expect((await project.command(["test", "--json"])).stdout).not.toContain("only you can tell");
  });
});

it("hookbell alone shows its help where no one pipes anything into it (posix)", async () => {
  const { code, stdout } = await shell(temporaryProject(), "hookbell </dev/null");
  expect(code).toBe(0);
  expect(stdout).toContain("hookbell COMMAND --help shows more.");
});
