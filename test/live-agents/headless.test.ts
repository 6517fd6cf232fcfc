import { beforeAll, describe, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { auggie } from "../agents/known/auggie/recipe.ts";
import { cline } from "../agents/known/cline/recipe.ts";
import { codex } from "../agents/known/codex/recipe.ts";
import { copilotCli } from "../agents/known/copilot-cli/recipe.ts";
import { geminiCli } from "../agents/known/gemini-cli/recipe.ts";
import { kilo } from "../agents/known/kilo/recipe.ts";
import { kimiCode } from "../agents/known/kimi-code/recipe.ts";
import { opencode } from "../agents/known/opencode/recipe.ts";
import { pi } from "../agents/known/pi/recipe.ts";
import { qwenCode } from "../agents/known/qwen-code/recipe.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { filesBelow, startAgentSession } from "../support/agents/agent-session.ts";
import { dispatcherPid, openDescriptors } from "../support/project/dispatcher-process.ts";
import { promptFor } from "../support/agents/pretend-model.ts";

/** An event that must arrive, as far as it is the same in every run. */
type Expected = { name: string } & Record<string, unknown>;

interface Headless {
  recipe: AgentRecipe;
  /** The events of a turn that ends well. */
  done: Expected[];
  /** Those of a turn that the model's error ends. */
  failed: Expected[];
  /** Those of a turn in which the model says nothing, where the agent makes a failure of that. */
  empty?: Expected[];
  /** What it prints of an answer, where that is not the answer alone. */
  prints?: (answer: string) => unknown;
  /** Where its settings lie, relative to the home folder: all that `init` may touch. */
  settings: string;
}

const said = "The shop sells again.";
const prompted = { name: "UserPromptSubmit" };
const stopped = { name: "Stop", message: said, level: "success" };
const failure = { name: "StopFailure", message: "pretended failure 400", level: "error" };
const signedIn = { name: "Notification", notificationType: "auth_success" };

const headless: Headless[] = [
  {
    recipe: codex,
    settings: ".codex",
    done: [prompted, stopped, { name: "SessionEnd", reason: "other" }],
    // It tells its hooks nothing of the error, which stands in its transcript.
    failed: [prompted, { name: "StopFailure", level: "error" }, { name: "SessionEnd", reason: "other" }],
  },
  {
    recipe: geminiCli,
    settings: ".gemini",
    done: [
      { ...prompted, agentEvent: "BeforeAgent" },
      { ...stopped, agentEvent: "AfterAgent" },
      { name: "SessionEnd", reason: "exit" },
    ],
    failed: [prompted, { name: "SessionEnd", reason: "exit" }],
  },
  {
    recipe: qwenCode,
    settings: ".qwen",
    done: [signedIn, prompted, stopped],
    failed: [signedIn, prompted],
  },
  {
    recipe: copilotCli,
    settings: ".copilot",
    // Its Stop carries no message.
    done: [prompted, { name: "Stop", level: "success" }, { name: "SessionEnd", reason: "complete" }],
    failed: [prompted, failure, { name: "SessionEnd", reason: "error" }],
  },
  { recipe: opencode, settings: ".config/opencode", done: [prompted, stopped], failed: [prompted, failure] },
  { recipe: kilo, settings: ".config/kilo", done: [prompted, stopped], failed: [prompted, failure] },
  {
    recipe: kimiCode,
    settings: ".kimi-code",
    prints: (answer) => `• ${answer}`,
    // Its Stop carries no message.
    done: [prompted, { name: "Stop", level: "success" }],
    failed: [prompted, { ...failure, message: "400 pretended failure 400", reason: "api_status_error" }],
  },
  {
    recipe: pi,
    settings: ".pi",
    done: [prompted, { ...stopped, agentEvent: "agent_settled" }, { name: "SessionEnd", reason: "quit" }],
    failed: [prompted, failure, { name: "SessionEnd", reason: "quit" }],
  },
  { recipe: cline, settings: ".cline", done: [prompted, stopped], failed: [prompted, failure] },
  {
    recipe: auggie,
    settings: ".augment",
    prints: (answer) => expect.stringMatching(new RegExp(`^${answer}\\n\\nRequest ID: [\\w-]+$`)),
    done: [prompted, stopped, { name: "SessionEnd", reason: "other" }],
    // It runs no hook for the end of such a turn.
    failed: [prompted, { name: "SessionEnd", reason: "other" }],
    empty: [
      prompted,
      { name: "StopFailure", level: "error", reason: "empty_completion" },
      { name: "SessionEnd", reason: "other" },
    ],
  },
];

describe.each(headless)("$recipe.agent without a terminal", (agent) => {
  const { recipe, done, failed, empty, settings, prints = String } = agent;
  const [cli] = clisHere(recipe);
  let program = "";
  beforeAll(async () => {
    if (cli === undefined) throw new Error(`${recipe.agent} cannot run on this machine`);
    program = await installAgentCli(cli);
  });

  it("tells of a turn once, and says its answer", async () => {
    const session = await startAgentSession(recipe);
    await session.install("init");
    const ended = await session.run(program, promptFor({ say: said }));
    expect(ended).toMatchObject({ code: 0, signal: null });
    // What hooks print would stand here, or keep the agent from saying its answer.
    expect(ended.stdout.trim()).toEqual(prints(said));
    expect(ended.stderr).not.toMatch(/hookbell: |hook: .*fail/i);

    const received = await session.settled();
    const { session: id } = received[0]?.event ?? {};
    expect(id).toMatch(/^[\w-]{16,}$/);
    const common = { agent: recipe.agent, session: id, cwd: session.cwd, project: "shop-web" };
    expect(received.map(({ event }) => event)).toEqual(
      done.map((event) => expect.objectContaining({ ...common, ...event }) as unknown),
    );
    expect(new Set(received.map(({ deliveryId }) => deliveryId)).size).toBe(done.length);
  });

  it.each([400, ...(recipe === codex ? [401] : [])])(
    "tells of a turn that the model's error ended, as far as the agent says so: %i",
    async (status) => {
      const session = await startAgentSession(recipe);
      await session.install("init");
      const ended = await session.run(program, promptFor({ failWith: status }));
      expect(ended.code).toBe(1);
      const events = (await session.settled()).map(({ event }) => event);
      expect(events).toEqual(failed.map((event) => expect.objectContaining(event) as unknown));
    },
  );

  it.runIf(empty !== undefined)("tells of a turn in which the model says nothing", async () => {
    const session = await startAgentSession(recipe);
    await session.install("init");
    await session.run(program, promptFor({ say: "" }));
    const events = (await session.settled()).map(({ event }) => event);
    expect(events).toEqual(empty?.map((event) => expect.objectContaining(event) as unknown));
  });

  it("does not wait for a receiver that never answers", async () => {
    const session = await startAgentSession(recipe);
    session.receiver.behave("hangAfterReading");
    await session.install("init");
    const ended = await session.run(program, promptFor({ say: said }));
    expect(ended.stdout.trim()).toEqual(prints(said));
    await session.project.until("the first request", () => session.receiver.requests.length > 0);
    // The agent is gone, and what it set off is still at work.
    expect(session.project.journal().filter(({ kind }) => kind === "attempt")).toEqual([]);
    expect(openDescriptors(dispatcherPid(session.project))).toEqual(["/dev/null", "/dev/null", "/dev/null"]);
  });

  it("is left by uninstall as it was before init", async () => {
    const session = await startAgentSession(recipe);
    // What the agent itself makes at its first start is not of the test.
    await session.run(program, promptFor({ say: said }));
    expect(session.receiver.requests).toEqual([]);
    // Cline's daemon goes on writing here.
    const files = (): object =>
      Object.fromEntries(
        Object.entries(filesBelow(session, settings)).filter(([path]) => !/^data\/(?:db|locks)\//.test(path)),
      );
    const before = files();
    await session.install("init");
    expect(files()).not.toEqual(before);
    await session.install("uninstall");
    expect(files()).toEqual(before);
  });
});
