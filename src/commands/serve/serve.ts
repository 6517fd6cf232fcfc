// `hookbell serve`: serves what the wings bring: a page of this machine's sessions, and the agent platform's API.
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { isLoopbackAddress, runServer } from "../../http-server/server.ts";
import { readIfThere } from "../../system/files/read.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import type { ServeGiven, Wing } from "../../console/command.ts";
import { serveFlags, serveHelp } from "../help/serve.ts";

export async function serve(args: string[], io: CommandIo, wings: readonly Wing[]): Promise<ExitCode> {
  const values: Readonly<Record<string, unknown>> = parseArguments(
    args,
    serveHelp(wings).serve?.flags ?? serveFlags,
    0,
  ).values;
  const value = (flag: string): string | undefined => {
    const given = values[flag];
    return typeof given === "string" ? given : undefined;
  };
  const isSet = (flag: string): boolean => values[flag] === true;
  const host = value("host") ?? serveFlags.host.usual;
  const port = readPort(value("port") ?? serveFlags.port.usual);
  const tls = readTls(value("tls-cert"), value("tls-key"));
  const isBehindProxy = isSet("behind-proxy");
  if (!isLoopbackAddress(host) && tls === undefined && !isBehindProxy) {
    throw usageError(
      "serve",
      `${host} is reachable from other machines, and keys would cross the network unencrypted`,
      "give --tls-cert and --tls-key, or --behind-proxy if a proxy in front of it speaks TLS",
    );
  }
  // Names of files and answers of the system may hold anything.
  const onNote = (text: string): void => io.stderr(`hookbell: ${printableLine(text)}\n`);
  const stop = io.untilStopped();
  const given: ServeGiven = {
    io,
    value,
    isSet,
    origin: readOrigin(value("url")),
    isLocal: isLoopbackAddress(host) && !isBehindProxy,
    stop,
    onNote,
  };
  const parts = wings.flatMap(({ serves }) => serves ?? []);
  const onListening = (url: string): void => io.stdout(`listening on ${url}\n`);
  await runServer(
    { host, port, tls, isBehindProxy, clock: io.clock, stop, onListening, onNote },
    parts.map(({ load }) => async () => {
      const open = await load();
      return await open(given);
    }),
  );
  return exitCodes.done;
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin) return url.origin;
  throw usageError("serve", `--url ${text} is not a web address`, "expected one such as https://hb.example.org");
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
