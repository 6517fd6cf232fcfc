// The configuration file of nats-server: who runs the account, where it keeps messages, TLS.
import type { ServerTokens } from "./authority.ts";

export interface ServerPlan {
  /** The same as in the settings: `tls://nats1.example.com:4222`. */
  servers: readonly string[];
  /** Files on the server's own machine. */
  certificate: string;
  key: string;
  /** The authority that signs the servers' certificates, if it is not a public one. */
  ca: string | undefined;
  /** The folder of the only server. Each of several has a folder in it, so that they may run on one machine. */
  storeDir: string;
  /** False for nats-server older than 2.10, which refuses `sync_interval`. */
  canSyncAlways: boolean;
}

/** 6222 beside 4222, as NATS documents them: https://docs.nats.io/running-a-nats-service/configuration/clustering */
const usualDistance = 2000;
const maxPort = 65_535;

interface Address {
  host: string;
  port: string;
  isTls: boolean;
}

export function addressOf(server: string): Address {
  const [, scheme, host = "", port = "4222"] = /^(nats|tls):\/\/(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(server) ?? [];
  return { host, port, isTls: scheme === "tls" };
}

/** One file for each server: its name, and the text. None of it is secret. */
export function serverConfigs(plan: ServerPlan, tokens: ServerTokens): { name: string; text: string }[] {
  return plan.servers.map((server, index) => ({
    name: plan.servers.length === 1 ? "nats-server.conf" : `nats-server-${index + 1}.conf`,
    text: configOf(plan, tokens, addressOf(server), index),
  }));
}

function configOf(plan: ServerPlan, { operator, system }: ServerTokens, own: Address, index: number): string {
  const isCluster = plan.servers.length > 1;
  const name = `hookbell-${index + 1}`;
  const storeDir = isCluster ? `${plan.storeDir}/${name}` : plan.storeDir;
  const lines = [
    "# Made by hookbell fleet init. Tokens are signed and public; no line of this file is secret.",
    `server_name: ${name}`,
    // A server off this machine listens on all of its addresses, since its name may be another one's inside.
    `listen: ${quote(`${own.isTls ? "0.0.0.0" : own.host}:${own.port}`)}`,
    ...(own.isTls ? tlsBlock("", plan, false) : []),
    "",
    "jetstream {",
    `  store_dir: ${quote(storeDir)}`,
    ...(plan.canSyncAlways
      ? [
          "  # Without it, the server confirms messages that it writes to the disk only minutes later.",
          "  sync_interval: always",
        ]
      : ["  # nats-server before 2.10 writes to the disk every two minutes, and cannot be told otherwise."]),
    "}",
    "",
    `operator: ${operator}`,
    `system_account: ${system[0]}`,
    "# The fleet's account comes from hookbell and is kept in a folder: from this file, a restart could bring a revoked key back.",
    "resolver: {",
    "  type: full",
    `  dir: ${quote(`${storeDir}/accounts`)}`,
    "}",
    "resolver_preload: {",
    `  ${system[0]}: ${system[1]}`,
    "}",
  ];
  if (isCluster) lines.push("", ...clusterBlock(plan, own));
  return `${lines.join("\n")}\n`;
}

/** Servers check each other's certificates: a server that joins the cluster reads everything. */
function clusterBlock(plan: ServerPlan, own: Address): string[] {
  const addresses = plan.servers.map(addressOf);
  const routePort = routePortsOf(addresses.map(({ port }) => Number(port)));
  const routes = addresses.map(({ host, port }) => quote(`nats-route://${host}:${routePort(Number(port))}`));
  return [
    "cluster {",
    "  name: hookbell",
    `  listen: ${quote(`${own.isTls ? "0.0.0.0" : own.host}:${routePort(Number(own.port))}`)}`,
    `  routes: [${routes.join(", ")}]`,
    ...(own.isTls ? tlsBlock("  ", plan, true) : []),
    "}",
  ];
}

/** Servers on one machine have ports of their own, so their routes do, too; no route has the port of a server. */
function routePortsOf(ports: readonly number[]): (port: number) => number {
  let distance = usualDistance;
  const routePort = (port: number): number => (port + distance > maxPort ? port - distance : port + distance);
  while (new Set([...ports, ...ports.map(routePort)]).size < 2 * new Set(ports).size) distance += 1;
  return routePort;
}

function tlsBlock(indent: string, { certificate, key, ca }: ServerPlan, isMutual: boolean): string[] {
  return [
    `${indent}tls {`,
    `${indent}  cert_file: ${quote(certificate)}`,
    `${indent}  key_file: ${quote(key)}`,
    ...(isMutual && ca !== undefined ? [`${indent}  ca_file: ${quote(ca)}`] : []),
    ...(isMutual ? [`${indent}  verify: true`] : []),
    `${indent}}`,
  ];
}

const quote = (text: string): string => JSON.stringify(text);
