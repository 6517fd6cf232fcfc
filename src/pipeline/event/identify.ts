// Identify: which agent and which session, on which machine.
import { isNamedSession } from "../../agents/dialect/values.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { withFolder } from "../understand/folder.ts";
import { withSafeIds } from "../understand/safe-ids.ts";
import type { Identified, Ingested } from "./context.ts";
import { traceOfReading } from "./ingest.ts";
import { withFinding } from "../stages.ts";

export function identify(
  { reading: given, origin }: Ingested,
  { host, layout }: Pick<Dispatcher, "host" | "layout">,
): Identified {
  const reading = withFolder(withSafeIds(given), layout, origin.remoteHost === undefined ? origin.callerPids : []);
  const isOneSession = reading.agent.id !== "generic" && isNamedSession(reading.facts.session);
  const where = origin.remoteHost === undefined ? "on this machine" : "on another machine";
  const trace = withFinding(
    traceOfReading(reading),
    "identify",
    isOneSession ? "one session" : "perhaps several sessions",
    where,
  );
  return { reading, origin, host: origin.remoteHost ?? host, isOneSession, trace };
}
