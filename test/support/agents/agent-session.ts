// A real agent in a home of its own, installed by hookbell, talking to the pretend model.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { pretendKey } from "../../agents/known/claude-code/recipe.ts";
import type { AgentRecipe } from "./recipe.ts";
import { noteSeen } from "./agent-table.ts";
import { startHttpReceiver, type HttpReceiver } from "../receivers/http-receiver.ts";
import { startPretendModel, type PretendModel } from "./pretend-model.ts";
import { temporaryProject, type Ended, type Project } from "../project/running-project.ts";

/** What reached the receiver, in the order of its arrival. */
export interface Received {
  deliveryId: string;
  event: AgentEvent;
  payload: Record<string, unknown>;
}

export interface AgentSession {
  project: Project;
  model: PretendModel;
  receiver: HttpReceiver;
  cwd: string;
  /** The environment the agent gets: nothing of the test's but the places. */
  env: Record<string, string>;
  /** A file below the home folder; undefined when there is none. */
  read(path: string): string | undefined;
  write(path: string, content: string): void;
  /** `hookbell init` or `uninstall` for this agent; fails unless it ends well. */
  install(verb: "init" | "uninstall"): Promise<void>;
  /** Runs the agent to its end, with every pipe it held closed. */
  run(program: string, prompt: string): Promise<Ended>;
  /** Waits until nothing is left to be sent; then, since the agent has waited for its hooks, no more can come. */
  settled(): Promise<Received[]>;
}

const runDeadlineMs = 60_000;

/** A home where every event goes to a receiver; all of it is gone after the test. */
export async function startAgentSession(recipe: AgentRecipe): Promise<AgentSession> {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const model = await startPretendModel();
  onTestFinished(model.close);
  // In its usual place, so that the hooks that init writes begin with $HOME.
  const project = temporaryProject(".local/state/hookbell");
  project.writeRules({
    channels: { receiver: { type: "webhook", url: `${receiver.origin}/events`, payload: true } },
    rules: [{ name: "everything", when: { event: { not: "SessionStart" } }, notify: ["receiver"] }],
  });
  onTestFinished(() => endDaemons(project.home));
  const cwd = join(project.home, "work", "shop-web");
  mkdirSync(cwd, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: project.home,
    // Some leave reports of their failures there.
    TMPDIR: project.home,
    TERM: "xterm",
    HOOKBELL_CONFIG_DIR: project.env.HOOKBELL_CONFIG_DIR ?? "",
    HOOKBELL_STATE_DIR: project.env.HOOKBELL_STATE_DIR ?? "",
    ...recipe.env(model.origin, project.home),
  };
  const at = (path: string): string => join(project.home, path);
  const session: AgentSession = {
    project,
    model,
    receiver,
    cwd,
    env,
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined),
    write(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    async install(verb) {
      const { code, stderr } = await project.run([verb, "--agent", recipe.agent, "--yes"]);
      if (code !== 0) throw new Error(`hookbell ${verb} ended with ${code}: ${stderr}`);
    },
    async run(program, prompt) {
      return await runToEnd(program, recipe.args(prompt), { cwd, env });
    },
    async settled() {
      const { layout } = project;
      // In this order: a delivery lies in the outbox before its payload leaves incoming/.
      const isEmpty = (): boolean => listIncoming(layout).length === 0 && listDeliveries(layout, "outbox").length === 0;
      await project.until("an empty queue", isEmpty);
      const received = receiver.requests.map(({ headers, body }): Received => {
        const { data } = JSON.parse(body) as { data: Omit<Received, "deliveryId"> };
        return { deliveryId: String(headers["webhook-id"]), event: data.event, payload: data.payload };
      });
      noteSeen(
        recipe.agent,
        received.map(({ event }) => event),
      );
      return received;
    },
  };
  for (const [path, content] of Object.entries(recipe.files(model.origin))) session.write(path, content);
  return session;
}

/** The arguments for a terminal; writes what the agent must remember so as not to ask about it first. */
export function interactiveArgs({ cwd, write }: AgentSession, { agent }: AgentRecipe): string[] {
  // In its usual mode it asks for nothing.
  if (agent === "qwen-code") return ["--approval-mode", "default"];
  if (agent === "codex") return ["-a", "on-request"];
  if (agent === "cline") return ["--auto-approve", "false", "-P", "openai-compatible", "-m", "pretended"];
  if (agent === "auggie") return ["--permission", "launch-process:ask-user"];
  if (agent !== "claude-code") return [];
  const remembered = {
    hasCompletedOnboarding: true,
    theme: "dark",
    numStartups: 5,
    customApiKeyResponses: { approved: [pretendKey.slice(-20)], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  write(".claude.json", JSON.stringify(remembered));
  // In its usual mode it asks for nothing.
  return ["--permission-mode", "default"];
}

/** What lies below a folder of the home, by path. */
export function filesBelow({ project }: AgentSession, folder: string): Record<string, string> {
  const root = join(project.home, folder);
  if (!existsSync(root)) return {};
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(root.length + 1),
      readFileSync(join(parentPath, name), "base64"),
    ]),
  );
}

export function runToEnd(
  program: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), runDeadlineMs);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** What agents leave running in that home, our own dispatcher aside, which ends with its state folder. */
function endDaemons(home: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isOurs = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("dist/cli.js");
      if (variables.includes(`HOME=${home}`) && !isOurs) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or belongs to someone else.
    }
  }
}
