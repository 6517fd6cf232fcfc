// Offers to install a hookbell that npx runs from its cache, then continues with the installed one.
import { join } from "node:path";
import { cacheProblem, permanentInstall } from "../../install/installation.ts";
import { exitCodes, UserError } from "../../model/errors.ts";
import { typedWord } from "../../model/places/user-shell.ts";
import { runningNode } from "../../system/package.ts";
import { runProcess } from "../../system/process/run.ts";
import { runAttached } from "../../system/process/run-attached.ts";
import type { Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { endUnwritten } from "../../console/confirm.ts";

const maxQueryMs = 30_000;

/** `folder` is the package in the cache; `args` are the arguments of this `init`. Without `ask`, `--yes` has consented. */
export async function leaveCache(
  io: Pick<CommandIo, "stdout" | "stderr" | "env">,
  ask: Pick<Ask, "confirm"> | undefined,
  folder: string,
  args: readonly string[],
): Promise<number> {
  // npx sets the path of its own npm.
  const { npm_execpath: npmScript } = io.env;
  const npm: [string, ...string[]] = npmScript === undefined ? ["npm"] : [runningNode(), npmScript];
  const install = permanentInstall(folder);
  io.stdout(`${cacheProblem}.\n`);
  const question = `Install it there now (npm ${install.map((word) => typedWord(word)).join(" ")})?`;
  if (ask !== undefined && (await ask.confirm(question, true)) !== true) return endUnwritten(io);
  const attached = { env: io.env, maxTailBytes: undefined };
  const installed = await runAttached([...npm, ...install], attached);
  const modules = await runProcess({ argv: [...npm, "root", "--global"], env: io.env, timeoutMs: maxQueryMs });
  const isDone = installed.status === "ended" && installed.code === 0;
  if (!isDone || modules.status !== "exited" || modules.code !== 0) {
    throw new UserError("install.global", "npm could not install hookbell", {
      hint: "if it may not write there, choose a folder of yours: npm config set prefix ~/.local",
    });
  }
  // On Windows, the command `hookbell` is a script of the shell's.
  const program = join(modules.stdout.trim(), "hookbell", "dist", "cli.js");
  const went = await runAttached([runningNode(), program, "init", ...args], attached);
  return went.status === "ended" ? went.code : exitCodes.failed;
}
