// How a person uses each agent in a terminal: what it shows, and which keys it takes.
import { setTimeout as sleep } from "node:timers/promises";
import { auggie } from "../../agents/known/auggie/recipe.ts";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { cline } from "../../agents/known/cline/recipe.ts";
import { codex } from "../../agents/known/codex/recipe.ts";
import { copilotCli } from "../../agents/known/copilot-cli/recipe.ts";
import { droid } from "../../agents/known/droid/recipe.ts";
import { geminiCli } from "../../agents/known/gemini-cli/recipe.ts";
import { kilo } from "../../agents/known/kilo/recipe.ts";
import { kimiCode } from "../../agents/known/kimi-code/recipe.ts";
import { opencode } from "../../agents/known/opencode/recipe.ts";
import { pi } from "../../agents/known/pi/recipe.ts";
import { qwenCode } from "../../agents/known/qwen-code/recipe.ts";
import type { AgentTerminal } from "./agent-terminal.ts";
import type { Act } from "./pretend-model.ts";
import type { AgentRecipe } from "./recipe.ts";

export interface InTerminal {
  recipe: AgentRecipe;
  /** Gets through what the agent asks before the first prompt; some of it only once in a home and folder. */
  start(terminal: AgentTerminal, isFirst: boolean): Promise<void>;
  /** What it shows when it takes a prompt. */
  ready: RegExp;
  /** The question before a command is run. */
  question: RegExp;
  /** The key of the answer "Yes"; Enter where there is none. */
  yes?: string;
  /** What makes it ask. */
  asking?: Partial<Act>;
  /** The keys of the answer "No", separated by blanks. */
  no?: string;
  /** Escape at a question asks what to do instead, and the question stays. */
  escapeAsks?: true;
  /** How often Escape is pressed to stop a turn. */
  escapes?: number;
  /** What it shows of a turn that was stopped. */
  stopped?: RegExp;
  /** How it starts a subagent. */
  delegates?: Record<string, string>;
  /** It reminds of the end of a turn by then. */
  remindsAfterMs?: number;
  /** Statuses of the model after which it tries again for longer than a minute. */
  retries?: readonly number[];
  /** Commands at its prompt. */
  quit: string;
  clear?: string;
  /** It ends a conversation that the person has left by then. */
  leavesAfterMs?: number;
  compact?: string;
  /** What it asks before it summarises; Enter answers yes. */
  confirmsCompact?: RegExp;
  /** Arguments of a run without a person. */
  headless?: readonly string[];
  /** In such a run it denies by itself what it would ask for. */
  deniesHeadless?: true;
  /** How a command runs on when the turn has ended. */
  background?: Record<string, unknown>;
  /** The agent goes on by itself when such a command has ended. */
  resumesAfterCommand?: true;
  /** How it uses a tool of an MCP server: arguments that add the server, the tool, its question and the form. */
  mcp?: {
    args(argv: readonly string[]): string[];
    use: string;
    question: RegExp;
    yes: string;
    form: RegExp;
    fill: string;
  };
  /** A question of its own with several answers or parts: a key that it needs before the prompt, those that answer the first part, and the rest. */
  choices?: { mode?: string; act: Act; shown: RegExp; half: string; rest: string };
  /** A call of its tool that has it go on every minute with this prompt. */
  everyMinute?: { args: readonly string[]; act(prompt: string): Pick<Act, "use" | "callWith"> };
  /** Arguments that show its sessions in the background, what that shows, also of a question, and what its own payloads contain. */
  view?: { args: readonly string[]; ready: RegExp; asks: RegExp; mark: string };
  /** Arguments that go on with this session. */
  resume?(session: string): string[];
}

/** Claude Code has the model search for some tools. */
const withAllTools = ["--settings", JSON.stringify({ env: { ENABLE_TOOL_SEARCH: "false" } })];

export const inTerminal = {
  "claude-code": {
    recipe: claudeCode,
    start: (terminal) => terminal.until(/\? for shortcuts/),
    ready: /\? for shortcuts/,
    question: /Do you want to proceed\?/,
    no: "4",
    stopped: /Interrupted/,
    delegates: { subagent_type: "general-purpose" },
    headless: ["--permission-mode", "default"],
    deniesHeadless: true,
    background: { run_in_background: true },
    resumesAfterCommand: true,
    mcp: {
      args: ([command, ...args]) => [
        ...withAllTools,
        "--mcp-config",
        JSON.stringify({ mcpServers: { shop: { command, args } } }),
      ],
      use: "mcp__shop__ask_color",
      question: /Do you want to proceed\?/,
      yes: "Enter",
      form: /Which color is it\?/,
      fill: "Down Enter",
    },
    choices: {
      act: {
        use: "AskUserQuestion",
        callWith: {
          questions: [
            {
              question: "Which colors do you want?",
              header: "Colors",
              multiSelect: true,
              options: ["Red", "Blue", "Green"].map((label) => ({ label, description: label })),
            },
          ],
        },
      },
      shown: /Which colors do you want\?/,
      half: "Enter",
      rest: "Down Enter Right Enter",
    },
    view: {
      args: ["agents"],
      ready: /describe a task for a new session/,
      asks: /1 awaiting input/,
      mark: "agent_needs_input",
    },
    everyMinute: {
      args: withAllTools,
      act: (prompt) => ({ use: "CronCreate", callWith: { cron: "* * * * *", prompt, recurring: true } }),
    },
    remindsAfterMs: 64_000,
    quit: "/exit",
    clear: "/clear",
    compact: "/compact",
    resume: () => ["--continue"],
  },
  codex: {
    recipe: codex,
    async start(terminal, isFirst) {
      // It skips hooks that no one has looked at, and asks about them a moment after it has started.
      if (isFirst) {
        await terminal.until(/Trust all and continue/);
        // On a busy machine it ignores a key in its first moment.
        for (let tries = 0; !terminal.shows(/› 2\. Trust all/) && tries < 10; tries += 1) {
          terminal.press("Down");
          await sleep(2000);
        }
        await terminal.until(/› 2\. Trust all/);
        terminal.press("Enter");
      }
      await terminal.until(/Ask Codex to do anything/);
    },
    ready: /Ask Codex to do anything/,
    question: /Yes, proceed/,
    // It asks for nothing within its sandbox.
    asking: { callWith: { sandbox_permissions: "require_escalated", justification: "as told" } },
    no: "n",
    stopped: /Conversation interrupted/,
    delegates: { agent_type: "default" },
    headless: [],
    deniesHeadless: true,
    background: { yield_time_ms: 1000 },
    mcp: {
      args: ([command, ...args]) => [
        "-c",
        `mcp_servers.shop.command=${JSON.stringify(command)}`,
        "-c",
        `mcp_servers.shop.args=${JSON.stringify(args)}`,
      ],
      use: "ask_color",
      question: /Allow the shop MCP server/,
      yes: "Enter",
      form: /Which color is it\?/,
      fill: "Enter",
    },
    choices: {
      // It asks in plan mode only.
      mode: "BTab",
      act: {
        use: "request_user_input",
        callWith: {
          questions: ["Color", "Size"].map((header, index) => ({
            id: `q${index}`,
            header,
            question: `Which ${header.toLowerCase()} do you want?`,
            options: ["First", "Second"].map((label) => ({ label, description: label })),
          })),
        },
      },
      shown: /Which color do you want\?/,
      half: "Enter",
      rest: "Enter",
    },
    quit: "/quit",
    clear: "/clear",
    leavesAfterMs: 64_000,
    compact: "/compact",
    resume: () => ["resume", "--last"],
  },
  droid: {
    recipe: droid,
    async start(terminal, isFirst) {
      if (isFirst) {
        await terminal.until(/Trust this folder\?[^]*Enter to confirm/);
        terminal.press("Enter");
      }
      await terminal.until(/\? for help/);
    },
    ready: /\? for help/,
    question: /Yes, allow/,
    no: "Down Down Enter",
    retries: [500],
    quit: "/quit",
    clear: "/clear",
    compact: "/compress",
    confirmsCompact: /Confirm \/compress/,
    resume: (session) => ["--resume", session],
  },
  "gemini-cli": {
    recipe: geminiCli,
    start: (terminal) => terminal.until(/\? for shortcuts/),
    ready: /\? for shortcuts/,
    question: /Allow execution/,
    no: "3",
    retries: [429, 500],
    quit: "/quit",
    clear: "/clear",
    compact: "/compress",
    resume: () => ["--resume", "latest"],
  },
  "qwen-code": {
    recipe: qwenCode,
    start: (terminal) => terminal.until(/Type your message/),
    ready: /Type your message/,
    question: /Yes, allow once|Allow execution/,
    no: "4",
    delegates: { subagent_type: "general-purpose" },
    remindsAfterMs: 64_000,
    retries: [429, 500],
    quit: "/quit",
    clear: "/clear",
    compact: "/compress",
    resume: () => ["--continue"],
  },
  "copilot-cli": {
    recipe: copilotCli,
    async start(terminal) {
      await terminal.until(/Do you trust the files/);
      terminal.press("Enter");
      await terminal.until(/Interactive · Manual Approval/);
    },
    ready: /Interactive · Manual Approval/,
    question: /Do you want to run this command\?/,
    delegates: { agent_type: "general-purpose", name: "helper" },
    escapes: 2,
    quit: "/exit",
    clear: "/clear",
    compact: "/compact",
    resume: () => ["--continue"],
  },
  opencode: {
    recipe: opencode,
    async start(terminal) {
      await terminal.until(/ctrl\+p commands/);
      // It shows its prompt long before it can work.
      await sleep(15_000);
    },
    ready: /ctrl\+p commands/,
    question: /Permission required/,
    escapes: 2,
    stopped: /· interrupted/,
    delegates: { subagent_type: "general" },
    retries: [429, 500],
    quit: "/exit",
    clear: "/new",
    compact: "/compact",
    resume: () => ["--continue"],
  },
  kilo: {
    recipe: kilo,
    async start(terminal) {
      await terminal.until(/ctrl\+p commands/);
      // It shows its prompt long before it can work.
      await sleep(15_000);
    },
    ready: /ctrl\+p commands/,
    question: /Permission required/,
    no: "Escape Enter",
    escapeAsks: true,
    escapes: 2,
    stopped: /· interrupted/,
    delegates: { subagent_type: "general" },
    retries: [429, 500],
    quit: "/exit",
    clear: "/new",
    compact: "/compact",
    resume: () => ["--continue"],
  },
  cline: {
    recipe: cline,
    start: (terminal) => terminal.until(/Ask anything|What can I do for you\?/),
    ready: /Ask anything|What can I do for you\?/,
    question: /Approve tool call\?/,
    yes: "y",
    no: "n",
    retries: [429, 500],
    quit: "/quit",
    clear: "/clear",
    compact: "/compact",
    resume: (session) => ["--id", session],
  },
  "kimi-code": {
    recipe: kimiCode,
    async start(terminal, isFirst) {
      if (isFirst) {
        await terminal.until(/Trust this folder\?/);
        terminal.press("Enter");
      }
      await terminal.until(/Welcome to Kimi Code!/);
    },
    ready: /Welcome to Kimi Code!/,
    question: /Approve once/,
    no: "3",
    delegates: { subagent_type: "coder" },
    retries: [429, 500],
    quit: "/exit",
    clear: "/new",
    compact: "/compact",
    resume: () => ["--continue"],
  },
  auggie: {
    recipe: auggie,
    async start(terminal, isFirst) {
      if (isFirst) {
        await terminal.until(/Welcome to Augment Code![^]*esc to skip/);
        terminal.press("Escape");
      }
      await terminal.until(/Skip indexing for this session[^]*Esc to skip/);
      // In its first moment, the dialog takes no key.
      while (!terminal.shows(/\? to show shortcuts/)) {
        if (terminal.shows(/Skip indexing for this session/)) terminal.press("4");
        await sleep(1000);
      }
    },
    ready: /\? to show shortcuts/,
    question: /Tool Approval Required/,
    yes: "a",
    no: "d",
    // Its schema requires a folder, and whether to wait and for how long.
    asking: { callWith: { cwd: ".", wait: true, max_wait_seconds: 100 } },
    stopped: /Interrupted by the user/,
    headless: [],
    // At the end of a command's name, Enter only completes it.
    quit: "/exit ",
    clear: "/new ",
    resume: () => ["--continue"],
  },
  pi: {
    recipe: pi,
    start: (terminal) => terminal.until(/escape interrupt[^]*\(auto\)/),
    ready: /\(auto\)/,
    question: /Run this command\?/,
    no: "Down Enter",
    stopped: /Operation aborted/,
    headless: [],
    quit: "/quit",
    clear: "/new",
    compact: "/compact",
    resume: () => ["--continue"],
  },
} satisfies Record<string, InTerminal>;
