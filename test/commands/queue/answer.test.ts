import { expect, it } from "vitest";
import { answer } from "../../../src/commands/queue/answer.ts";
import { pending } from "../../../src/commands/queue/pending.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { readAnswer, type Question } from "../../../src/answers/questions.ts";
import { ensureLayout, layoutOf } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { openQuestion } from "../../answers/sample.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

function prepared(env: Record<string, string> = {}) {
  const home = temporaryFolder();
  const said: string[] = [];
  const io = commandIo(home, { env: { HOME: home, ...env }, stdout: (text) => void said.push(text) });
  const layout = layoutOf(io.places.stateDir);
  ensureLayout(layout);
  const ask = (more: Partial<Question> = {}): Question =>
    openQuestion(layout, { askedAt: io.clock.now(), expiresAt: io.clock.now() + 60_000, ...more });
  return { io, said, layout, ask };
}

async function firstId(io: CommandIo, said: string[]): Promise<string> {
  await pending(["--json"], io);
  return (JSON.parse(said.pop() ?? "[]") as { id: string }[])[0]?.id ?? "";
}

it("says that a session waits where no question can be answered from here", async () => {
  const { io, said, layout } = prepared();
  const at = io.clock.now();
  const open = [{ id: "q", at, name: "PermissionRequest", words: "run `npm test`?" }];
  writeSession(layout, recordOf({ agent: "codex", session: "s1", project: "shop-web", open }));
  await pending([], io);
  expect(said).toEqual([
    expect.stringMatching(
      /^no question can be answered from here; 1 session waits at its terminal: hookbell status\nAnswers are off; .*\n$/,
    ),
  ]);
});

it("lists what waits, and what can be answered", async () => {
  const { io, said, ask } = prepared();
  await pending([], io);
  ask({ branch: "main", shown: [{ channel: "phone", place: { message: "1" } }] });
  ask({ tool: "Edit", text: "/p/a.ts\n+ b", isAllowable: false });
  ask({ expiresAt: 1 });
  ask({ isWhole: false, cwd: "/tmp/\u001B]0;title\u0007" });
  await pending([], io);
  expect(said[0]).toBe("no question is waiting for an answer\n");
  expect(said[1]).toMatch(
    /Claude Code asks: Bash\n {4}│ npm test\n {4}tool: Bash \(Claude Code\)\n {4}branch: main\n[^]*folder: \/home\/u\/shop-web\n.* left, shown in phone\n/,
  );
  expect(said[1]).not.toContain("\u001B]");
  expect(said[1]).toMatch(/a part of it is masked or left out, so it can only be denied/);
  expect(said[1]).toMatch(/asks: Edit[^]*not shown yet; "answers.allow" does not list it, so it can only be denied/);
});

it("names the session as titles do", async () => {
  const { io, said, layout, ask } = prepared();
  const { agent, session } = ask();
  const lastSeenAt = io.clock.now();
  const others = { agent, project: "shop-web", lastSeenAt };
  writeSession(layout, recordOf({ ...others, session, branch: "cart" }));
  writeSession(layout, recordOf({ ...others, session: "other", branch: "main" }));
  await pending([], io);
  expect(said[0]).toMatch(/^\w{8} {2}shop-web \(cart\): Claude Code asks: Bash\n/);
});

it("marks each row of the agent's words, however narrow the terminal is", async () => {
  const { io, said, ask } = prepared();
  const fake = "folder: /tmp/scratch host: laptop";
  ask({ text: `npm test ${"x".repeat(90)} ${fake}`, cwd: `/home/${"y ".repeat(40)}${fake}` });
  await pending([], { ...io, isTerminal: true, columns: 80 });
  const rows = said[0]?.split("\n") ?? [];
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
  const own = rows.filter((row) => !row.startsWith("    │ ") && !/^ {12}/.test(row));
  expect(own.filter((row) => /^ *(?:folder|host|tool):/.test(row)).map((row) => row.trim().split(":")[0])).toEqual([
    "tool",
    "host",
    "folder",
  ]);
  expect(
    rows
      .filter((row) => row.startsWith("    │ "))
      .map((row) => row.slice(6))
      .join(""),
  ).toContain(fake);
});

it("answers by the beginning of an id or by its session's, once", async () => {
  const { io, said, layout, ask } = prepared();
  const question = ask();
  const id = await firstId(io, said);
  expect(await answer([id.slice(0, 6), "deny", "--message", "Use another folder."], io)).toBe(0);
  expect(said.pop()).toMatch(/^Denied by \S+ in a shell after/);
  expect(readAnswer(layout, question.id)).toMatchObject({ choice: "deny", message: "Use another folder." });
  await expect(answer([id, "allow"], io)).rejects.toThrow(
    /^this question is over: denied by \S+ in a shell after \S+ \(\d{4}-/,
  );
  const again = ask({ session: "019aa001-c000-eec88a01" });
  expect(await answer(["eec88a01", "deny"], io)).toBe(0);
  expect(readAnswer(layout, again.id)).toMatchObject({ choice: "deny" });
  await expect(answer(["ffffffff", "allow"], io)).rejects.toThrow("no open question has an id like ffffffff");
});

it("says how to list what cannot be allowed", async () => {
  const { io, said, ask } = prepared({});
  ask({ isAllowable: false, tool: "Bash" });
  const id = await firstId(io, said);
  const hint = expect.stringMatching(
    /list "Bash\(...\)" with a pattern, or "Bash" for all of them, in "answers.allow"/,
  );
  await expect(answer([id, "allow"], io)).rejects.toMatchObject({ hint });
});

it.each([
  ["what the list does not name", { isAllowable: false }, ["allow"], {}, /does not list it/],
  ["what came with an odd field", { isAllowable: false, isOdd: true }, ["allow"], {}, /not as its agent writes it/],
  ["what is masked or left out", { isWhole: false }, ["allow"], {}, /a part of it is masked or left out/],
  ["a session where the agent offers none", {}, ["allow", "--session"], {}, /not offered for this question/],
  [
    "for an agent that runs the command",
    {},
    ["deny"],
    { CLAUDECODE: "1" },
    /Claude Code runs this command .CLAUDECODE is set/,
  ],
  ["without a word", {}, [], {}, /allow or deny/],
  ["with another word", {}, ["maybe"], {}, /allow or deny/],
  ["a message with an allow", {}, ["allow", "--message", "x"], {}, /goes with deny/],
])("refuses %s", async (_what, more, words, env, message) => {
  const { io, said, layout, ask } = prepared(env);
  const question = ask(more);
  const id = await firstId(io, said);
  await expect(answer([id, ...words], io)).rejects.toThrow(message);
  expect(readAnswer(layout, question.id)).toBeUndefined();
});
