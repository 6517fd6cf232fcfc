// `hookbell fleet init`: makes a fleet's keys and server configuration, then its stream and buckets.
import { typedWord } from "../../../model/places/user-shell.ts";
import { join, resolve } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import {
  type Authority,
  createAuthority,
  fleetDir,
  issueCredentials,
  readAuthority,
  serverTokens,
  writeAuthority,
} from "../admin/authority.ts";
import { withKeys } from "../admin/broker.ts";
import { addressOf, serverConfigs } from "../admin/server-config.ts";
import { checkStreams, replicasFor } from "../admin/streams.ts";
import { hostToken, isToken } from "../names.ts";
import { exitCodes, type ExitCode, UserError, usageError } from "../../../model/errors.ts";
import { serverProblem } from "../../../wing-settings/fleet.ts";
import { hostName } from "../../../system/process/identity.ts";
import { runProcess } from "../../../system/process/run.ts";
import { parseArguments } from "../../../console/arguments.ts";
import { askAtTerminal, type AskMore } from "../../../console/ask.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endUnwritten, endWithoutConsent } from "../../../console/confirm.ts";
import { paint } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import { showEdit } from "../../../commands/channels/rules-file.ts";
import { publishAuthority, whereOf } from "./authority.ts";
import { credentialsName, withServers } from "../credentials.ts";
import { type Membership, planSection, recordFleetFile, writeFleetFile, writeSection } from "./this-machine.ts";

const { flags } = fleetCommands["fleet init"];
const localServer = "nats://127.0.0.1:4222";
const versionTimeoutMs = 3000;

export async function initFleet(args: string[], io: CommandIo, askPerson: AskMore = askAtTerminal): Promise<ExitCode> {
  const { values } = parseArguments(args, flags, 0);
  const { configDir } = io.places;
  const existing = readAuthority(configDir);
  const isDryRun = values["dry-run"] === true;
  if (existing !== undefined && isDryRun) {
    io.stdout(`this would tell ${existing.servers.join(", ")} who the members are, and make what is missing there\n`);
    return exitCodes.done;
  }
  if (existing !== undefined) return await setUpBroker(io, existing, values.correct === true);

  const ask = io.isTerminal && values.yes !== true && !isDryRun ? askPerson : undefined;
  const wanted = await readWanted(io, values, ask);
  if (wanted === undefined) return endUnwritten(io);
  const { org, person, host, servers, ca } = wanted;
  const name = credentialsName(wanted);
  const planned = await planSection(io, wanted, name);
  const created = createAuthority({ org, servers, ca });
  const issued = await issueCredentials(created, { person, host, role: "device" });
  const authority: Authority = { ...created, members: [{ person, host, role: "device", key: issued.key }] };
  const isLocal = servers.every((server) => !addressOf(server).isTls);
  const configs = serverConfigs(
    {
      servers,
      ca,
      certificate: values.certificate ?? flags.certificate.usual,
      key: values.key ?? flags.key.usual,
      storeDir: values.store ?? (isLocal ? join(io.places.stateDir, "nats") : flags.store.usual),
      canSyncAlways: await canSyncAlways(io),
    },
    await serverTokens(authority),
  );
  const files = ["authority.json", name, ...configs.map((each) => each.name)];
  for (const file of files) io.stdout(`${paint(io, "bold", "new")} ${join(fleetDir(configDir), file)}\n`);
  showEdit(io, planned.opened, planned, isDryRun);
  const end = await endWithoutConsent(io, values, "Write this?", ask);
  if (end !== undefined) return end;
  recordFleetFile(configDir, "authority.json");
  writeAuthority(configDir, authority);
  const written = [
    writeFleetFile(configDir, name, withServers(issued.credentials, whereOf(authority))),
    ...configs.map(({ name: file, text }) => writeFleetFile(configDir, file, text)),
  ];
  writeSection(io, planned);
  for (const path of written) io.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
  const where = isLocal ? "start the server" : "copy the configuration to the servers, and start each there";
  const start = written.slice(1).map((path) => `  nats-server -c ${typedWord(path)}\n`);
  io.stdout(
    `the private keys of the fleet are in ${join(fleetDir(configDir), "authority.json")}: keep a copy in a safe place\n` +
      `next: ${where}, then create its stream and buckets:\n${start.join("")}  hookbell fleet init\n`,
  );
  return exitCodes.done;
}

async function readWanted(
  io: CommandIo,
  values: { org?: string; person?: string; host?: string; server?: string[]; ca?: string },
  ask: AskMore | undefined,
): Promise<Membership | undefined> {
  const token = (text: string): string | undefined =>
    isToken(text) ? undefined : "expected 1 to 64 letters, digits, _ or -";
  const read = async (
    flag: "org" | "person" | "host",
    question: string,
    usual?: string,
  ): Promise<string | undefined> => {
    const given = values[flag];
    const text =
      given ?? (await ask?.text(question, { ...(usual === undefined ? {} : { usual }), problemOf: token })) ?? usual;
    if (text === undefined && ask === undefined)
      throw usageError("fleet", `--${flag} is missing`, "hookbell fleet init --org NAME --person NAME");
    const problem = text === undefined ? undefined : token(text);
    if (problem !== undefined) throw usageError("fleet", `--${flag} ${text}: ${problem}`);
    return text;
  };
  const org = await read("org", "What is the organisation's name, in one word?");
  const person = org === undefined ? undefined : await read("person", "What is your name in the fleet, in one word?");
  const host =
    person === undefined ? undefined : await read("host", "What is this machine's name?", hostToken(hostName()));
  if (org === undefined || person === undefined || host === undefined) return undefined;
  const servers =
    values.server ??
    (ask === undefined
      ? [localServer]
      : (
          await ask.text("Where is the NATS server? (several: separated by blanks)", {
            usual: localServer,
            problemOf: (text) =>
              text
                .split(/\s+/)
                .map(serverProblem)
                .find((each) => each !== undefined),
          })
        )?.split(/\s+/));
  if (servers === undefined) return undefined;
  for (const server of servers) {
    const problem = serverProblem(server);
    if (problem !== undefined) throw usageError("fleet", `--server ${server}: ${problem}`);
  }
  return { org, person, host, servers, ca: values.ca === undefined ? undefined : resolve(io.cwd, values.ca) };
}

/** True unless a nats-server on this machine is older than 2.10. */
async function canSyncAlways({ env }: CommandIo): Promise<boolean> {
  const result = await runProcess({ argv: ["nats-server", "--version"], env, timeoutMs: versionTimeoutMs });
  const [, major, minor] = (result.status === "exited" && /v(\d+)\.(\d+)/.exec(result.stdout)) || [];
  return major === undefined || Number(major) > 2 || Number(minor) >= 10;
}

async function setUpBroker(io: CommandIo, authority: Authority, isCorrecting: boolean): Promise<ExitCode> {
  await publishAuthority(authority, io.clock);
  return await withKeys(authority, "admin", io.clock.now(), async (connection) => {
    const states = await checkStreams(await jetstreamManager(connection), {
      replicas: replicasFor(authority.servers.length),
      change: isCorrecting ? "all" : "missing",
    });
    for (const { name, what, differences } of states) {
      const word = what === "made" ? (differences.length > 0 ? "corrected" : "made") : what;
      io.stdout(`${paint(io, what === "different" ? "red" : "green", word)} ${name}\n`);
      for (const difference of differences) io.stdout(`  ${difference}\n`);
    }
    if (states.some(({ what }) => what === "different")) {
      throw new UserError("fleet.streams", "the broker's streams are not set up correctly", {
        hint: "to change them: hookbell fleet init --correct",
      });
    }
    io.stdout("the fleet is ready. To add a machine: hookbell fleet add PERSON/HOST; to check it: hookbell doctor\n");
    return exitCodes.done;
  });
}
