// A person's home whose rules send every Stop to a receiver on loopback.
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { cliPath, temporaryProject, type Ended, type Project } from "../../support/project/running-project.ts";

const isRoot = process.getuid?.() === 0;

export interface WebhookProject extends Project {
  receiver: HttpReceiver;
}

/** `ops` gets every Stop; `spare` is a channel that no rule names. */
export async function webhookProject(rules: readonly unknown[] = [stopTo("ops")]): Promise<WebhookProject> {
  const project = temporaryProject();
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  project.writeRules({
    channels: {
      ops: { type: "webhook", url: `${receiver.origin}/ops` },
      spare: { type: "webhook", url: `${receiver.origin}/spare` },
    },
    rules,
  });
  return { ...project, receiver };
}

export function stopTo(...notify: string[]): unknown {
  return { name: "done", when: { event: "Stop" }, notify };
}

/** The bodies of what has arrived under a path. */
export function arrivedAt({ requests }: HttpReceiver, path: string): { data: Record<string, never> }[] {
  return requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(body) as { data: Record<string, never> });
}

/**
 * Runs a shell line in which `hookbell` is the built command line; behind `ordinarily`, file modes bind it even where
 * the tests run as root.
 */
export function shell(project: Project, line: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const define = [
      `hookbell() { $without "$HOOKBELL_NODE" "$HOOKBELL_CLI" "$@"; }`,
      `ordinarily() { without="${isRoot ? "setpriv --bounding-set=-all --inh-caps=-all" : ""}"; "$@"; }`,
    ].join("\n");
    const env = { ...project.env, HOOKBELL_NODE: process.execPath, HOOKBELL_CLI: cliPath };
    const child = spawn("sh", ["-c", `${define}\n${line}`], {
      env,
      cwd: project.home,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
