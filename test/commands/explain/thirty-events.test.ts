// The starter rules, README's example, what `channels add` offers and each recipe notify of what their words promise: two tables.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type EventKind, rulesFor } from "../../../src/commands/channels/add/events.ts";
import { addChannel } from "../../../src/rules/edit/add.ts";
import { starterRulesText } from "../../../src/rules/edit/starter-rules.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { explained, readRecipes } from "../../support/home/explained.ts";
import { everyRow } from "../../support/rows.ts";

const known = new URL("../../agents/known/", import.meta.url);

/** Payloads of agents, by what they mean to you. Notifications without a file are of the kinds that Claude Code names. */
const events = {
  asks: [
    "claude-code/payloads/PermissionRequest-Bash", // may it run this command?
    "claude-code/payloads/PermissionRequest-AskUserQuestion", // a choice
    { name: "PermissionRequest", tool_name: "ExitPlanMode", tool_input: { plan: "1. Drop the table." } },
    "claude-code/payloads/Notification-permission-prompt",
    "claude-code/payloads/Notification-idle-prompt",
    "claude-code/documented/Notification-elicitation-dialog", // a form of an MCP server
    "claude-code/documented/Notification-agent-needs-input",
    { name: "Notification", notification_type: "worker_permission_prompt" },
    { name: "Notification", notification_type: "a kind of next year" },
    "codex/payloads/PermissionRequest-Bash",
    "gemini-cli/payloads/Notification-ToolPermission-exec",
    "opencode/documented/question.asked",
  ],
  fails: [
    "claude-code/payloads/StopFailure-authentication-failed",
    "claude-code/payloads/StopFailure-model-not-found",
    "claude-code/payloads/StopFailure-server-error-500",
    "claude-code/payloads/StopFailure-server-error-529",
    "copilot-cli/payloads/camel-errorOccurred",
    "copilot-cli/payloads/pascal-SessionEnd-error",
    { name: "Notification", notification_type: "agent_completed", message: "Agent tests failed" }, // in the background
    { name: "Notification", notification_type: "task_failed" },
    { name: "Notification", notification_type: "task_timed_out" },
  ],
  limit: ["claude-code/payloads/StopFailure-rate-limit"],
  // The prompt begins the turn that may get stuck; each file below has "stuckAfter".
  stuck: ["claude-code/payloads/UserPromptSubmit"],
  done: [
    "claude-code/payloads/Stop",
    // A short turn that ends in a question counts as one.
    { name: "Stop", last_assistant_message: "Shall I go on?", age: "5s" },
  ],
  short: [{ name: "Stop", last_assistant_message: "Done.", age: "5s" }],
  // Something in the background is done, or goes on by itself.
  background: [
    { name: "Notification", notification_type: "agent_completed", message: "Agent tests done" },
    "kimi-code/payloads/Notification-task-completed",
    { name: "Notification", notification_type: "shell_completed" },
    "qwen-code/payloads/Notification-auth-success",
    { name: "Notification", notification_type: "retry" },
    "claude-code/payloads/SubagentStop",
    "claude-code/payloads/SessionStart-startup",
    "claude-code/payloads/SessionEnd-prompt-input-exit",
    "claude-code/payloads/SessionEnd-other",
  ],
  // The agent sends you a message.
  news: [{ name: "Notification", notification_type: "push_notification" }],
} as const satisfies Record<string, readonly Sample[]>;

interface Written {
  name: string;
  /** How long ago the turn began; 3m if it does not matter. */
  age?: string;
  [field: string]: unknown;
}

type Sample = string | Written;

/** Who is notified of all events of a kind, while you are away; "-" is no one. */
const promises = `
                                          | asks                    | fails                | limit                | stuck                   | done                | short          | background | news
the starter rules                         | desktop sound           | desktop sound        | desktop sound        | desktop sound           | desktop sound       | -              | -          | desktop
README                                    | desktop                 | desktop              | desktop              | desktop                 | -                   | -              | -          | -
An agent needs me, or something failed    | desktop phone sound     | desktop phone sound  | desktop phone sound  | desktop phone sound     | desktop sound       | -              | -          | desktop
Also when an agent is done                | desktop phone sound     | desktop phone sound  | desktop phone sound  | desktop phone sound     | desktop phone sound | -              | -          | desktop
Everything                                | desktop phone sound     | desktop phone sound  | desktop phone sound  | desktop phone sound     | desktop phone sound | phone          | phone      | desktop phone
Phone only when I am away                 | desktop phone           | phone                | phone                | desktop phone           | phone               | -              | -          | -
Phone after two minutes without an answer | colleague desktop phone | desktop              | desktop              | colleague desktop phone | desktop             | -              | -          | -
A quiet evening                           | desktop phone record    | desktop phone record | desktop phone record | desktop phone record    | desktop record      | desktop record | record     | record
Team channel for failures in CI           | desktop                 | desktop              | desktop              | desktop                 | desktop             | desktop        | -          | -
Three machines, one person                | desktop phone           | phone                | phone                | desktop phone           | desktop             | -              | -          | -
Headless server                           | window                  | window               | window               | window                  | window              | -              | -          | -
Only what needs me                        | desktop sound           | desktop sound        | desktop sound        | desktop sound           | -                   | -              | -          | -
A meeting, or a shared screen             | desktop phone           | desktop phone        | desktop phone        | desktop phone           | -                   | -              | -          | -
A client's work stays on this machine     | desktop                 | desktop team         | desktop team         | desktop                 | desktop team        | desktop team   | -          | -
Two agents, two voices                    | voice or chime          | alarm                | alarm voice          | voice                   | -                   | -              | -          | -
Many sessions at once                     | desktop phone           | desktop phone        | desktop phone        | desktop phone           | desktop             | -              | -          | -
Answer from the sofa                      | desktop phone           | desktop              | desktop phone        | desktop phone           | -                   | -              | -          | -
Out of quota                              | desktop                 | desktop              | desktop phone        | desktop                 | -                   | -              | -          | -
Is it stuck?                              | desktop                 | desktop              | desktop              | desktop phone           | -                   | -              | -          | -
One e-mail in the evening                 | desktop                 | -                    | desktop              | desktop                 | -                   | -              | -          | -
`;

type Kind = keyof typeof events;

const [[, ...kinds] = [], ...rows] = promises
  .split("\n")
  .filter((line) => line.includes("|"))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const table = rows.map(([file = "", ...promised]) => ({ file, promised }));

const files: Record<string, string> = {};

beforeAll(async () => {
  const starter = starterRulesText() ?? "";
  files["the starter rules"] = starter;
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  files.README = /```jsonc\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  files["An agent needs me, or something failed"] = await withPhone(starter, "attention");
  files["Also when an agent is done"] = await withPhone(starter, "attention", "finished");
  files.Everything = await withPhone(starter, "every");
  for (const { title, rules } of readRecipes()) files[title] = rules;
});

/** As `channels add` writes it for these answers. */
async function withPhone(text: string, ...wanted: EventKind[]): Promise<string> {
  const loaded = await loadRules(text);
  if (loaded.status === "broken") throw new Error(JSON.stringify(loaded.problems));
  const settings = { type: "ntfy", server: "https://ntfy.example.org", topic: "made-up-topic" };
  const rules = rulesFor("phone", { kinds: wanted, joined: [] }, loaded.rules);
  return addChannel(text, { name: "phone", settings, joined: [], rules });
}

async function notified(rules: string, sample: Sample): Promise<string> {
  const age = (typeof sample === "string" ? undefined : sample.age) ?? "3m";
  const [agent = "", payload] =
    typeof sample === "string"
      ? [sample.split("/")[0], readFileSync(new URL(`${sample}.json`, known), "utf8")]
      : [
          "claude-code",
          JSON.stringify({
            hook_event_name: sample.name,
            session_id: "s",
            cwd: "/home/you/shop",
            message: "",
            ...sample,
          }),
        ];
  const assumed = ["--state", "away", "--session-age", age, "--agent", agent];
  const withStuck = rules.includes('"stuckAfter":')
    ? rules
    : rules.replace('"channels"', '"stuckAfter": "15m", "channels"');
  const { deliveries } = await explained(withStuck, payload, assumed);
  return [...new Set(deliveries.map(({ channel }) => channel))].toSorted().join(" ") || "-";
}

describe.each(table)("$file", ({ file, promised }) => {
  it.each(kinds.map((kind, index) => [kind as Kind, promised[index] ?? ""] as const))("%s: %s", (kind, wanted) =>
    everyRow<Sample>(
      events[kind],
      async (sample) => {
        expect(wanted.split(" or ")).toContain(await notified(files[file] ?? "", sample));
      },
      (sample) => (typeof sample === "string" ? sample : JSON.stringify(sample)),
    ),
  );
});

it("has a row for every recipe, and thirty events", () => {
  expect(table.map(({ file }) => file)).toEqual(Object.keys(files));
  expect(Object.values(events).flat().length).toBeGreaterThanOrEqual(30);
});
