// The list of waiting sessions, as one notification for all of them and `status` show it.
import { describe, expect, it } from "vitest";
import { waitingMessage, waitingSessions } from "../../src/sessions/waiting.ts";
import { recordOf } from "../support/project/session-record.ts";
import { noon, second } from "../policies/messages.ts";

function listOf(...commands: string[]) {
  const sessions = commands.map((words, index) => {
    const at = noon + index * second;
    const question = { id: `evt_${index}`, at, name: "PermissionRequest", words };
    const state = { kind: "needsYou", since: at, reason: "", source: "hook", question: question.id } as const;
    return recordOf({
      agent: "claude-code",
      session: `s${index}`,
      project: `p${index}`,
      lastSeenAt: at,
      state,
      open: [question],
    });
  });
  return waitingMessage(waitingSessions(sessions, noon), noon, () => "Claude Code");
}

const build = (middle: string): string => `run \`cd shop && npm run build${middle} && npm run deploy -- --region eu\`?`;

describe("the list of waiting sessions", () => {
  it("has each question whole where there is room, so that two that differ in the middle can be told apart", () => {
    const [harmless, harmful] = [build(" -- --dry-run"), build(" && rm -rf backups")];
    const { title, body } = listOf(harmless, harmful, build(""));
    expect(title).toBe("3 sessions wait for you");
    for (const command of [harmless, harmful, build("")]) expect(body).toContain(command);
  });

  it("has the newest one whole however long it is, and the others in a line where there is no room", () => {
    const long = (name: string): string => `run \`${name} ${"x".repeat(600)} end-of-${name}\`?`;
    const { body } = listOf(long("first"), long("second"), long("third"));
    expect(body).toContain(long("third"));
    const lines = body.split("\n").filter((line) => line.startsWith("p"));
    expect(lines).toHaveLength(3);
    for (const name of ["first", "second"]) {
      const line = lines.find((each) => each.includes(`run \`${name}`)) ?? "";
      expect(line).toContain(`end-of-${name}`);
      expect(line.length).toBeLessThan(200);
    }
  });

  it("marks the further lines of a question, so that none looks like another session's", () => {
    const { body } = listOf("run `npm test`?", "run `true`?\np9 (Claude Code): run `false`?");
    expect(body.split("\n").filter((line) => line.startsWith("p"))).toHaveLength(2);
    expect(body).toContain("│ p9 (Claude Code)");
  });
});
