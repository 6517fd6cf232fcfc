// What a person gets: the packed package, installed, installed into the agents, and taken out again.
import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { version } from "../../../src/system/version.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { isRegistryReachable, npmEnv } from "../../support/home/npm.ts";
import { packCopy, type Pack } from "../../support/home/packed-hookbell.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../support/parts.ts";
import type { Ended } from "../../support/project/running-project.ts";
import { levels } from "../../../src/model/level.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const fixtures = join(root, "test/agents/known");
const mostPackedBytes = 1_430_000;
/** A tenth of it are the documents, to be read without a network. */
const mostUnpackedBytes = 4_500_000;
/** Everything in `node_modules`, more than half of it node-notifier's programs for macOS and Windows. */
const mostInstalledBytes = 12_000_000;
const signingSecret = "whsec_aG9va2JlbGwtdGVzdC1zZWNyZXQtMzItYnl0ZXMhIQ==";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-package-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

let packed: Pack | undefined;

function pack(): Pack {
  packed ??= packCopy(folder);
  return packed;
}

function run(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string, input = ""): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = argv;
    const child = spawn(program, args, { env, cwd });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.end(input);
  });
}

const longestTerminalMs = 90_000;

/** Runs a line in a terminal and presses Enter at each of these questions, in order. Returns what the terminal showed. */
function answerYes(line: string, env: NodeJS.ProcessEnv, cwd: string, questions: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // `script` gives its terminal no size, and prompts wrap their lines at it.
    const args = ["-qec", `stty cols 100 rows 40; ${line}`, "/dev/null"];
    const child = spawn("script", args, { env, cwd, timeout: longestTerminalMs });
    const open = [...questions];
    let shown = "";
    let from = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
      const at = shown.indexOf(open[0] ?? "\0", from);
      if (at === -1) return;
      from = at + 1;
      open.shift();
      child.stdin.write("\r");
    });
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 && open.length === 0) resolve(shown);
      else reject(new Error(`exit code ${code}; not asked: ${open.join(", ")}\n${shown}`));
    });
  });
}

/** Every file below a folder, as mode and content. */
function snapshot(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => lstatSync(join(dir, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [
      name,
      `${lstatSync(join(dir, name)).mode.toString(8)} ${readFileSync(join(dir, name), "utf8")}`,
    ]),
  );
}

function bytesIn(dir: string): number {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}

describeWithParts("the tarball", ["npm"], () => {
  it("holds what is run and read, by folder and kind, and nothing else", () => {
    const { files } = pack();
    const paths = files.map(({ path }) => path);
    const kindOf = (path: string): string => `${/^[^/]+\//.exec(path)?.[0] ?? ""}*${extname(path)}`;
    expect([...new Set(paths.filter((path) => path.includes("/")).map(kindOf))].toSorted()).toEqual([
      "config/*.json",
      "config/*.jsonc",
      "dist/*.cjs",
      "dist/*.css",
      "dist/*.html",
      "dist/*.js",
      "dist/*.json",
      "dist/*.txt",
      "dist/*.webmanifest",
      "docs/*.md",
      "hooks/*.cjs",
      "hooks/*.cmd",
      "hooks/*.md",
      "hooks/*.sh",
      "icons/*.png",
      "man/*.1",
      "sounds/*.wav",
    ]);
    expect(paths.filter((path) => !path.includes("/")).toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "package.json",
    ]);
    expect(paths).toEqual(
      expect.arrayContaining([
        "dist/cli.js",
        "dist/hook.cjs",
        "dist/THIRD-PARTY-LICENSES.txt",
        "config/rules.default.jsonc",
        "config/rules.schema.json",
        "hooks/README.md",
        "hooks/hookbell-hook.sh",
        "hooks/hookbell-spool.sh",
      ]),
    );
    expect(paths.filter((path) => /^dist\/(?:bench|demo|plug-ins)/.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(levels.map((level) => `icons/${level}.png`)));
    expect(files.find(({ path }) => path === "dist/cli.js")?.mode).toBe(0o755);
  });

  it("is small", () => {
    const { size, unpackedSize } = pack();
    expect(size).toBeLessThan(mostPackedBytes);
    expect(unpackedSize).toBeLessThan(mostUnpackedBytes);
  });

  it("has the licence of every library in its bundles", () => {
    pack();
    const licences = readFileSync(join(folder, "copy", "dist", "THIRD-PARTY-LICENSES.txt"), "utf8");
    const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(([^)]+)\)$/gm)].map(([, name, id]) => [name, id]);
    expect(named).toEqual(
      expect.arrayContaining([
        ["@homebridge/dbus-native", "MIT"],
        ["nodemailer", "MIT-0"],
        ["x11", "MIT"],
        ["zod", "MIT"],
      ]),
    );
    // Parts of libraries that the build leaves out.
    expect(named.map(([name]) => name)).not.toContain("xml2js");
  });
});

const others = {
  ".factory/settings.json": [
    "// mine",
    "{",
    '  "model": "custom", /* do not touch */',
    '  "hooks": {',
    '    "Stop": [{ "hooks": [{ "type": "command", "command": "echo theirs" }] }], // theirs',
    '    "PreToolUse": [{ "matcher": "Execute", "hooks": [{ "type": "command", "command": "true", "timeout": 5 }] }]',
    "  }",
    "}",
    "",
  ].join("\n"),
  ".claude/settings.json": JSON.stringify(
    {
      permissions: { allow: ["Bash(ls:*)"] },
      hooks: { Stop: [{ matcher: "", hooks: [{ type: "command", command: "echo theirs" }] }] },
    },
    null,
    "\t",
  ).replaceAll("\n", "\r\n"),
};

/** The commands of hookbell that an agent's settings name for an event. */
function commandsFor(home: string, dir: string, event: string): string[] {
  return readdirSync(join(home, dir))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const settings = parse(readFileSync(join(home, dir, name), "utf8")) as Record<string, unknown>;
      const events = (name === "hooks.json" ? settings : settings.hooks) as Record<
        string,
        { hooks: { command: string }[] }[]
      >;
      return (events[event] ?? []).flatMap(({ hooks }) => hooks.map(({ command }) => command));
    })
    .filter((command) => command.includes("hookbell-hook.sh"));
}

const payloads: [dir: string, agent: string, event: string, file: string][] = [
  [".factory", "droid", "Notification", "Notification-permission-prompt.json"],
  [".factory", "droid", "Stop", "Stop.json"],
  [".factory", "droid", "SubagentStop", "SubagentStop.json"],
  [".factory", "droid", "SessionEnd", "SessionEnd-other.json"],
  [".claude", "claude-code", "Notification", "Notification-permission-prompt.json"],
  [".claude", "claude-code", "Stop", "Stop.json"],
  [".claude", "claude-code", "SubagentStop", "SubagentStop.json"],
  [".claude", "claude-code", "SessionEnd", "SessionEnd-other.json"],
];

describeWithParts(
  "the installed package",
  ["npm", "script", ...(isRegistryReachable() ? [] : ["npm-registry"])],
  () => {
    it("goes from one line of npx to the first notification, for a person at a terminal", async () => {
      const tarball = `./${pack().filename}`;
      const prefix = join(folder, "global");
      const home = join(folder, "npx-home");
      const cache = join(folder, "npx-cache");
      mkdirSync(join(home, ".claude"), { recursive: true });
      const receiver = await startHttpReceiver();
      try {
        const ops = { type: "webhook", url: `${receiver.origin}/ops` };
        const rules = { channels: { ops }, rules: [{ name: "all", notify: ["ops"] }] };
        mkdirSync(join(home, ".config", "hookbell"), { recursive: true });
        writeFileSync(join(home, ".config", "hookbell", "rules.jsonc"), JSON.stringify(rules), { mode: 0o600 });
        const env = { ...npmEnv(), HOME: home, npm_config_prefix: prefix, npm_config_cache: cache, TERM: "xterm" };

        // Without a terminal and without --yes, nothing is installed and nothing written.
        const refused = await run(["npx", "--yes", tarball, "init"], env, folder);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain("npx runs hookbell from a cache that npm may empty at any time");
        expect(refused.stderr).toMatch(/npm install --global --install-links \S+, then: hookbell init/);
        expect(readdirSync(join(home, ".claude"))).toEqual([]);

        const shown = await answerYes(`npx --yes ${tarball} init`, env, folder, [
          "Install it there now",
          "Which agents should hookbell listen to?",
          "Write this change?",
          "Send a first notification now?",
        ]);
        expect(shown).toMatch(/ops \(webhook\): .*delivered/);
        expect(receiver.requests.map(({ path }) => path)).toEqual(["/ops"]);
      } finally {
        await receiver.close();
      }
      const installed = join(prefix, "lib", "node_modules", "hookbell");
      expect(lstatSync(installed).isDirectory()).toBe(true);
      rmSync(cache, { recursive: true });
      const env = { ...npmEnv(), HOME: home };
      const own = join(prefix, "bin", "hookbell");
      expect(await run([own, "--version"], env, folder)).toMatchObject({ code: 0, stdout: `${version}\n` });
      expect(readFileSync(join(home, ".claude", "settings.json"), "utf8")).toContain(
        "hookbell-hook.sh --agent claude-code",
      );
    });

    it("is installed and installed by npx without a question, with --yes", async () => {
      const prefix = join(folder, "global-yes");
      const home = join(folder, "npx-yes-home");
      mkdirSync(join(home, ".claude"), { recursive: true });
      const env = {
        ...npmEnv(),
        HOME: home,
        npm_config_prefix: prefix,
        npm_config_cache: join(folder, "npx-yes-cache"),
      };
      const npx = ["npx", "--yes", `./${pack().filename}`, "init", "--yes"];
      const without = await run(npx, { ...env, HOME: join(folder, "no-agent") }, folder);
      expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("no coding agent was found") });
      expect(existsSync(prefix)).toBe(false);
      const ended = await run(npx, env, folder);
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Claude Code: adds ") });
      expect(existsSync(join(prefix, "lib", "node_modules", "hookbell", "dist", "cli.js"))).toBe(true);
      expect(readFileSync(join(home, ".claude", "settings.json"), "utf8")).toContain(
        "hookbell-hook.sh --agent claude-code",
      );
    });

    it("can be installed by npm install --global without a script that runs then", async () => {
      const prefix = join(folder, "global-tarball");
      const env = { ...npmEnv(), npm_config_prefix: prefix };
      const install = ["npm", "install", "--global", "--ignore-scripts", join(folder, pack().filename)];
      expect(await run(install, env, folder)).toMatchObject({ code: 0 });
      expect(await run([join(prefix, "bin", "hookbell"), "--help"], env, folder)).toMatchObject({
        code: 0,
        stderr: "",
      });
      // `man` looks beside the folders of PATH.
      expect(existsSync(join(prefix, "share", "man", "man1", "hookbell.1"))).toBe(true);
      const { scripts = {} } = JSON.parse(
        readFileSync(join(prefix, "lib", "node_modules", "hookbell", "package.json"), "utf8"),
      ) as { scripts?: Record<string, string> };
      expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
    });

    it("is set up in the agents, delivers what they say, and leaves no trace", async () => {
      const prefix = join(folder, "prefix");
      const home = join(folder, "home");
      for (const [path, text] of Object.entries(others)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
      }
      const before = snapshot(home);
      mkdirSync(prefix);
      const install = ["npm", "install", "--prefix", prefix, "--no-audit", "--no-fund", join(folder, pack().filename)];
      expect(await run(install, npmEnv(), folder)).toMatchObject({ code: 0 });
      expect(bytesIn(join(prefix, "node_modules"))).toBeLessThan(mostInstalledBytes);
      // The working copy's modules are out of reach from here.
      rmSync(join(folder, "copy"), { recursive: true });

      const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home };
      const hookbell = (args: readonly string[], input?: string): Promise<Ended> =>
        run([join(prefix, "node_modules", ".bin", "hookbell"), ...args], env, home, input);
      expect(await hookbell(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });

      const receiver = await startHttpReceiver();
      try {
        const configDir = join(home, ".config", "hookbell");
        mkdirSync(configDir, { recursive: true });
        writeFileSync(join(configDir, "signing"), `${signingSecret}\n`, { mode: 0o600 });
        const ops = { type: "webhook", url: `${receiver.origin}/ops`, secret: { file: "~/.config/hookbell/signing" } };
        const rules = { channels: { ops }, rules: [{ name: "all", notify: ["ops"] }] };
        writeFileSync(join(configDir, "rules.jsonc"), JSON.stringify(rules), { mode: 0o600 });

        expect(await hookbell(["init", "--agent", "droid,claude-code", "--yes"])).toMatchObject({
          code: 0,
          stderr: "",
        });
        for (const [dir, agent, event, file] of payloads) {
          const [command = "", ...more] = commandsFor(home, dir, event);
          expect([agent, event, more]).toEqual([agent, event, []]);
          const payload = readFileSync(join(fixtures, agent, "payloads", file), "utf8");
          // An agent's environment knows nothing of where hookbell lies.
          const ended = await run(["sh", "-c", command], { HOME: home, PATH: "/usr/bin:/bin" }, home, payload);
          expect(ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
        }
        const stop = readFileSync(join(fixtures, "droid", "payloads", "Stop.json"), "utf8");
        expect(await hookbell(["hook", "--agent", "by-hand"], stop)).toMatchObject({ code: 0, stdout: "", stderr: "" });
        await untilDelivered(hookbell);

        const webhook = new Webhook(signingSecret);
        const arrived = receiver.requests.map(({ body, headers }) => {
          const { data } = webhook.verify(body, headers as Record<string, string>) as {
            data: { event: { agent: string; name: string } };
          };
          return `${data.event.agent} ${data.event.name}`;
        });
        const sent = [...payloads.map(([, agent, event]) => `${agent} ${event}`), "by-hand Stop"];
        expect(arrived.sort()).toEqual(sent.sort());
        expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(sent.length);

        const doctor = await hookbell(["doctor"]);
        expect(doctor).toMatchObject({ code: 0, stderr: "" });
        expect(doctor.stdout).toContain("Droid: its hooks call this hookbell");
        expect(doctor.stdout).toContain("Claude Code: its hooks call this hookbell");
        expect(doctor.stdout).toContain("Nothing is broken.");
        const again = await hookbell(["init", "--agent", "droid,claude-code", "--yes"]);
        expect(again.stdout).toBe("Droid: nothing to change\nClaude Code: nothing to change\n");

        expect(await hookbell(["uninstall", "--yes"])).toMatchObject({ code: 0, stderr: "" });
        const left = Object.entries(snapshot(home)).filter(
          ([name]) => !/^\.(config|local\/state)\/hookbell\//.test(name),
        );
        expect(Object.fromEntries(left)).toEqual(before);
        expect(readdirSync(home).sort()).toEqual([".claude", ".config", ".factory", ".local"]);
      } finally {
        await receiver.close();
        stopDispatcher(join(home, ".local", "state", "hookbell", "lease"));
      }
    });
  },
);

async function untilDelivered(hookbell: (args: readonly string[]) => Promise<Ended>): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    const { stdout } = await hookbell(["status", "--json"]);
    const { incoming, outbox, dead } = JSON.parse(stdout) as Record<string, number>;
    expect(dead).toBe(0);
    if (incoming === 0 && outbox === 0) return;
    if (Date.now() > deadline) throw new Error(`not delivered: ${stdout}\n${(await hookbell(["log"])).stdout}`);
    await sleep(50);
  }
}

/** It would outlive the test by some seconds, in a folder that is gone. */
function stopDispatcher(lease: string): void {
  try {
    process.kill((JSON.parse(readFileSync(lease, "utf8")) as { pid: number }).pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
