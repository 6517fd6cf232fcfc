// Makes the pictures of the page in docs/: a real server over a folder of made-up sessions, in Chromium. Needs chromium, script, setsid and
// ImageMagick; `npm run build` comes before it. With a folder as argument, it writes every picture there, uncompressed, and changes nothing in docs/.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(root, "dist/cli.js");
const [aside] = process.argv.slice(2);
const second = 1000;
const minute = 60 * second;
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 844 } };

const home = mkdtempSync(join(tmpdir(), "hookbell-pictures-"));
const state = join(home, "state");
/** The pictures say nothing of the machine that they were made on. */
const elsewhere = join(home, "elsewhere.cjs");
writeFileSync(elsewhere, 'require("node:os").hostname = () => "laptop";\n');
const env = {
  PATH: process.env.PATH,
  HOME: home,
  NODE_OPTIONS: `--require ${elsewhere}`,
  TZ: "UTC",
  HOOKBELL_CONFIG_DIR: join(home, "config"),
  HOOKBELL_STATE_DIR: state,
};
const started = [];
const hookbell = (...args) => {
  const child = spawn(process.execPath, [cli, ...args], {
    env,
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  return child;
};

const rules = {
  answers: { allow: ["Bash(npm publish*)"], hold: "always" },
  channels: {
    desktop: { type: "command", argv: ["true"], expireAfter: "1d" },
    phone: { type: "command", argv: ["true"] },
    ops: { type: "webhook", url: "http://127.0.0.1:9/hooks", expireAfter: "1d" },
  },
  rules: [
    { name: "needs me", when: { level: ["attention"] }, notify: ["desktop", "phone"] },
    { name: "failures", when: { event: "StopFailure" }, notify: ["desktop", "ops"] },
    { name: "done", when: { event: "Stop" }, notify: ["desktop"] },
  ],
};

const bash = (command) => ({ tool_name: "Bash", tool_input: { command } });
const edit = (file_path) => ({ tool_name: "Edit", tool_input: { file_path, old_string: "a", new_string: "b" } });
/**
 * Seconds ago, agent, project, session, event and its fields.
 * @type {[number, string, string, string, string, object][]}
 */
const story = [
  [1500, "claude-code", "landing", "land", "UserPromptSubmit", { prompt: "Make the hero smaller." }],
  [900, "claude-code", "landing", "land", "SessionEnd", { reason: "prompt_input_exit" }],
  [1320, "droid", "billing", "bill", "UserPromptSubmit", { prompt: "Round the invoices." }],
  [840, "droid", "billing", "bill", "StopFailure", { error: "server_error", message: "API error 529: overloaded" }],
  [700, "codex", "search", "sear", "UserPromptSubmit", { prompt: "Index the archive." }],
  [
    410,
    "codex",
    "search",
    "sear",
    "StopFailure",
    { error: "authentication_failed", message: "Your login has expired." },
  ],
  [1100, "claude-code", "shop-api", "api1", "UserPromptSubmit", { prompt: "Add an endpoint for refunds." }],
  [14, "claude-code", "shop-api", "api1", "PreToolUse", bash("npm test -- --coverage")],
  [640, "claude-code", "docs", "docs", "UserPromptSubmit", { prompt: "Describe the refunds." }],
  [8, "claude-code", "docs", "docs", "PreToolUse", edit("docs/refunds.md")],
  [520, "codex", "shop-web", "web2", "UserPromptSubmit", { prompt: "Speed up the product list." }],
  [31, "codex", "shop-web", "web2", "PreToolUse", bash("npm run bench -- --filter list")],
  [450, "qwen-code", "mobile-app", "mobi", "UserPromptSubmit", { prompt: "Use the new icons." }],
  [95, "qwen-code", "mobile-app", "mobi", "PreToolUse", bash("npx expo run:ios")],
  [360, "claude-code", "shop-web", "web1", "UserPromptSubmit", { prompt: "Publish the cart." }],
];
/** The strip of the day has a row for each project, with what happened in each quarter of an hour. */
const day = [
  ["shop-web", "t.twt..tt.w.t.tt.tw.t..t"],
  ["shop-api", "..t.t.tt.t..w.t.t.t"],
  ["docs", "....t..t.t...t.t"],
  ["billing", ".......t.tf.t...t.f"],
  ["search", "t..t....w.t....f"],
];
const names = { t: "Stop", w: "PermissionRequest", f: "StopFailure" };
const levels = { Stop: "success", PermissionRequest: "attention", StopFailure: "error" };
const words = {
  Stop: "All tests pass.",
  PermissionRequest: "run `make deploy`?",
  StopFailure: "API error 529: overloaded",
};

function writeStory() {
  mkdirSync(join(home, "config"), { recursive: true });
  writeFileSync(join(home, "config/rules.jsonc"), JSON.stringify(rules, null, 2));
  for (const folder of ["incoming", "journal"]) mkdirSync(join(state, folder), { recursive: true, mode: 0o700 });
  const now = Date.now();
  let line = 0;
  for (const [ago, agent, project, session, event, fields] of story) {
    const at = now - ago * second;
    const file = join(state, "incoming", `${at}-${(line += 1)}-1.${agent}.-.json`);
    const payload = {
      hook_event_name: event,
      session_id: `5f2c0000-${session}`,
      cwd: `/home/ann/${project}`,
      ...fields,
    };
    writeFileSync(file, JSON.stringify(payload), { mode: 0o600 });
    utimesSync(file, at / second, at / second);
  }
  // The day ends a little before now, since its quarters of an hour must have passed.
  const longest = Math.max(...day.map(([, quarters]) => quarters.length));
  const entries = day.flatMap(([project, quarters]) =>
    [...quarters].flatMap((kind, index) => {
      const at = new Date(now - (longest - index + 1) * 15 * minute);
      return kind === "." ? [] : told(`evt_${project}${index}`, names[kind], project, at.toISOString());
    }),
  );
  for (const date of new Set(entries.map(({ at }) => at.slice(0, 10)))) {
    const lines = entries
      .filter(({ at }) => at.startsWith(date))
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map((each) => `${JSON.stringify(each)}\n`);
    writeFileSync(join(state, "journal", `${date}.jsonl`), lines.join(""), { mode: 0o600 });
  }
}

/** What the dispatcher records of an event that it sent to the desktop. */
function told(id, name, project, at) {
  const channel = "desktop";
  const delivery = `msg_${createHash("sha256").update(`${id}\n${channel}`).digest("hex").slice(0, 24)}`;
  const facts = { agent: "claude-code", session: id, cwd: `/home/ann/${project}`, project, host: "laptop" };
  const event = { id, name, ...facts, level: levels[name], message: words[name], at };
  const about = { agent: "claude-code", project, event: name, words: words[name] };
  const deliveries = [{ id: delivery, channel, rule: "done" }];
  return [
    { at, kind: "event", event, known: {} },
    { at, kind: "decision", event: id, rules: [], deliveries, silent: [] },
    { at, kind: "attempt", delivery, event: id, channel, attempt: 1, ms: 40, outcome: "delivered", about },
  ];
}

/** A hook that waits, so that the question has buttons. */
function ask() {
  const hook = spawn(process.execPath, [join(root, "dist/hook.cjs"), "--agent", "claude-code", "--answer"], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  started.push(hook);
  const cwd = "/home/ann/shop-web";
  const payload = {
    hook_event_name: "PermissionRequest",
    session_id: "5f2c0000-web1",
    cwd,
    permission_mode: "default",
  };
  hook.stdin.end(JSON.stringify({ ...payload, ...bash("npm publish --access public") }));
}

async function serve() {
  const server = hookbell("serve", "--port", "0", "--user", "ann");
  let said = "";
  for await (const chunk of server.stdout) {
    said += chunk;
    const url = /^listening on (\S+)\n/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended: ${said}`);
}

/** Pairing needs a terminal, as a person has one. */
function pairingLink(name) {
  const command = `${process.execPath} ${cli} devices add --answer --administer --name "${name}"`;
  const file = join(home, "shown");
  execFileSync("sh", ["-c", `setsid -w script -qec '${command}' ${file} </dev/null >/dev/null 2>&1`], {
    env,
    cwd: home,
  });
  return /http:\S+#pair=\S+/.exec(readFileSync(file, "utf8"))[0].trim();
}

const pictures = {
  async now(tab) {
    await tab.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await tab.locator("button.allow:enabled").waitFor();
  },
  async why(tab) {
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab.getByText("npm publish").first().waitFor();
  },
  async whatIf(tab) {
    await tab.getByRole("link", { name: "What if", exact: true }).click();
    const editor = tab.getByLabel("Rules");
    await tab.waitForFunction(() => document.querySelector("textarea")?.value.includes("needs me") === true);
    await editor.fill((await editor.inputValue()).replace('"event": "Stop"', '"event": "Stop", "project": "shop-*"'));
    await tab.getByRole("button", { name: "Replay" }).click();
    await tab.getByRole("table").first().waitFor();
  },
  async deliveries(tab) {
    await tab.getByRole("link", { name: "Deliveries", exact: true }).click();
    await tab.getByText("Channels").waitFor();
  },
  async usage(tab) {
    await tab.getByRole("link", { name: "Usage", exact: true }).click();
    await tab.waitForTimeout(1500);
  },
};

async function take() {
  writeStory();
  await serve();
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const shots = aside ?? join(home, "shots");
  mkdirSync(shots, { recursive: true });
  try {
    const tabs = new Map();
    for (const [size, viewport] of Object.entries(sizes)) {
      const context = await browser.newContext({ viewport, timezoneId: "UTC", hasTouch: size === "phone" });
      const tab = await context.newPage();
      await tab.goto(pairingLink(size));
      tabs.set(size, tab);
    }
    // A hook waits only where a browser is paired that may answer.
    ask();
    hookbell("dispatch");
    for (const [name, show] of Object.entries(pictures)) {
      for (const [size, tab] of tabs) {
        await show(tab);
        for (const colorScheme of ["light", "dark"]) {
          await tab.emulateMedia({ colorScheme });
          await tab.screenshot({ path: join(shots, `${name}-${size}-${colorScheme}.png`) });
        }
      }
    }
  } finally {
    await browser.close();
  }
  if (aside !== undefined) return;
  store("page", "now-phone-dark", "now-desk-light");
  store("page-why", "why-desk-dark");
  store("page-what-if", "whatIf-desk-light");
}

/** Beside each other. 64 colours are enough for flat areas and text, and take a third of the bytes. */
function store(name, ...shots) {
  const files = shots.map((shot) => join(home, "shots", `${shot}.png`));
  const path = join(root, "docs/images", `${name}.png`);
  execFileSync("convert", [...files, "+append", "+dither", "-colors", "64", "-strip", path]);
}

/** A hook may have started the dispatcher. */
function endDispatcher() {
  const status = execFileSync(process.execPath, [cli, "status", "--json"], { env, cwd: home, encoding: "utf8" });
  const { running, pid } = JSON.parse(status).dispatcher;
  if (running) process.kill(pid, "SIGTERM");
}

try {
  await take();
} finally {
  for (const child of started) child.kill("SIGTERM");
  endDispatcher();
  await sleep(2 * second);
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
