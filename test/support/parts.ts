// Real components that a test needs. A person without them sees which are missing; CI must have them all.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it } from "vitest";

/** Folders of daemons that Debian keeps off the PATH of ordinary users. */
const daemonFolders = ["/usr/sbin", "/sbin", "/usr/lib/notification-daemon", "/usr/lib/x86_64-linux-gnu/xfce4/notifyd"];

/** The absolute path of a program, or undefined when this machine has none. */
export function findPart(program: string): string | undefined {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...daemonFolders]) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** `describe`, skipped with the reason in its name where a program is missing; failing instead in CI. */
export function describeWithParts(name: string, programs: readonly string[], body: () => void): void {
  const missing = programs.filter((program) => findPart(program) === undefined);
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  if (process.env.HOOKBELL_REQUIRE_PARTS === "1") {
    describe(name, () => {
      it("has the components it needs", () => {
        throw new Error(`missing on this machine: ${missing.join(", ")}`);
      });
    });
    return;
  }
  describe.skipIf(true)(`${name} (skipped: this machine has no ${missing.join(", ")})`, body);
}
