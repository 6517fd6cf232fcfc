// 1.0.0-rc.1 as it was built, run beside what is built now. rc1-program.json.br has the files of commit 14ba2789 after `npm ci` and
// `npm run build` that the tests run, byte for byte and compressed by Brotli: the hook, the command line with the chunks of
// its dispatcher, fleet and server, the page, and the scripts of hooks/. A command whose chunk is not there fails and names it.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { end, type Ended, type Project } from "../project/running-project.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** They are the same now, or nothing that the tests run depends on what they say. */
const sharedFolders = ["config", "icons", "node_modules", "sounds"];

const filesOfRc1 = (): Record<string, string> =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL("rc1-program.json.br", import.meta.url))).toString()) as Record<
    string,
    string
  >;

/** A hookbell of any version, in a package of its own. */
export interface Program {
  folder: string;
  start(project: Project, args: readonly string[]): ChildProcess;
  run(project: Project, args: readonly string[], input?: string): Promise<Ended>;
  /** The hook, with its standard streams as pipes. */
  startHook(project: Project, args: readonly string[]): ChildProcess;
}

function programIn(folder: string): Program {
  const spawnFile = (file: string, { env, home }: Project, args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [join(folder, "dist", file), ...args], { env, cwd: home, stdio: "pipe" });
  return {
    folder,
    start: (project, args) => spawnFile("cli.js", project, args),
    run: (project, args, input = "") => end(spawnFile("cli.js", project, args), input),
    startHook: (project, args) => spawnFile("hook.cjs", project, args),
  };
}

/** `folder` is new. */
export function unpackRc1(folder: string): Program {
  for (const [path, text] of Object.entries(filesOfRc1())) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  }
  for (const name of sharedFolders) symlinkSync(join(root, name), join(folder, name));
  return programIn(folder);
}

/** One of its files. */
export function fileOfRc1(path: string): string {
  const text = filesOfRc1()[path];
  if (text === undefined) throw new Error(`the recorded files of 1.0.0-rc.1 have no ${path}`);
  return text;
}

/** What is built now, as npm puts it in place. */
export function copyProgramOfNow(folder: string): Program {
  for (const name of ["dist/chunks", "dist/cli.js", "dist/hook.cjs", "dist/package.json", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of [...sharedFolders, "hooks"]) symlinkSync(join(root, name), join(folder, name));
  return programIn(folder);
}
