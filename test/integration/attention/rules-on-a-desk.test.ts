// Rules about where the person is, asked of real terminals on a real screen: what is shown, and what a click changes.
import { afterEach, beforeEach, expect, it } from "vitest";
import { deskParts, openDesk, type Desk } from "../../support/desktop/desk.ts";
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

  it("shows only what the terminal without the focus asks, and a click gives it the focus", async () => {
    const project = projectWith({ focused: false });
    const [first, second] = [await desk.openAgent(project, "first"), await desk.openAgent(project, "second")];
    await desk.focus("first");
    // A dispatcher that has just started may have no time left to look, and then shows the question.
    first.hook("UserPromptSubmit", { prompt: "begin" });
    await project.until("a dispatcher", () => decisions(project).length === 1);
    first.hook("Notification", question);
    await project.until("the first question", () => decisions(project).length === 2);
    expect(decisions(project)[1]).toContain("focus");
    expect(desk.notifications()).toEqual([]);
    first.hook("UserPromptSubmit", { prompt: "yes" });
    await project.until("the answer", () => decisions(project).length === 3);
    second.hook("Notification", question);
    await project.until("the question", () => desk.notifications().length === 1);
    await project.until("the click", () => {
      desk.click();
      return desk.activeWindow() === "second";
    });
    second.hook("Notification", { message: "And now?" });
    await project.until("the third decision", () => decisions(project).length === 5);
    expect(decisions(project)[4]).toContain("focus");
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
