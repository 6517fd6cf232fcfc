// Runs one send of a channel in a process of its own, bundled as the package is, so that it can hang, die or overlap.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { longestWaitMs } from "../longest-wait.ts";

const root = resolve(import.meta.dirname, "../../..");

export interface ChannelRun {
  /** Undefined when it had to be killed. */
  exitCode: number | undefined;
  /** The outcome, as the process printed it. */
  outcome: unknown;
  stderr: string;
}

export interface ChannelProgram {
  /** Sends with these settings, message and environment, and waits for the process to end by itself. */
  send(request: {
    settings?: object;
    message?: object;
    env: Record<string, string>;
    stateDir: string;
  }): Promise<ChannelRun>;
  remove(): void;
}

/** The path of the file that defines the type. */
function sourceOf(type: string): string {
  const folder = join(root, "src/channels");
  const path = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
    (each) => basename(each) === `${type}.ts`,
  );
  return join(folder, path ?? `${type}.ts`);
}

/** `type` is the name of the channel's file and of its export. */
export async function buildChannelProgram(type: string): Promise<ChannelProgram> {
  const dir = mkdtempSync(join(tmpdir(), "hookbell-program-"));
  for (const name of ["package.json", "node_modules", "sounds"]) symlinkSync(join(root, name), join(dir, name));
  const entry = join(dir, "entry.ts");
  writeFileSync(
    entry,
    `import { ${type} } from ${JSON.stringify(sourceOf(type))};
     import { localRequest, localTools } from ${JSON.stringify(join(root, "test/support/channels/channel-request.ts"))};
     const { settings, message, stateDir } = JSON.parse(process.argv[2]);
     const request = localRequest(message ?? {}, ${type}.settings.parse(settings ?? {}));
     console.log(JSON.stringify(await ${type}.send(request, localTools(process.env, stateDir))));`,
  );
  await build({
    absWorkingDir: dir,
    entryPoints: [entry],
    outdir: join(dir, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
  });
  return {
    remove: () => rmSync(dir, { recursive: true, force: true }),
    send: ({ env, ...request }) =>
      new Promise((resolveRun) => {
        const args = [join(dir, "dist", "entry.mjs"), JSON.stringify(request)];
        const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
        let stdout = "";
        let stderr = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
        child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
        const timer = setTimeout(() => child.kill("SIGKILL"), longestWaitMs);
        child.on("close", (code) => {
          clearTimeout(timer);
          resolveRun({ exitCode: code ?? undefined, outcome: stdout === "" ? undefined : JSON.parse(stdout), stderr });
        });
      }),
  };
}
