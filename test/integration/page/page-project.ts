// A project whose questions only the page takes answers to, and what the tests of its trust share.
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startServerProcess, type ServerProcess } from "../../support/usage/server-process.ts";

export function pageProject(): Project {
  const project = temporaryProject();
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { log: { type: "command", argv: ["true"] } },
    rules: [{ name: "asks", when: { event: ["PermissionRequest", "Stop"] }, notify: ["log"] }],
  });
  return project;
}

/** On the same port. */
export function restart(project: Project, { url }: { url: string }): Promise<ServerProcess> {
  return startServerProcess(project, ["--port", new URL(url).port]);
}

export const alarm = "Another program answers at this address";
export const again = "Pair this browser again to answer";
