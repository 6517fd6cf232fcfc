// Rules about where the person is, asked of real terminals on a real screen: what is shown, and what a click changes.
import { afterEach, beforeEach, expect, it } from "vitest";
import { deskParts, openDesk, type Desk, type DeskAgent } from "../../support/desktop/desk.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";

const question = { message: "May I push?" };

describeWithParts("a rule about presence", [...deskParts, "dunst"], () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk("dunst");
  });
  afterEach(() => desk.stop());

  const projectWith = (rule: object): Project => {
    const project = temporaryProject();
    project.writeRules({
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["screen"], ...rule }],
    });
    return project;
  };
  const decisions = (of: Project): string[] =>
    of
      .journal()
      .flatMap(({ kind, deliveries, silent }) => (kind === "decision" ? [JSON.stringify([deliveries, silent])] : []));

  const decisionOn = async (project: Project, agent: DeskAgent, event: string, more: object): Promise<string> => {
    const before = decisions(project).length;
    agent.hook(event, more);
    await project.until("a decision", () => decisions(project).length > before);
    return decisions(project).at(-1) ?? "";
  };
  /** A dispatcher that has just started, or on a busy machine, may have no time left to look, and then shows the question. */
  const untilHeldBack = async (project: Project, agent: DeskAgent, asked: object): Promise<string> => {
    for (;;) {
      const decision = await decisionOn(project, agent, "Notification", asked);
      if (decision.includes("focus")) return decision;
      await decisionOn(project, agent, "UserPromptSubmit", { prompt: "yes" });
    }
  };

  it("shows only what the terminal without the focus asks, and a click gives it the focus", async () => {
    const project = projectWith({ focused: false });
    const [first, second] = [await desk.openAgent(project, "first"), await desk.openAgent(project, "second")];
    await desk.focus("first");
    expect(await untilHeldBack(project, first, question)).toContain("focus");
    await project.until("an empty screen", () => desk.notifications().length === 0);
    await decisionOn(project, first, "UserPromptSubmit", { prompt: "yes" });
    second.hook("Notification", question);
    await project.until("the question", () => desk.notifications().length === 1);
    await project.until("the click", () => {
      desk.click();
      return desk.activeWindow() === "second";
    });
    expect(await untilHeldBack(project, second, { message: "And now?" })).toContain("focus");
  });

  it("shows a question at the desk while the person types, and withdraws it when the session goes on", async () => {
    const project = projectWith({ away: { not: "60s" } });
    const agent = await desk.openAgent(project, "first");
    desk.run("xdotool", "mousemove_relative", "3", "3");
    agent.hook("Notification", question);
    await project.until("the question", () => desk.notifications().length === 1);
    agent.hook("UserPromptSubmit", { prompt: "yes" });
    await project.until("an empty screen", () => desk.notifications().length === 0);
    expect(decisions(project)[0]).toContain("screen");
  });
});
