// A hundred questions are asked while someone is at the terminal, who leaves 5 to 60 s later: real hooks and dispatchers, in real time.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { awayParts, personAtDesk } from "../../support/desktop/bus-services.ts";
import { describeWithParts } from "../../support/parts.ts";
import { end, hookPath, type Ended, type Project } from "../../support/project/running-project.ts";
import { startPretendTelegram, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { telegramProject } from "../../integration/answers/asking.ts";

const desks = 20;
/** Telegram is sent so many at once. */
const questionsPerDesk = 5;
const count = desks * questionsPerDesk;
const secondMs = 1000;
/** Each desk is left at this time, and counts as left a minute later. */
const leftAtMs = 60 * secondMs;
const awayAfterMs = 60 * secondMs;

const captured = (agent: string, name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../agents/known/${agent}/payloads/${name}.json`, import.meta.url), "utf8"),
  ) as Record<string, unknown>;
const permission = captured("claude-code", "PermissionRequest-Bash");
const question = captured("claude-code", "PermissionRequest-AskUserQuestion");
const { event: asked, directory } = captured("opencode", "permission.asked") as {
  event: { type: string; properties: object };
  directory: string;
};

/** What these agents give their hooks, as captured but for the session. */
const agents = [
  { agent: "claude-code", buttons: ["Allow", "Deny"], payload: (id: string) => ({ ...permission, session_id: id }) },
  { agent: "claude-code", buttons: ["Red", "Blue"], payload: (id: string) => ({ ...question, session_id: id }) },
  {
    agent: "opencode",
    buttons: ["Allow", "Deny"],
    payload: (id: string) => ({
      agent: "opencode",
      type: asked.type,
      properties: { ...asked.properties, id: `per_${id}`, sessionID: id },
      directory,
    }),
  },
];

interface Hook {
  child: ChildProcess;
  ended: Promise<Ended>;
}

function ask(project: Project, env: Record<string, string>, index: number): Hook {
  const { agent, payload } = agents[index % agents.length] ?? agents[0]!;
  const child = spawn(process.execPath, [hookPath, "--agent", agent, "--answer"], {
    env: { ...project.env, ...env },
    cwd: project.home,
  });
  return { child, ended: end(child, JSON.stringify(payload(`session-${index}`))) };
}

interface Desk {
  telegram: PretendTelegram;
  project: Project;
  hooks: Hook[];
}

/** A machine of its own, as it were, which asks its share of the questions, each 5 to 60 s before everyone leaves. */
async function askAtDesk(desk: number, env: Record<string, string>): Promise<Desk> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram, { allow: ["Bash", "bash"], hold: "away" }, { away: "60s" });
  const hooks: Hook[] = [];
  const start = Date.now();
  const indices = Array.from({ length: questionsPerDesk }, (_, each) => desk + each * desks);
  for (const index of indices.toReversed()) {
    const beforeMs = 5 * secondMs + (55 * secondMs * index) / (count - 1);
    await sleep(Math.max(0, start + leftAtMs - beforeMs - Date.now()));
    hooks.push(ask(project, env, index));
  }
  await sleep(Math.max(0, start + leftAtMs - Date.now()));
  return { telegram, project, hooks };
}

describeWithParts("a hundred questions", awayParts, () => {
  it("have buttons on the phone, whenever someone left, and no hook says anything by itself", async () => {
    const person = await personAtDesk();
    const all = await Promise.all(Array.from({ length: desks }, (_, desk) => askAtDesk(desk, person.env)));
    person.leave();
    // A machine that is too busy to say where the person is notifies them at once.
    const early = all.reduce((sum, { telegram }) => sum + telegram.messages.length, 0);
    await sleep(awayAfterMs);
    for (const { project, telegram } of all) {
      await project.until("the messages", () => telegram.messages.length >= questionsPerDesk);
    }
    const labels = all.flatMap(({ telegram }) =>
      telegram.messages.map(({ buttons }) => buttons.map(({ text }) => text)),
    );
    const isOf = (shown: string[]): boolean =>
      agents.some(({ buttons }) => buttons.every((each) => shown.includes(each)));
    const withButtons = labels.filter(isOf).length;
    const running = all.flatMap(({ hooks }) => hooks).filter(({ child }) => child.exitCode === null);
    // As their agents do when the question is answered at the terminal.
    for (const { child } of running) child.kill();
    const ended = await Promise.all(all.flatMap(({ hooks }) => hooks.map((hook) => hook.ended)));
    const madeUp = ended.filter(({ stdout, stderr, code }) => stdout !== "" || stderr !== "" || code !== 0).length;
    console.log(
      `${withButtons} of ${count} questions have buttons; ${early} were shown before anyone left; ${running.length} hooks waited`,
    );
    expect({ messages: labels.length, waiting: running.length, madeUp }).toEqual({
      messages: count,
      waiting: count,
      madeUp: 0,
    });
    expect(withButtons / count).toBeGreaterThanOrEqual(0.98);
  });
});
