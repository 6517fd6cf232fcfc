// A user of a Windows, with hookbell installed as `npm install --global` leaves it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPart } from "../../support/parts.ts";
import type { Windows, WindowsCall, WindowsResult } from "./windows.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const system = String.raw`C:\windows\system32;C:\windows`;

export interface WindowsUser {
  name: string;
  /** Such as `C:\users\Ann Lee`. */
  home: string;
  env: Record<string, string>;
  /** Where hookbell keeps its state. */
  stateDir: string;
  /** A path below the home, with `/`, out here. */
  file(name: string): string;
  /** Writes a file below the home, and returns its path on Windows. */
  put(name: string, text: string): string;
  run(call: WindowsCall): Promise<WindowsResult>;
  /** `hookbell` with these arguments, by Node and without a shell. */
  hookbell(...args: string[]): Promise<WindowsResult>;
}

/** A user with an empty home but for the package. */
export async function newUser(windows: Windows, name: string): Promise<WindowsUser> {
  const home = `C:\\users\\${name}`;
  const local = `${home}\\AppData\\Local`;
  const roaming = `${home}\\AppData\\Roaming`;
  const temporary = `${local}\\Temp`;
  rmSync(windows.fileOf(home), { recursive: true, force: true });
  for (const folder of [temporary, roaming]) mkdirSync(windows.fileOf(folder), { recursive: true });
  await layOut(windows.fileOf(`${roaming}\\npm`));
  const env = {
    USERNAME: name,
    USERPROFILE: home,
    HOMEPATH: home.slice("C:".length),
    LOCALAPPDATA: local,
    APPDATA: roaming,
    TEMP: temporary,
    TMP: temporary,
    PATH: `${roaming}\\npm;C:\\Program Files\\nodejs;${system}`,
  };
  const file = (below: string): string => join(windows.fileOf(home), below);
  const run: WindowsUser["run"] = (call) => windows.run({ cwd: home, ...call, env: { ...env, ...call.env } });
  const cli = `${roaming}\\npm\\node_modules\\hookbell\\dist\\cli.js`;
  return {
    name,
    home,
    env,
    stateDir: `${local}\\hookbell`,
    file,
    put(below, text) {
      mkdirSync(dirname(file(below)), { recursive: true });
      writeFileSync(file(below), text);
      return `${home}\\${below.replaceAll("/", "\\")}`;
    },
    run,
    hookbell: (...args) => run({ argv: ["node.exe", cli, ...args] }),
  };
}

/** The files that npm packs, the packages that they need, and npm's own shims beside them. */
async function layOut(folder: string): Promise<void> {
  const target = join(folder, "node_modules", "hookbell");
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
  const [packed] = JSON.parse(listed.toString()) as { files: { path: string }[] }[];
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const needed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  for (const path of [...(packed?.files ?? []).map((file) => file.path), ...needed.map(([name]) => name)]) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), { recursive: true });
  }
  const npm = dirname(dirname(realpathSync(findPart("npm") ?? "npm")));
  const writeShims = createRequire(join(npm, "package.json"))("cmd-shim") as (
    from: string,
    to: string,
  ) => Promise<void>;
  await writeShims(join(target, "dist", "cli.js"), join(folder, "hookbell"));
}
