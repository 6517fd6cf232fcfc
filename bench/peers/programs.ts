// Other notifiers, as an agent calls them: each in a home of its own, with a desktop that counts.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export interface Installed {
  name: string;
  version: string;
  /** Its settings in this home: the desktop, and the webhook if there is one. */
  setUp(home: string, webhook: string | undefined): void;
  /** Undefined for an event that its installer does not install. */
  argv(home: string, payload: Readonly<Record<string, unknown>>): string[] | undefined;
  /** It can only show notifications on the desktop. */
  hasNoWebhook?: boolean;
  /** What its figures do not show. */
  note?: string;
}

export interface NotHere {
  name: string;
  why: string;
}

interface Peer {
  name: string;
  /** Its name in the registry of npm, if its documentation names one. */
  npm?: string;
  install(folder: string): Omit<Installed, "name" | "version">;
  /** A file with the version, and where in it. */
  version: [file: string, pattern: RegExp];
}

const write = (path: string, value: unknown): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

const peers: readonly Peer[] = [
  {
    name: "peon-ping",
    version: ["VERSION", /^(\S+)/],
    install: (folder) => ({
      setUp(home, webhook) {
        const own = join(home, ".claude", "hooks", "peon-ping");
        for (const part of ["peon.sh", "scripts", "VERSION"]) {
          cpSync(join(folder, part), join(own, part), { recursive: true });
        }
        const settings = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as object;
        const phone = { mobile_notify: { enabled: true, service: "ntfy", topic: "t", server: webhook } };
        write(join(own, "config.json"), { ...settings, ...(webhook === undefined ? {} : phone) });
      },
      argv: (home, { hook_event_name: event }) =>
        whereSent(event, ["UserPromptSubmit", "Stop", "Notification", "PermissionRequest", "SubagentStop"]) && [
          "bash",
          join(home, ".claude", "hooks", "peon-ping", "peon.sh"),
        ],
      note: 'its installer adds its hooks with `"async": true`, so Claude Code does not wait for them',
    }),
  },
  {
    name: "Code-Notify",
    npm: "code-notify",
    version: ["package.json", /"version": "([^"]+)"/],
    install: (folder) => ({
      setUp(home, webhook) {
        const channels = webhook === undefined ? [] : [{ name: "slack", provider: "slack", url: webhook }];
        write(join(home, ".config", "code-notify", "channels.json"), { enabled: true, channels });
      },
      argv(_home, { hook_event_name: event, notification_type: kind }) {
        const isIdle = event === "Notification" && kind === "idle_prompt";
        const called = event === "Stop" ? "stop" : isIdle ? "notification" : undefined;
        return called && ["bash", join(folder, "lib", "code-notify", "core", "notifier.sh"), called, "claude"];
      },
    }),
  },
  {
    name: "anotifier",
    npm: "anotifier",
    version: ["package.json", /"version": "([^"]+)"/],
    install: (folder) => ({
      setUp(home, webhook) {
        write(join(home, ".anotifier", "config.json"), {
          ntfy: { enabled: false },
          terminalBell: { enabled: false },
          updateCheck: { enabled: false },
          webhook: { enabled: webhook !== undefined, url: webhook ?? "", format: "generic" },
        });
      },
      argv: (_home, { hook_event_name: event }) =>
        whereSent(event, ["Stop", "Notification"]) && [
          process.execPath,
          join(folder, "src", "notify.mjs"),
          "--source",
          "claude",
        ],
    }),
  },
  {
    name: "CCNotify",
    version: ["README.md", /(?!)/],
    install: (folder) => ({
      setUp(home) {
        mkdirSync(join(home, ".claude", "ccnotify"), { recursive: true });
        cpSync(join(folder, "ccnotify.py"), join(home, ".claude", "ccnotify", "ccnotify.py"));
      },
      argv: (home, { hook_event_name: event }) =>
        whereSent(event, ["UserPromptSubmit", "Stop", "Notification"]) && [
          "python3",
          join(home, ".claude", "ccnotify", "ccnotify.py"),
          String(event),
        ],
      hasNoWebhook: true,
    }),
  },
];

function whereSent(event: unknown, events: readonly string[]): true | undefined {
  return events.includes(String(event)) || undefined;
}

/** From npm into `folder`, or from a clone below `clones` that has the name of its repository. */
export function installPeers(folder: string, clones: string | undefined): (Installed | NotHere)[] {
  return peers.map((peer) => {
    const { name, npm } = peer;
    const clone = clones === undefined ? undefined : join(clones, npm ?? name);
    const found =
      (npm === undefined ? undefined : fromNpm(folder, npm)) ?? (clone && existsSync(clone) ? clone : undefined);
    if (found === undefined) {
      const where = npm === undefined ? "it is not on npm" : `npm has no ${npm} here`;
      return { name, why: `${where}, and there is no clone of its repository` };
    }
    const [file, pattern] = peer.version;
    const version = pattern.exec(readFileSync(join(found, file), "utf8"))?.[1];
    return { name, version: version ?? "newest commit", ...peer.install(found) };
  });
}

/** Runs no script of the package. */
function fromNpm(folder: string, name: string): string | undefined {
  const flags = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=silent"];
  const { status } = spawnSync("npm", ["install", ...flags, name], { stdio: "ignore" });
  return status === 0 ? join(folder, "node_modules", name) : undefined;
}

/** Programs that show a notification: each writes a line into the file that DESKTOP_LOG names. */
export function countingDesktop(folder: string): { env: NodeJS.ProcessEnv; shown(): number } {
  const log = join(folder, "desktop.log");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(log, "");
  for (const name of ["notify-send", "terminal-notifier"]) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho shown >>"$DESKTOP_LOG"\n', { mode: 0o700 });
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, DESKTOP_LOG: log };
  return { env, shown: () => readFileSync(log, "utf8").split("\n").length - 1 };
}

/** libfaketime, which gives a program another clock. https://github.com/wolfcw/libfaketime */
export function findFakeTime(): string | undefined {
  return ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path));
}
