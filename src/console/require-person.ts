// Refuses what grants a right, unless a person at a terminal has started it.
import { agents } from "../agents/index.ts";
import { descendsFrom, isShell, upToTerminal } from "../answers/asker.ts";
import { listQuestions } from "../answers/questions.ts";
import { UserError } from "../model/errors.ts";
import { layoutOf } from "../outbox/layout.ts";
import { processesOf } from "../outbox/current-sessions.ts";
import { listSessions } from "../outbox/sessions.ts";
import { environmentOf } from "../system/environment.ts";
import type { CommandIo } from "./command-io.ts";

const hint = "run it in a terminal of your own, outside of the agent's session";

function refuseAgents(command: string, io: CommandIo): void {
  const caller = io.ancestry();
  const names = agents.flatMap(({ variables }) => variables.ofCommands);
  // `env -i` and a terminal of one's own hide nothing of what the processes above it were started with.
  const environments = [io.env, ...caller.map(({ pid }) => environmentOf(pid, names))];
  for (const { name, variables } of agents) {
    const found = variables.ofCommands.find((variable) => environments.some((env) => env?.[variable] !== undefined));
    if (found === undefined) continue;
    throw new UserError(`${command}.agent`, `${name} runs this command (${found} is set), and no agent may do that`, {
      hint,
    });
  }
  const layout = layoutOf(io.places.stateDir);
  const askers = listQuestions(layout).flatMap(({ asker }) => asker);
  if (descendsFrom(caller, askers)) {
    throw new UserError(`${command}.agent`, "the agent that asks runs this command, and no agent may do that", {
      hint,
    });
  }
  // Where the agent itself has ended, its terminal's process is the person's own shell.
  const others = caller.filter(({ program }) => !isShell(program));
  const session = listSessions(layout).find(
    (each) => each.host === undefined && descendsFrom(others, processesOf(each)),
  );
  if (session === undefined) return;
  const name = agents.find(({ id }) => id === session.agent)?.name ?? session.agent;
  throw new UserError(`${command}.agent`, `${name} runs this command, and no agent may do that`, { hint });
}

/**
 * Throws if an agent has started this command, and if the command has no terminal, or is cut off from the shell that leads its
 * terminal. `command` is its name for error codes. The command line calls it before each command that `commands/index.ts` says
 * to grant something; a command calls it where a person grants something while it runs.
 */
export function requirePerson(command: string, io: CommandIo): void {
  refuseAgents(command, io);
  // Windows does not show these processes.
  if (io.platform === "win32" || upToTerminal(io.ancestry()).length > 0) return;
  throw new UserError(
    `${command}.terminal`,
    "this command needs a terminal in which a person has started it, so that no agent can grant this",
    {
      hint: "run it in a terminal of your own; with ssh, add -t; with docker exec, add -it; a script or cron job cannot run it",
    },
  );
}
