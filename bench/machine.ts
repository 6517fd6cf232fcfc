// Names the machine in the report.
import { readFileSync } from "node:fs";
import { cpus, release, type } from "node:os";

/** What the figures depend on, and the day. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return `${day}, ${systemName()}, ${cpus().length} x ${cpu?.model.trim() ?? "?"}, Node ${process.version}`;
}

function systemName(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
    if (name !== undefined) return name;
  } catch {
    // Only Linux has the file.
  }
  return `${type()} ${release()}`;
}
