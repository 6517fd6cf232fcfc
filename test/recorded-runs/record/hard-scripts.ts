// Recorded runs of what agents do beside plain turns and questions: where hookbell was wrong once.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promptFor } from "../../support/agents/pretend-model.ts";
import type { Script } from "./script.ts";

/** Between keys: some take two that come together for one. */
const betweenKeysMs = 700;

async function pressAll(press: (key: string) => void, keys: string): Promise<void> {
  for (const key of keys.split(" ")) {
    press(key);
    await sleep(betweenKeysMs);
  }
}

export const hardScripts: readonly Script[] = [
  {
    name: "headless-denied",
    does: "Without a person, the agent denies by itself the command that it would ask for, and ends.",
    isFor: ({ deniesHeadless }) => deniesHeadless === true,
    async play({ agent, runHeadless, rest }) {
      await runHeadless({ run: "touch made; sleep 3", thinkMs: 3000, say: "First done.", ...agent.asking });
      await sleep(3000);
      await rest();
    },
  },
  {
    name: "headless-401",
    does: "Without a person, the model refuses the login. The agent gives up and ends.",
    isFor: ({ headless }) => headless !== undefined,
    async play({ runHeadless, rest }) {
      await runHeadless({ failWith: 401, thinkMs: 3000, say: "First done." });
      await sleep(3000);
      await rest();
    },
  },
  {
    name: "background-command",
    does: "The turn ends while a command runs in the background; the command ends later.",
    isFor: ({ background }) => background !== undefined,
    async play({ agent, open, rest }) {
      const seat = await open();
      const answers: number[] = [];
      const callWith = { ...agent.asking?.callWith, ...agent.background };
      await seat.ask({ run: "touch made; sleep 14", say: "First done.", callWith });
      seat.onModel("First done.", (what) => {
        if (what !== "says") return;
        answers.push(Date.now());
        seat.is(["working", "done"], "the model gave an answer");
      });
      await rest();
      seat.allow();
      await seat.terminal.until(/First done\./);
      seat.is(["done"], "its turn has ended, and the command runs", (answers.at(-1) ?? 0) + 1000);
      await rest();
      if (agent.resumesAfterCommand === true) {
        while (answers.length < 2) await sleep(100);
        seat.is(["done"], "the command and the turn after it have ended", (answers.at(-1) ?? 0) + 1000);
      } else {
        await sleep(14_000);
      }
      await rest();
    },
  },
  {
    name: "mcp-form",
    does: "The agent asks for a tool of an MCP server, which the person allows and which then shows a form.",
    isFor: ({ mcp }) => mcp !== undefined,
    async play({ agent, open, rest }) {
      const { mcp } = agent;
      if (mcp === undefined) return;
      const server = fileURLToPath(new URL("form-server.mjs", import.meta.url));
      const seat = await open("a", mcp.args([process.execPath, server]));
      await seat.prompt({ use: mcp.use, say: "First done." }, (what) => {
        if (what === "calls") seat.is(["working", "needsYou"], "the model called a tool that asks");
        if (what === "says") seat.is(["working", "done"], "the model gave its last answer");
      });
      await seat.terminal.until(mcp.question);
      seat.is(["needsYou"], "the question is on the screen");
      await sleep(7500);
      await rest();
      seat.is(["working", "needsYou"], "the person allowed the tool, which shows a form");
      seat.terminal.press(mcp.yes);
      await seat.terminal.until(mcp.form);
      seat.is(["needsYou"], "the form is on the screen");
      await sleep(10_000);
      await rest();
      await pressAll((key) => {
        if (key === mcp.fill.split(" ").at(-1)) seat.is(["needsYou", "working"], "the person filled in the form");
        seat.terminal.press(key);
      }, mcp.fill);
      await seat.ended("First done.");
      await rest();
    },
  },
  {
    name: "half-answered",
    does: "The agent asks with several answers or parts. The person gives the first, waits, and then gives the rest.",
    isFor: ({ choices }) => choices !== undefined,
    async play({ agent, open, rest }) {
      const { choices } = agent;
      if (choices === undefined) return;
      const seat = await open();
      if (choices.mode !== undefined) seat.terminal.press(choices.mode);
      await seat.prompt({ ...choices.act, say: "First done." }, (what) => {
        if (what === "calls") seat.is(["working", "needsYou"], "the model asked");
        if (what === "says") seat.is(["working", "done"], "the model gave its last answer");
      });
      await seat.terminal.until(choices.shown);
      seat.is(["needsYou"], "the question is on the screen");
      await sleep(7500);
      await rest();
      await pressAll(seat.terminal.press, choices.half);
      seat.is(["needsYou"], "the person answered half of the question");
      await rest();
      const keys = choices.rest.split(" ");
      for (const key of keys.slice(0, -1)) {
        seat.terminal.press(key);
        await sleep(betweenKeysMs);
      }
      seat.is(["working"], "the person answered the question");
      seat.terminal.press(keys.at(-1) ?? "");
      await seat.ended("First done.");
      await rest();
    },
  },
  {
    name: "two-questions",
    does: "The agent asks for two commands in one answer. The person allows the first, and later the second.",
    async play({ agent, open, rest }) {
      const seat = await open();
      const second = { run: "touch second; sleep 3", ...agent.asking };
      await seat.ask({ run: "touch first", say: "First done.", also: [second] });
      await rest();
      seat.is(["working", "needsYou"], "the person allowed the first command");
      seat.terminal.press(agent.yes ?? "Enter");
      await sleep(1000);
      await seat.terminal.until(agent.question);
      seat.is(["needsYou"], "the second question is on the screen");
      await sleep(7500);
      await rest();
      seat.allow();
      await seat.ended("First done.");
      await rest();
    },
  },
  {
    name: "agent-view",
    does: "The person starts a session in the agent view, opens it when it asks, and allows the command.",
    isFor: ({ view }) => view !== undefined,
    async play({ agent, open, claim, rest }) {
      const { view } = agent;
      if (view === undefined) return;
      // What the view itself says of its sessions is no state of its own.
      claim("view", view.mark);
      claim("a", "touch made");
      const seat = await open("a", view.args, view.ready);
      await seat.prompt({ run: "touch made; sleep 3", say: "First done." }, (what) => {
        if (what === "calls") seat.is(["working", "needsYou"], "the model called a tool that asks");
        if (what === "says") seat.is(["working", "done"], "the model gave its last answer");
      });
      // Until then, the view says that it starts it.
      seat.is(["gone", "working"], "the view starts the session");
      await seat.terminal.until(view.asks);
      seat.is(["needsYou"], "the view says that the session asks");
      await sleep(2000);
      seat.isOther("view", ["gone", "unknown"], "the view is no session itself");
      await sleep(7500);
      await rest();
      seat.terminal.press("Enter");
      await seat.terminal.until(agent.question);
      await sleep(7500);
      await rest();
      seat.allow();
      await seat.ended("First done.");
      await sleep(10_000);
      await rest();
    },
  },
  {
    name: "every-minute",
    does: "The session has itself woken every minute, and is woken twice.",
    isFor: ({ everyMinute }) => everyMinute !== undefined,
    async play({ agent, open, rest }) {
      const { everyMinute } = agent;
      if (everyMinute === undefined) return;
      const seat = await open("a", everyMinute.args);
      const wakings: number[] = [];
      seat.onModel("Woken again.", (what) => {
        if (what !== "says") return;
        wakings.push(Date.now());
        seat.is(["working", "done"], "the session was woken, and the model answered");
      });
      await seat.turn({ say: "First done.", ...everyMinute.act(promptFor({ say: "Woken again." })) });
      for (let times = 1; times <= 2; times += 1) {
        await rest();
        while (wakings.length < times) await sleep(100);
        seat.is(["done"], "its turn has ended", (wakings.at(-1) ?? 0) + 1000);
        await sleep(1500);
      }
      await rest();
    },
  },
];
