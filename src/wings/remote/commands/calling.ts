// `hookbell remote add NAME --by http`: agents where nothing can be installed post their events to `hookbell serve`.
import { withAnswers } from "../../../agents/hook-setup.ts";
import { httpSettings, secretVariable } from "../../../install/command/hook-command.ts";
import { isEventWanted } from "../../../install/install-agent.ts";
import { agentsToSetUp } from "../../../install/target/agent-target.ts";
import { docsUrl, exitCodes, type ExitCode, usageError } from "../../../model/errors.ts";
import { ensureLayout, layoutOf } from "../../../outbox/layout.ts";
import { type CallingRemote, newSecret, writeRemote } from "../remotes.ts";
import { randomKey } from "../../../system/crypto.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { paint } from "../../../console/output/text.ts";
import { serveFlags } from "../../../commands/help/serve.ts";
import { hookPath } from "../http-hooks.ts";
import { splitNames } from "../../../commands/init/choose-agents.ts";
import { wishesOf } from "../../../commands/pipeline/rule-coverage.ts";

interface Wanted {
  url?: string | undefined;
  agent?: string[] | undefined;
  "new-secret"?: boolean | undefined;
  "dry-run"?: boolean | undefined;
}

/** If run again, it shows the settings, and changes nothing but the address and, if asked for, the secret. */
export async function addCalling(
  { name, before }: { name: string; before: CallingRemote | undefined },
  wanted: Wanted,
  io: CommandIo,
): Promise<ExitCode> {
  const posting = chosenAgents(wanted.agent);
  const target = wanted.url === undefined ? (before?.target ?? usualAddress()) : readAddress(wanted.url);
  if (wanted["dry-run"] === true) {
    io.stdout(`dry run: ${name} would send its events to hookbell serve at ${target}; nothing was written\n`);
    return exitCodes.done;
  }
  const layout = layoutOf(io.places.stateDir);
  ensureLayout(layout);
  const made = before === undefined || wanted["new-secret"] === true ? newSecret(randomKey()) : undefined;
  writeRemote(layout, { name, transport: "http", target, digest: made?.digest ?? before?.digest ?? "" });
  const done = before === undefined ? "added" : "kept";
  io.stdout(`${paint(io, "green", done)} the remote ${name}: its agents post their events to ${target}\n`);
  io.stdout(
    made === undefined
      ? `its secret stays as it is; for a new one: hookbell remote add ${name} --new-secret\n`
      : `\nIts secret, shown only now. Set it there, in the environment of the agents:\n\n  ${secretVariable}=${made.secret}\n`,
  );
  const wishes = await wishesOf(io);
  for (const { id, hookSetup: given } of posting) {
    const hookSetup = withAnswers(given, wishes.answerable);
    const except = hookSetup.entry.http?.except ?? [];
    const events = Object.keys(hookSetup.events).filter(
      (event) => !except.includes(event) && isEventWanted(wishes, { id, hookSetup }, event),
    );
    const settings = httpSettings(hookSetup, events, addressOf(target, id));
    const [folder] = hookSetup.folders;
    io.stdout(
      `\nAdd this to ${folder.path}/${hookSetup.defaultFile ?? ""} there:\n\n${JSON.stringify(settings, undefined, 2)}\n`,
    );
  }
  if (posting.length === 0) {
    const ids = postingAgents.map(({ id }) => id);
    io.stdout(`\nFor an agent's settings: hookbell remote add ${name} --agent ${ids.join(", or ")}\n`);
    io.stdout(`A command hook of any other agent, or a script, can post the payload with:\n\n`);
    io.stdout(
      `  curl -fsS --data-binary @- -H "Authorization: Bearer $${secretVariable}" ${addressOf(target, "AGENT")}\n`,
    );
  }
  io.stdout(
    `\n\`hookbell serve\` must run on this machine to receive the events; see ${docsUrl("reference/REMOTE.md")}\n`,
  );
  return exitCodes.done;
}

const usualAddress = (): string => `http://127.0.0.1:${serveFlags.port.usual}`;

export function addressOf(target: string, agentId: string): string {
  return target + hookPath(agentId);
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    throw usageError("remote", `--url ${text} is not an address of a server`, "such as https://hb.example.org");
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw usageError(
      "remote",
      `--url ${text} would send the secret unencrypted`,
      "use https, and start hookbell serve with --tls-cert and --tls-key, or --behind-proxy",
    );
  }
  return url.href.replace(/\/$/, "");
}

/** Agents that can post events by themselves. */
const postingAgents = agentsToSetUp.filter(({ hookSetup }) => hookSetup.entry.http !== undefined);

function chosenAgents(named: string[] | undefined): typeof postingAgents {
  return splitNames(named ?? []).map((name) => {
    const found = postingAgents.find(({ id }) => id === name);
    if (found !== undefined) return found;
    throw usageError(
      "remote",
      `${name} has no http hooks`,
      `--agent takes ${postingAgents.map(({ id }) => id).join(", ")}`,
    );
  });
}
