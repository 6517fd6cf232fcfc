// Real components that a test needs. A person without them sees which are missing; CI must have them all.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it } from "vitest";

/** Folders of daemons that Debian keeps off the PATH of ordinary users. .ci/run asks for a machine that has none. */
const daemonFolders =
  process.env.HOOKBELL_TEST_DAEMONS === "none"
    ? []
    : ["/usr/sbin", "/sbin", "/usr/lib/notification-daemon", "/usr/lib/x86_64-linux-gnu/xfce4/notifyd"];

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

/** A PATH by which programs find these daemons, too. */
export function pathWithDaemons(): string {
  return [process.env.PATH ?? "", ...daemonFolders].join(delimiter);
}

/**
 * `describe` for tests that need these programs, with `(needs ...)` in its name, by which .ci/run finds them. Where one
 * is missing, the tests are skipped and the name says which; in CI they fail instead.
 */
export function describeWithParts(name: string, programs: readonly string[], body: () => void): void {
  const missing = programs.filter((program) => findPart(program) === undefined);
  const fullName = `${name} (needs ${programs.join(", ")})`;
  if (missing.length === 0) {
    describe(fullName, body);
    return;
  }
  if (process.env.HOOKBELL_REQUIRE_PARTS === "1") {
    describe(fullName, () => {
      it("has the components it needs", () => {
        throw new Error(`missing on this machine: ${missing.join(", ")}`);
      });
    });
    return;
  }
  describe.skipIf(true)(`${fullName}: skipped, this machine has no ${missing.join(", ")}`, body);
}
