// A real agent in a home of its own, wired by hookbell, talking to the pretend model.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent } from "../../src/model/event.ts";
import { listDeliveries } from "../../src/outbox/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import type { AgentCli } from "./agent-cli.ts";
import { startHttpReceiver, type HttpReceiver } from "./http-receiver.ts";
import { startPretendModel, type PretendModel } from "./pretend-model.ts";
import { temporaryProject, type Ended, type Project } from "./running-project.ts";

/** How an agent is run so that it needs no login, no terminal and nothing beyond loopback. */
interface Recipe {
  /** The agent's own settings, relative to the home folder. */
  settings: string;
  args(prompt: string): string[];
  env(modelOrigin: string): Record<string, string>;
  /** What the settings must hold for the pretend model to be found; undefined when they need not be there. */
  modelSettings(modelOrigin: string): object | undefined;
}

/** Nobody listens here. */
const nowhere = "http://127.0.0.1:9";
const pretendKey = "sk-ant-pretended-00000000000000000000";

const recipes: Record<AgentCli["agent"], Recipe> = {
  "claude-code": {
    settings: ".claude/settings.json",
    args: (prompt) => ["-p", prompt],
    env: (modelOrigin) => ({
      ANTHROPIC_BASE_URL: modelOrigin,
      ANTHROPIC_API_KEY: pretendKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
      DISABLE_AUTOUPDATER: "1",
    }),
    modelSettings: () => undefined,
  },
  droid: {
    settings: ".factory/settings.json",
    args: (prompt) => ["exec", prompt],
    env: () => ({
      FACTORY_AIRGAP_ENABLED: "1",
      FACTORY_API_KEY: "fk-pretended",
      FACTORY_DISABLE_KEYRING: "1",
      FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
      // Empty ones are refused.
      FACTORY_API_BASE_URL: nowhere,
      FACTORY_API_BASE_URL_EU: nowhere,
      FACTORY_APP_BASE_URL: nowhere,
      FACTORY_TELEMETRY_INGEST_BASE_URL: nowhere,
    }),
    modelSettings: (modelOrigin) => ({
      customModels: [
        {
          model: "pretended",
          displayName: "Pretended",
          baseUrl: `${modelOrigin}/v1`,
          apiKey: "sk-pretended",
          provider: "generic-chat-completion-api",
          maxOutputTokens: 8000,
          maxContextLimit: 128_000,
        },
      ],
      sessionDefaultSettings: { model: "custom:Pretended-0" },
      cloudSessionSync: false,
    }),
  },
};

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
  /** The environment the agent gets: nothing of ours but the places. */
  env: Record<string, string>;
  /** A file below the home folder; undefined when there is none. */
  read(path: string): string | undefined;
  write(path: string, content: string): void;
  /** `hookbell init` or `uninstall` for this agent; fails unless it ends well. */
  wire(verb: "init" | "uninstall"): Promise<void>;
  /** Runs the agent to its end, with every pipe it held closed. */
  run(program: string, prompt: string): Promise<Ended>;
  /** Waits until nothing is left to be sent; then, since the agent has waited for its hooks, no more can come. */
  settled(): Promise<Received[]>;
}

const runDeadlineMs = 60_000;

/** A home where every event goes to a receiver; all of it is gone after the test. */
export async function startAgentSession(agent: AgentCli["agent"]): Promise<AgentSession> {
  const recipe = recipes[agent];
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const model = await startPretendModel();
  onTestFinished(model.close);
  const project = temporaryProject();
  project.writeRules({
    channels: { receiver: { type: "webhook", url: `${receiver.origin}/events`, payload: true } },
    rules: [{ name: "everything", notify: ["receiver"] }],
  });
  const cwd = join(project.home, "work", "shop-web");
  mkdirSync(cwd, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: project.home,
    TERM: "xterm",
    HOOKBELL_CONFIG_DIR: project.env.HOOKBELL_CONFIG_DIR ?? "",
    HOOKBELL_STATE_DIR: project.env.HOOKBELL_STATE_DIR ?? "",
    ...recipe.env(model.origin),
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
    async wire(verb) {
      const { code, stderr } = await project.run([verb, "--agent", agent, "--yes"]);
      if (code !== 0) throw new Error(`hookbell ${verb} ended with ${code}: ${stderr}`);
    },
    run: (program, prompt) => runToEnd(program, recipe.args(prompt), { cwd, env }),
    async settled() {
      const { layout } = project;
      // In this order: a delivery lies in the outbox before its payload leaves incoming/.
      const isEmpty = (): boolean => listIncoming(layout).length === 0 && listDeliveries(layout, "outbox").length === 0;
      await project.until("an empty queue", isEmpty);
      return receiver.requests.map(({ headers, body }) => {
        const { data } = JSON.parse(body) as { data: Omit<Received, "deliveryId"> };
        return { deliveryId: String(headers["webhook-id"]), event: data.event, payload: data.payload };
      });
    },
  };
  const modelSettings = recipe.modelSettings(model.origin);
  if (modelSettings !== undefined) session.write(recipe.settings, `${JSON.stringify(modelSettings)}\n`);
  return session;
}

/** The arguments for a terminal; writes what the agent must remember so as not to ask about it first. */
export function interactiveArgs({ cwd, write }: AgentSession, agent: AgentCli["agent"]): string[] {
  if (agent === "droid") return [];
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

function runToEnd(
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
