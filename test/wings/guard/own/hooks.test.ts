import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InstallRecord } from "../../../../src/own-files/install-record.ts";
import { sha256 } from "../../../../src/system/crypto.ts";
import { LaunchFinder } from "../../../../src/wings/guard/launches/find.ts";
import { type OwnFiles, OwnHooks } from "../../../../src/wings/guard/own/hooks.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

const plugIn = ".config/opencode/plugins/hookbell.js";
const settings = ".claude/settings.json";

/** Settings of Claude Code's, in which hookbell's hook has these events. */
function settingsWith(home: string, ...events: string[]): string {
  const command = `${home}/state/hookbell-hook.sh --agent claude-code`;
  const groups = events.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]);
  return JSON.stringify({ hooks: Object.fromEntries(groups) as object });
}

function prepare() {
  const home = temporaryFolder();
  const stateDir = join(home, "state");
  const record: InstallRecord = { hookPaths: [], files: [] };
  const put = (name: string, text: string): string => {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  let known: OwnFiles = {};
  let now = 0;
  const own = new OwnHooks();
  return {
    home,
    put,
    record,
    /** As `init` does. */
    init(name: string, text: string): void {
      const path = put(name, text);
      const written = { addedEvents: [], hasAddedHooksKey: false, hasMadeFolder: false, writtenHash: sha256(text) };
      record.files = [...record.files.filter((file) => file.path !== path), { path, ...written }];
      put("state/installed.json", "{}");
    },
    /** What is told, after so many milliseconds. */
    look(afterMs: number): string[] {
      now += afterMs;
      const files = new LaunchFinder({ env: {}, home, platform: "linux" }).look([], now);
      const found = own.look(known, { files, own: { stateDir, home, record } }, now);
      known = { ...found.known, ...Object.fromEntries(found.lost.map(({ path, after }) => [path, after])) };
      return found.lost.flatMap(({ names, isFileGone }) => [...names, ...(isFileGone ? ["the file"] : [])]);
    },
  };
}

describe("hookbell's own entries", () => {
  it("are missed once, two seconds after another program took them out", () => {
    const { home, put, init, look } = prepare();
    init(settings, settingsWith(home, "SessionEnd", "Stop"));
    expect(look(0)).toEqual([]);
    put(settings, `${settingsWith(home, "Stop")}\n`);
    expect([look(1000), look(1999), look(1), look(5000)]).toEqual([[], [], ["SessionEnd"], []]);
    put(settings, "");
    expect([look(1000), look(2000), look(5000)]).toEqual([[], ["Stop"], []]);
    put(settings, settingsWith(home, "Stop"));
    look(1000);
    put(settings, "{}");
    expect([look(1000), look(2000), look(5000)]).toEqual([[], ["Stop"], []]);
  });

  it("are not missed where an agent wrote its file anew, or a command of hookbell's has changed it", () => {
    const { home, put, init, look, record } = prepare();
    init(settings, settingsWith(home, "SessionEnd", "Stop"));
    look(0);
    rmSync(put(settings, ""));
    expect(look(100)).toEqual([]);
    put(settings, settingsWith(home, "Stop").slice(0, 40));
    expect([look(1000), look(5000)]).toEqual([[], []]);
    put(settings, settingsWith(home, "Stop", "SessionEnd"));
    expect(look(1000)).toEqual([]);
    // `init` with rules that need fewer of them, after which an agent has written the file.
    init(settings, settingsWith(home, "Stop"));
    put(settings, `${settingsWith(home, "Stop")}\n`);
    expect([look(1000), look(5000)]).toEqual([[], []]);
    // `uninstall` takes a file off the record.
    record.files = [];
    put(settings, "{}");
    expect([look(1000), look(5000)]).toEqual([[], []]);
  });

  it("are missed with a plug-in's whole file, also without the record of what init wrote", () => {
    const { put, init, look, home, record } = prepare();
    init(plugIn, "export const hookbell = 1;");
    look(0);
    // This is told of as a new program.
    put(plugIn, "export const other = 1;");
    expect([look(1000), look(5000)]).toEqual([[], []]);
    rmSync(join(home, plugIn));
    rmSync(join(home, "state/installed.json"));
    record.files = [];
    expect([look(1000), look(2000), look(5000)]).toEqual([[], ["hookbell.js", "the file"], []]);
  });
});
