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
  storeDir: string;
  /** False for nats-server older than 2.10, which refuses `sync_interval`. */
  canSyncAlways: boolean;
}

const clusterPort = 6222;

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
  const lines = [
    "# Made by hookbell fleet init. Tokens are signed and public; no line of this file is secret.",
    `server_name: hookbell-${index + 1}`,
    // A server off this machine listens on all of its addresses, since its name may be another one's inside.
    `listen: ${quote(`${own.isTls ? "0.0.0.0" : own.host}:${own.port}`)}`,
    ...(own.isTls ? tlsBlock("", plan, false) : []),
    "",
    "jetstream {",
    `  store_dir: ${quote(plan.storeDir)}`,
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
    `  dir: ${quote(`${plan.storeDir}/accounts`)}`,
    "}",
    "resolver_preload: {",
    `  ${system[0]}: ${system[1]}`,
    "}",
  ];
  if (isCluster) lines.push("", ...clusterBlock(plan, own, index));
  return `${lines.join("\n")}\n`;
}

/** Servers check each other's certificates: a server that joins the cluster reads everything. */
function clusterBlock(plan: ServerPlan, own: Address, index: number): string[] {
  const portOf = (number: number): number => clusterPort + (own.isTls ? 0 : number);
  const routes = plan.servers.map(addressOf).map(({ host }, number) => quote(`nats-route://${host}:${portOf(number)}`));
  return [
    "cluster {",
    "  name: hookbell",
    `  listen: ${quote(`${own.isTls ? "0.0.0.0" : own.host}:${portOf(index)}`)}`,
    `  routes: [${routes.join(", ")}]`,
    ...(own.isTls ? tlsBlock("  ", plan, true) : []),
    "}",
  ];
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
