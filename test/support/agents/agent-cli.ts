// The real coding agents, pinned, in a cache folder outside of the project.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentCli, AgentRecipe } from "./recipe.ts";

/** Those programs of an agent that run on this machine. */
export function clisHere({ clis }: AgentRecipe): readonly AgentCli[] {
  return clis.filter(({ onlyOn }) => onlyOn === undefined || onlyOn === `${process.platform}-${process.arch}`);
}

const installDeadlineMs = 280_000;

/** The absolute path of the agent's program, installed unless it is there already. */
export async function installAgentCli(cli: AgentCli): Promise<string> {
  const cache = join(tmpdir(), "hookbell-agents");
  const name = `${cli.package.replace("/", "+")}@${cli.version}`;
  const folder = join(cache, name);
  const program = join(folder, cli.program);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, ".installing-"));
  try {
    const args = [
      "install",
      "--prefix",
      aside,
      "--no-audit",
      "--no-fund",
      "--no-save",
      `${cli.package}@${cli.version}`,
    ];
    await promisify(execFile)("npm", args, {
      env: npmEnvironment(),
      timeout: installDeadlineMs,
      killSignal: "SIGKILL",
    });
    if (!existsSync(join(aside, cli.program))) throw new Error(`${name} holds no ${cli.program}`);
    renameSync(aside, folder);
  } catch (error) {
    // Another worker was faster, which is as good.
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return program;
}

/** The person's own npm settings name the registry; HOME is an empty folder in tests. */
function npmEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, HOME: homedir() === process.env.HOOKBELL_TEST_HOME ? userInfo().homedir : homedir() };
}
