import { afterAll, beforeAll, expect, it } from "vitest";
import { startDesktop, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

describeWithParts("a session on a real desktop", ["dbus-daemon", "Xvfb", "dunst", "dunstctl"], () => {
  let desktop: DesktopSession;
  beforeAll(async () => {
    desktop = await startDesktop("dunst");
  });
  afterAll(async () => {
    await desktop.stop();
  });

  it("shows one notification, the latest, and takes it back when the person answers", async () => {
    const project = temporaryProject();
    project.writeRules({
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "all", when: { event: ["Notification", "Stop"] }, notify: ["screen"] }],
    });
    const displayed = (): string => desktop.run("dunstctl", "count", "displayed").trim();
    const delivered = (): number =>
      project.journal().filter(({ kind, outcome }) => kind === "attempt" && outcome === "delivered").length;

    await project.hook(payloadOf("Notification", { message: "May I <b>push</b>?" }), [], desktop.env);
    await project.until("the question", () => delivered() === 1);
    await project.hook(payloadOf("Stop", { last_assistant_message: "Pushed." }), [], desktop.env);
    await project.until("the end of the turn", () => delivered() === 2);
    await project.until("one notification", () => displayed() === "1");

    await project.hook(payloadOf("UserPromptSubmit", { prompt: "go on" }), [], desktop.env);
    await project.until("an empty screen", () => displayed() === "0");
    const [latest] = desktop.dunstHistory();
    expect(latest).toMatchObject({ appname: "hookbell", body: "Pushed." });
  });

  it("shows sessions that ask at the same moment as one list, and no other notification", async () => {
    const project = temporaryProject();
    project.writeRules({
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["screen"] }],
    });
    const displayed = (): string => desktop.run("dunstctl", "count", "displayed").trim();
    ensureLayout(project.layout);
    for (const session_id of ["a", "b", "c"]) {
      const bytes = payloadOf("Notification", { session_id, message: `May ${session_id} push?` });
      writeIncoming(project.layout, bytes, { agentId: "generic", nowMs: Date.now() });
    }
    await project.hook(payloadOf("Notification", { session_id: "d", message: "May d push?" }), [], desktop.env);
    const delivered = () => project.journal().filter(({ outcome }) => outcome === "delivered");
    await project.until("the list", () => displayed() === "1" && delivered().length === 4);
    const [list] = desktop.dunstHistory();
    expect(list).toMatchObject({ summary: "shop-web: 4 sessions wait", body: expect.stringContaining("May a push?") });
  });
});
