// Starts the dispatcher when the person logs in, so that remotes are followed before the first local event.
import { dirname, join } from "node:path";
import { ensurePrivateDir, removeIfThere, statIfThere } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";

interface Start {
  argv: readonly string[];
  home: string;
  configDir: string;
  stateDir: string;
  /** The PATH of the person's shell. */
  searchPath: string | undefined;
  platform: NodeJS.Platform;
}

/** Undefined where nothing of the kind is known: docs/reference/REMOTE.md says what to do there. */
function loginFile({ home, platform }: Pick<Start, "home" | "platform">): string | undefined {
  if (platform === "linux") return join(home, ".config", "autostart", "hookbell.desktop");
  return platform === "darwin" ? join(home, "Library", "LaunchAgents", "hookbell.plist") : undefined;
}

/** The path of the file, if it was written now. */
export function startAtLogin(start: Start): string | undefined {
  const path = loginFile(start);
  if (path === undefined) return undefined;
  const { argv, configDir, stateDir, platform, searchPath } = start;
  const folders = { HOOKBELL_CONFIG_DIR: configDir, HOOKBELL_STATE_DIR: stateDir };
  // launchd's own PATH has no docker, no kubectl, and nothing of Homebrew.
  const text =
    platform === "darwin"
      ? launchAgent(argv, searchPath ? { ...folders, PATH: searchPath } : folders)
      : desktopEntry(["/usr/bin/env", ...Object.entries(folders).map(([name, value]) => `${name}=${value}`), ...argv]);
  if (text === undefined || readIfThere(path) === text) return undefined;
  ensurePrivateDir(dirname(path));
  writeWhole(path, text);
  return path;
}

/** The path of the file, if there was one of hookbell's own. */
export function dontStartAtLogin(start: Pick<Start, "home" | "platform">): string | undefined {
  const path = loginFile(start);
  return path !== undefined && removeIfThere(path) ? path : undefined;
}

export function startsAtLogin(start: Pick<Start, "home" | "platform">): boolean | undefined {
  const path = loginFile(start);
  return path === undefined ? undefined : statIfThere(path) !== undefined;
}

/** https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html */
function desktopEntry(words: readonly string[]): string {
  const quoted = words.map(
    (word) =>
      `"${word
        .replaceAll("%", "%%")
        .replace(/["`$\\]/g, "\\$&")
        .replaceAll("\\", "\\\\")}"`,
  );
  return `[Desktop Entry]
Type=Application
Name=hookbell
Comment=Follows the machines of hookbell remote
Exec=${quoted.join(" ")}
Terminal=false
NoDisplay=true
`;
}

/** https://www.w3.org/TR/xml/#charsets */
const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** See launchd.plist(5). Undefined for what XML cannot hold. */
export function launchAgent(argv: readonly string[], variables: Readonly<Record<string, string>>): string | undefined {
  if ([...argv, ...Object.values(variables)].some((text) => notInXml.test(text))) return undefined;
  // A parser would make a line break of a carriage return.
  const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };
  const string = (text: string): string =>
    `<string>${text.replace(/[&<>\r]/g, (sign) => escapes[sign] ?? sign)}</string>`;
  const pairs = Object.entries(variables).map(([name, value]) => `<key>${name}</key>${string(value)}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>hookbell</string>
  <key>ProgramArguments</key>
  <array>${argv.map(string).join("")}</array>
  <key>EnvironmentVariables</key>
  <dict>${pairs.join("")}</dict>
  <key>RunAtLoad</key><true/>
</dict>
</plist>
`;
}
