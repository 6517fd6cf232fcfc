// Five real Claude Code sessions at once, heard at a real sound server and seen on a real desktop: what belongs together rings once.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agents/agent-terminal.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { startDesktop } from "../support/desktop/desktop-session.ts";
import { soundServerParts, startSoundServer } from "../support/desktop/sound-server.ts";
import { describeWithParts } from "../support/parts.ts";
import { botToken, startPretendTelegram } from "../support/receivers/pretend-telegram.ts";

const parts = [...terminalParts, ...soundServerParts, "Xvfb", "dbus-daemon", "dbus-monitor", "dunst", "dunstctl"];
const seats = [1, 2, 3, 4, 5];
const question = /Do you want to proceed\?/;
/** Claude Code reminds of a question after six seconds, and of the end of a turn after sixty. */
const remindedOfQuestionMs = 9000;
const remindedOfEndMs = 65_000;
/** What follows the first ring within this time joins it. */
const joinedWithinMs = 6000;

interface Seat {
  session: AgentSession;
  terminal: AgentTerminal;
}

describeWithParts("five sessions of Claude Code", parts, () => {
  it("are one sound when they end together, and one for each question, whatever is repeated", async () => {
    const program = await installAgentCli(claudeCode.clis[0]);
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const desktop = await startDesktop("dunst");
    onTestFinished(desktop.stop);
    const sound = await startSoundServer();
    onTestFinished(sound.stop);
    const host = await startAgentSession(claudeCode);
    const { project, receiver } = host;
    const notify = ["bell", "screen", "chat", "log"];
    const rules = {
      channels: {
        bell: { type: "sound" },
        screen: { type: "desktop" },
        chat: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin },
        log: { type: "webhook", url: `${receiver.origin}/events` },
      },
      rules: [{ name: "all", when: { event: ["Stop", "PermissionRequest", "Notification"] }, notify }],
    };
    const { DBUS_SESSION_BUS_ADDRESS = "", DISPLAY = "" } = desktop.env;
    const { PULSE_SERVER = "", PULSE_CLIENTCONFIG = "" } = sound.env;
    const around = { DBUS_SESSION_BUS_ADDRESS, DISPLAY, PULSE_SERVER, PULSE_CLIENTCONFIG };

    const sitDown = async (): Promise<Seat> => {
      const session = await startAgentSession(claudeCode);
      session.project.writeRules(rules);
      await session.install("init");
      const { HOOKBELL_CONFIG_DIR = "", HOOKBELL_STATE_DIR = "" } = host.env;
      const env = { ...session.env, ...around, HOOKBELL_CONFIG_DIR, HOOKBELL_STATE_DIR };
      const argv = [program, ...interactiveArgs(session, claudeCode)];
      const terminal = startAgentTerminal(session.project.home, argv, { cwd: session.cwd, env });
      await terminal.until(/\? for shortcuts/);
      return { session, terminal };
    };
    project.writeRules(rules);
    const [first, second, ...others] = await Promise.all(seats.map(sitDown));
    if (first === undefined || second === undefined) throw new Error("no seats");
    const all = [first, second, ...others];

    const heard = async (during: () => Promise<void>): Promise<number> => {
      const stop = await sound.countPlayers();
      await during();
      await host.settled();
      return (await stop()).played;
    };
    const calls = await desktop.watchCalls();
    const shown = (): number => calls().split("member=Notify").length - 1;
    const onScreen = (): number => Number(desktop.run("dunstctl", "count", "displayed"));
    const events = (name: string): number =>
      receiver.requests.filter(({ body }) => body.includes(`"name":"${name}"`)).length;

    // The models answer at the same moment.
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    for (const { session } of all) session.model.gate = gate;
    for (const [index, { terminal }] of all.entries())
      await terminal.enter(promptFor({ say: `Task ${index} is done.` }));
    const isAsked = ({ session }: Seat): boolean =>
      session.model.requests.some(({ body }) => body.includes("is done."));
    await project.until("five turns", () => all.every(isAsked));
    const atEnds = await heard(async () => {
      open();
      await project.until("five ends", () => events("Stop") === all.length);
      await project.until("their message", () => telegram.messages.length === 1);
      await sleep(joinedWithinMs);
    });
    const ends = { sounds: atEnds, chat: telegram.messages.length, screen: shown() };

    // Turns that go on after the answer do not end within the test.
    const ask = async ({ session, terminal }: Seat): Promise<void> => {
      session.model.gate = undefined;
      await terminal.enter(promptFor({ run: "touch made-by-the-agent", say: "Made it.", thinkLastMs: 600_000 }));
      await terminal.until(question);
    };
    const atQuestions = await heard(async () => {
      await ask(first);
      await project.until(
        "the first question",
        () => events("PermissionRequest") === 1 && telegram.messages.length === 2,
      );
      await sleep(remindedOfQuestionMs);
      await ask(second);
      await project.until("the second", () => events("PermissionRequest") === 2 && telegram.messages.length === 3);
      await sleep(remindedOfEndMs);
    });
    const questions = { sounds: atQuestions, chat: telegram.messages.length - 1, screen: onScreen() };

    const answer = async ({ session, terminal }: Seat): Promise<void> => {
      const hasRun = (): boolean => session.read("work/shop-web/made-by-the-agent") !== undefined;
      const pressing = setInterval(() => hasRun() || terminal.press("Enter"), 1500);
      await project.until("the command", hasRun).finally(() => clearInterval(pressing));
    };
    const isMarked = (at: number): boolean => /answered at the terminal/.test(telegram.messages[at]?.text ?? "");
    const atAnswers = await heard(async () => {
      await answer(first);
      await project.until("its mark in the chat", () => isMarked(1));
      expect(isMarked(2)).toBe(false);
      await answer(second);
      await project.until("the other's mark", () => isMarked(2));
      await project.until("the closed list", () => onScreen() === 1);
    });
    // The message about the ends is still there.
    const answers = { sounds: atAnswers, chat: telegram.messages.length - 3, screen: onScreen() };
    console.log({ ends, questions, answers });
    expect(ends).toEqual({ sounds: 1, chat: 1, screen: 1 });
    expect(questions).toEqual({ sounds: 2, chat: 2, screen: 2 });
    expect(answers).toEqual({ sounds: 0, chat: 0, screen: 1 });
  }, 300_000);
});
