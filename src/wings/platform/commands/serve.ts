// `hookbell serve`: serves the agent platform's API with this machine's figures.
import { devicesFolder, listDevices } from "../../../answers/devices.ts";
import { exitCodes, messageOf, type ExitCode, usageError, UserError } from "../../../model/errors.ts";
import { printableLine } from "../../../model/text.ts";
import type { Computer } from "../contract/computers.ts";
import { endedInstall } from "../events/install.ts";
import { readKeys } from "../server/keys.ts";
import { isLoopbackAddress, runServer, type ServerPage } from "../server/server.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { findDistrust } from "../../../system/files/inspect-path.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { userName } from "../../../system/process/identity.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { serverCommands } from "../help.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../../../commands/pipeline/open-dispatcher.ts";
import { dataDirOf } from "./server-folder.ts";
import { openFeed } from "../../fleet/stream/count-for-platform.ts";
import { queueEvents } from "../events/ask-for-news.ts";
import { receiveHooks } from "../../remote/receive-hooks.ts";
import { findPlatformClient } from "./open-client.ts";

const { flags } = serverCommands.serve;

export async function serve(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, flags, 0);
  const host = values.host ?? flags.host.usual;
  const port = readPort(values.port ?? flags.port.usual);
  const tls = readTls(values["tls-cert"], values["tls-key"]);
  const isBehindProxy = values["behind-proxy"] === true;
  if (!isLoopbackAddress(host) && tls === undefined && !isBehindProxy) {
    throw usageError(
      "serve",
      `${host} is reachable from other machines, and keys would cross the network unencrypted`,
      "give --tls-cert and --tls-key, or --behind-proxy if a proxy in front of it speaks TLS",
    );
  }
  const dataDir = dataDirOf(values.data, io);
  const page = await openPage(
    { origin: readOrigin(values.url), isOpen: isLoopbackAddress(host) && !isBehindProxy },
    io,
  );
  // Names of files and answers of the system may hold anything.
  const clean = (text: string): void => io.stderr(`hookbell: ${printableLine(text)}\n`);
  await runServer({
    feed: values.fleet === undefined ? undefined : openFeed(values.fleet, io, clean),
    isStandby: values.standby === true,
    hooks: receiveHooks(await openDispatcher(io), io),
    page,
    host,
    port,
    tls,
    isBehindProxy,
    dataDir,
    isBackfill: values.backfill === true,
    user: values.user ?? userName(io.env),
    stateDir: io.places.stateDir,
    home: io.places.home,
    env: io.env,
    clock: io.clock,
    stop: io.untilStopped(),
    onListening(url) {
      io.stdout(`listening on ${url}\n`);
      if (page !== undefined && listDevices(layoutOf(io.places.stateDir)).length === 0) {
        io.stderr("hookbell: to see your sessions in a browser, pair it: hookbell devices add\n");
      }
      if (page === undefined && io.isTerminal && readKeys(dataDir).length === 0) {
        io.stderr("hookbell: there are no keys yet; add one with: hookbell keys add NAME --role owner\n");
      }
    },
    onInstallEnded: (computer) => sendInstallEvent(computer, io),
    onNote: clean,
  });
  return exitCodes.done;
}

/** The page of this machine's sessions. Undefined where no one has said by which address browsers reach it. */
async function openPage(
  { origin, isOpen }: { origin: string | undefined; isOpen: boolean },
  io: CommandIo,
): Promise<ServerPage | undefined> {
  if (origin === undefined && !isOpen) return undefined;
  const layout = layoutOf(io.places.stateDir);
  const distrust = findDistrust(devicesFolder(layout));
  if (distrust !== undefined) {
    throw new UserError("server.folder", `${distrust.path} ${distrust.why}`, { hint: `to use it: ${distrust.fix}` });
  }
  const { createPage } = await import("../../page/page.ts");
  return createPage(io, origin, () => findPlatformClient(io, undefined));
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin) return url.origin;
  throw usageError("serve", `--url ${text} is not a web address`, "expected one such as https://hb.example.org");
}

/** This machine's rules decide whether the event is sent. */
async function sendInstallEvent(computer: Computer, io: CommandIo): Promise<void> {
  try {
    const { platform } = (await viewDispatcher(io)).rules().rules;
    // A stopping server still reports the sessions that it ended.
    const untilStopped = (): AbortSignal => new AbortController().signal;
    if (platform?.installs === true) await queueEvents({ ...io, untilStopped }, endedInstall(computer));
  } catch (error) {
    io.stderr(
      `hookbell: cannot send an event about the install session on ${printableLine(computer.name)}: ${messageOf(error)}\n`,
    );
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usageError("serve", `--port ${text} is not a port`, "expected 0 to 65535; 0 takes a free one");
}

function readTls(cert: string | undefined, key: string | undefined): { cert: string; key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw usageError("serve", "--tls-cert and --tls-key belong together", "give the paths of both PEM files");
  }
  return { cert: readPem("--tls-cert", cert), key: readPem("--tls-key", key) };
}

function readPem(flag: string, path: string): string {
  const text = readIfThere(path);
  if (text?.includes("-----BEGIN ") === true) return text;
  throw usageError(
    "serve",
    `${flag} ${path}: ${text === undefined ? "there is no such file" : "the file is not in PEM form"}`,
    "expected a file that starts with -----BEGIN",
  );
}
