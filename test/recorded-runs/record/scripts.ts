// What the recorded runs do: each script is played with each agent that can do it.
import { setTimeout as sleep } from "node:timers/promises";
import { promptFor } from "../../support/agents/pretend-model.ts";
import { nightMs, type Script } from "./script.ts";

/** Qwen Code refuses one that begins with `sleep`. */
const command = "touch made; sleep 3";
const longCommand = "touch made; sleep 90";
/** Longer than a script waits. */
const foreverMs = 200_000;

export const scripts: readonly Script[] = [
  {
    name: "question-allowed",
    does: "The agent asks for a command, the person allows it, and the turn ends.",
    async play({ open, rest }) {
      const seat = await open();
      await seat.ask({ run: command, say: "First done." });
      await rest();
      seat.allow();
      await seat.ended("First done.");
      await rest();
    },
  },
  {
    name: "question-denied",
    does: "The agent asks for a command, and the person says no.",
    isFor: ({ no }) => no !== undefined,
    async play({ agent, open, rest }) {
      const seat = await open();
      await seat.ask({ run: command, say: "First done." });
      await rest();
      await seat.refuse(agent.no ?? "", "First done.");
      await rest();
    },
  },
  {
    name: "escape-at-a-question",
    does: "The person presses Escape at a question. Then comes a night.",
    isFor: ({ escapeAsks }) => escapeAsks !== true,
    async play({ open, rest }) {
      const seat = await open();
      await seat.ask({ run: command, say: "First done." });
      await rest();
      await seat.refuse("Escape", "First done.");
      await rest(nightMs);
    },
  },
  {
    name: "escape-in-a-turn",
    does: "The person presses Escape while the model thinks. Then comes a night, and another prompt.",
    async play({ open, rest }) {
      const seat = await open();
      await seat.prompt({ thinkMs: foreverMs, say: "First done." });
      await sleep(4000);
      await rest();
      await seat.escape();
      await rest(nightMs);
      await seat.terminal.until(/./);
      // Some put the prompt back into their input.
      for (let count = 0; count < 3; count += 1) seat.terminal.press("C-u");
      await seat.turn({ say: "Second done." });
      await rest();
    },
  },
  {
    name: "escape-in-a-tool",
    does: "The person allows a long command, and presses Escape while it runs.",
    isFor: ({ stopped }) => stopped !== undefined,
    async play({ open, rest }) {
      const seat = await open();
      await seat.ask({ run: longCommand, say: "First done." });
      await rest();
      seat.allow();
      await sleep(4000);
      await rest();
      await seat.escape();
      await rest();
    },
  },
  {
    name: "terminal-closed",
    does: "The person closes the terminal while the model thinks. Then comes a night.",
    async play({ open, rest }) {
      const seat = await open();
      await seat.prompt({ thinkMs: foreverMs, say: "First done." });
      await sleep(4000);
      await rest();
      seat.is(["gone"], "the person closed the terminal");
      seat.terminal.close();
      await sleep(4000);
      await rest(nightMs);
    },
  },
  {
    name: "process-killed",
    does: "The agent's process is killed while its question is open. Then comes a night.",
    async play({ open, rest }) {
      const seat = await open();
      await seat.ask({ run: command, say: "First done." });
      await rest();
      const pid = seat.terminal.pid();
      seat.is(["gone"], "the process was killed");
      process.kill(-pid, "SIGKILL");
      await sleep(4000);
      await rest(nightMs);
    },
  },
  ...[401, 429, 500].map((status): Script => ({
    name: `failure-${status}`,
    does: `The model answers with status ${status}. Where the agent tries again for longer, the person presses Escape.`,
    async play({ agent, open, rest }) {
      const isRetried = agent.retries?.includes(status) === true;
      const seat = await open();
      const failedAt: number[] = [];
      await seat.prompt({ failWith: status, say: "First done." }, (what) => {
        if (what === "fails") failedAt.push(Date.now());
      });
      const begunAt = Date.now();
      const sinceLast = (): number => Date.now() - (failedAt.at(-1) ?? begunAt);
      while (failedAt.length === 0 || (sinceLast() < 12_000 && Date.now() - begunAt < 40_000)) await sleep(200);
      const last = failedAt.at(-1) ?? begunAt;
      if (sinceLast() >= 12_000 && !isRetried) {
        const ends = status === 429 ? (["waitsForLimit", "failed"] as const) : (["failed"] as const);
        seat.is(["working", ...ends], "the model answered with an error", last);
        seat.is([...ends], "the agent has given up", last + 1000);
      } else {
        seat.is(["interrupted", "idle", "failed"], "the person pressed Escape while it tried again");
        seat.terminal.press("Escape");
        await sleep(500);
        seat.terminal.press("Escape");
        await sleep(3000);
      }
      await rest();
    },
  })),
  {
    name: "helpers",
    does: "The agent gives a task to a helper, which works for six seconds.",
    isFor: ({ delegates }) => delegates !== undefined,
    async play({ agent, open, rest }) {
      const seat = await open();
      const helper = { isDone: false };
      let toldAt = 0;
      let quietSince = Date.now();
      const task = { thinkMs: 6000, say: "Helper done." };
      const act = { delegate: promptFor(task), say: "Main done.", callWith: agent.delegates ?? {} };
      await seat.prompt(act, (what) => {
        quietSince = Date.now();
        if (what !== "says") return;
        toldAt = Date.now();
        if (helper.isDone) return seat.is(["working", "done"], "the model gave its last answer");
        seat.is(["working", "waitsForHelpers"], "the model gave an answer while its helper works");
        seat.is(["waitsForHelpers"], "its turn has ended, and its helper works", toldAt + 1000);
      });
      seat.onModel("Helper done.", (what) => {
        quietSince = Date.now();
        if (what !== "says") return;
        helper.isDone = true;
        if (toldAt > 0) seat.is(["waitsForHelpers", "working"], "the helper has ended");
      });
      await seat.terminal.until(/Main done/);
      while (!helper.isDone || Date.now() - quietSince < 7000) await sleep(200);
      seat.is(["done"], "all has ended", Math.max(toldAt, quietSince) + 1000);
      await rest();
    },
  },
  {
    name: "compaction",
    does: "The person has the conversation summarised between two turns.",
    isFor: ({ compact }) => compact !== undefined,
    async play({ agent, open, rest }) {
      const seat = await open();
      await seat.turn({ say: "First done." });
      await rest();
      await seat.enter(agent.compact ?? "", ["working", "done", "idle"], "the person asked for a summary");
      if (agent.confirmsCompact !== undefined) {
        await seat.terminal.until(agent.confirmsCompact);
        seat.terminal.press("Enter");
      }
      await sleep(5000);
      seat.is(["done", "idle"], "the summary is made");
      await rest();
      await seat.turn({ say: "Second done." });
      await rest();
    },
  },
  {
    name: "clear",
    does: "The person begins a new conversation between two turns.",
    isFor: ({ clear }) => clear !== undefined,
    async play({ agent, open, rest }) {
      const seat = await open();
      await seat.turn({ say: "First done." });
      await rest();
      await seat.enter(agent.clear ?? "", ["gone", "idle", "done"], "the person began a new conversation");
      await sleep(agent.leavesAfterMs ?? 3000);
      if (agent.leavesAfterMs !== undefined) seat.is(["gone"], "the agent has ended the old conversation");
      await rest();
      await seat.turn({ say: "Second done." });
      await rest();
    },
  },
  {
    name: "resume",
    does: "The person quits after a turn, resumes the session, and asks again.",
    isFor: ({ resume }) => resume !== undefined,
    async play({ agent, open, resume, rest }) {
      const seat = await open();
      await seat.turn({ say: "First done." });
      await rest();
      await seat.enter(agent.quit, ["gone", "done"], "the person quit");
      await seat.terminal.ended();
      seat.is(["gone"], "the agent has ended");
      await sleep(3000);
      await rest();
      const resumed = await resume();
      resumed.is(["gone", "idle", "done"], "the person resumed the session");
      await resumed.turn({ say: "Second done." });
      await rest();
    },
  },
  {
    name: "two-sessions",
    does: "Two sessions in one folder: one asks while the other works.",
    async play({ open, claim, rest }) {
      claim("a", "in a");
      claim("b", "in b");
      const a = await open("a");
      const b = await open("b");
      await a.prompt({ thinkMs: 28_000, say: "First done in a." }, (what) => {
        if (what === "says") a.is(["working", "done"], "the model gave its last answer");
      });
      await b.ask({ run: command, say: "First done in b." });
      await rest();
      b.allow();
      await b.ended("First done in b.");
      await rest();
      await a.ended("First done in a.");
      await rest();
    },
  },
  {
    name: "night",
    does: "A night passes after a turn, and another one with an open question.",
    async play({ agent, open, rest }) {
      const seat = await open();
      await seat.turn({ say: "First done." });
      await sleep(agent.remindsAfterMs ?? 0);
      await rest(nightMs);
      await seat.ask({ run: command, say: "Second done." });
      await rest(nightMs);
      seat.allow();
      await seat.ended("Second done.");
      await rest();
    },
  },
];
