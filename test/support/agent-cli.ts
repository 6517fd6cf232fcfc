// The real coding agents, pinned, in a cache folder outside of the project.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** An agent's program as a package of npm. */
export interface AgentCli {
  /** The agent's id in hookbell. */
  agent: "claude-code" | "droid";
  package: string;
  version: string;
  /** Where the program lies in what npm installs. */
  program: string;
  /** The only machine it runs on, as `process.platform` and `process.arch` have it. */
  onlyOn?: string;
}

export const claudeCodeCli: AgentCli = {
  agent: "claude-code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.329",
  program: "node_modules/.bin/claude",
};

const droidCli: AgentCli = { agent: "droid", package: "droid", version: "0.215.0", program: "node_modules/.bin/droid" };

/** The newer Droid has no wrapper package that finds its parts; the part for one machine runs by itself. */
const newerDroidCli: AgentCli = {
  agent: "droid",
  package: "@factory/cli-linux-x64",
  version: "0.225.2",
  program: "node_modules/@factory/cli-linux-x64/bin/droid",
  onlyOn: "linux-x64",
};

/** Those that run on this machine. */
export const droidClis: readonly AgentCli[] = [droidCli, newerDroidCli].filter(
  ({ onlyOn }) => onlyOn === undefined || onlyOn === `${process.platform}-${process.arch}`,
);

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
