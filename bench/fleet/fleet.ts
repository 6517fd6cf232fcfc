// `npm run bench -- --fleet`: publishing, entries, and a fleet that grows; Markdown.
import { renderTable, renderCells } from "../table.ts";
import { buckets, limits, stream } from "../../src/wings/fleet/names.ts";
import { startBroker } from "./broker.ts";
import { reportEntries } from "./entries.ts";
import { measureGrowth, type Measured, type Size } from "./growth.ts";
import { reportPublishing } from "./publishing.ts";
import { join } from "node:path";

const mib = 1024 * 1024;
/** What is assumed of one machine; the rest of that table is measured. */
const eventsInDay = 100;
const daysKept = stream.maxAgeMs / 86_400_000;
const computedFor = [100_000, 1_000_000];

export async function reportFleet(folder: string, say: (line: string) => void): Promise<string> {
  const broker = await startBroker(join(folder, "broker"));
  const parts: string[] = [];
  try {
    say("publishing, one at a time and many in flight: a minute");
    parts.push(`nats-server ${broker.version}, one server, its files on the disk, all on the loopback interface.\n`);
    parts.push(`## Publishing\n\n${renderTable(await reportPublishing(broker, folder))}`);
    say("entries of buckets: half a minute");
    parts.push(`## Entries of buckets\n\n${renderTable(await reportEntries(broker))}`);
  } finally {
    await broker.stop();
  }
  say("a fleet that grows to 10000 machines: up to ten minutes");
  const measured = await measureGrowth(folder, say);
  parts.push(`## Growth\n\n${renderCells(growthHeading, measured.sizes.map(growthRow))}`);
  parts.push(`## Computed, not measured\n\n${renderComputed(measured)}`);
  return parts.join("\n");
}

const growthHeading = [
  "machines",
  "connections",
  "consumers",
  "to connect them",
  "memory here",
  "memory of the broker",
  "at rest here",
  "at rest, the broker",
  "time to tell, p50",
  "p99",
];

const inMib = (bytes: number): string => `${Math.round(bytes / mib)} MiB`;
const inCores = (part: number): string => `${(part * 100).toFixed(0)} % of a core`;

function growthRow(size: Size): string[] {
  return [
    `${size.machines}`,
    `${size.machines}`,
    `${size.consumers}`,
    `${(size.connectMs / 1000).toFixed(0)} s`,
    inMib(size.memory),
    inMib(size.brokerMemory),
    inCores(size.cpu),
    inCores(size.brokerCpu),
    `${size.tellMs.p50.toFixed(1)} ms`,
    `${size.tellMs.p99.toFixed(1)} ms`,
  ];
}

/** What a broker holds at a size that was not run, from the bytes that were measured. */
function renderComputed({ sizes, eventBytes, presenceBytes, claimBytes }: Measured): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined || first === last) return "The fleet did not grow.\n";
  const memoryOfOne = (last.brokerMemory - first.brokerMemory) / (last.machines - first.machines);
  const held = (bytes: number, maxBytes: number): string => `${Math.round(maxBytes / bytes)}`;
  const size = (bytes: number): string => (bytes < 1024 * mib ? inMib(bytes) : `${Math.round(bytes / 1024 / mib)} GiB`);
  const rows: [what: string, of: (machines: number) => string, bound: string][] = [
    ["memory of the broker", (machines) => size(machines * memoryOfOne), ""],
    ["heartbeats a second", (machines) => `${Math.round(machines / (limits.heartbeatMs / 1000))}`, ""],
    [
      `\`presence\`, ${presenceBytes.toFixed(0)} bytes for each machine`,
      (machines) => size(machines * presenceBytes),
      `${held(presenceBytes, buckets.presence.maxBytes)} machines in ${inMib(buckets.presence.maxBytes)}`,
    ],
    [
      `\`EVENTS\`, ${eventBytes.toFixed(0)} bytes for each, ${eventsInDay} a day and machine, ${daysKept} days`,
      (machines) => size(machines * eventsInDay * daysKept * eventBytes),
      `${held(eventBytes, stream.maxBytes)} events in ${inMib(stream.maxBytes)}`,
    ],
    [
      `\`claims\`, ${claimBytes.toFixed(0)} bytes for each, as many, ${buckets.claims.maxAgeMs / 86_400_000} days`,
      (machines) => size(machines * eventsInDay * (buckets.claims.maxAgeMs / 86_400_000) * claimBytes),
      `${held(claimBytes, buckets.claims.maxBytes)} claims in ${inMib(buckets.claims.maxBytes)}`,
    ],
  ];
  return renderCells(
    ["what a broker holds", ...computedFor.map((machines) => `${machines} machines`), "what its own bound holds"],
    rows.map(([what, of, bound]) => [what, ...computedFor.map(of), bound]),
  );
}
