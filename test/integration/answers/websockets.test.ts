// Answers over services that are listened to on a websocket: what each must do, and then each one's own protocol.
import { describe, expect, it, onTestFinished } from "vitest";
import type { PretendService, Card } from "../../support/receivers/pretend-service.ts";
import { startPretendDiscord, type PretendDiscord } from "../../support/receivers/pretend-discord.ts";
import { startPretendHomeAssistant } from "../../support/receivers/pretend-home-assistant.ts";
import { startPretendSlack } from "../../support/receivers/pretend-slack.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import type { Project } from "../../support/project/running-project.ts";
import { answeringProject, askHook, askWithin, decisionOf, onlyQuestion, printed } from "./asking.ts";

const services: readonly [string, () => Promise<PretendService>][] = [
  ["Slack", startPretendSlack],
  ["Discord", () => startPretendDiscord()],
  ["the Home Assistant app", startPretendHomeAssistant],
];

async function started<Service extends PretendService>(start: () => Promise<Service>, more: object = {}) {
  const service = await start();
  onTestFinished(service.close);
  const project = answeringProject(service.channel, service.ann, more);
  // Pauses before another connection are shortened.
  runDispatcherOf(project);
  return { service, project };
}

async function shown<Shown extends Card>(project: Project, service: PretendService<Shown>): Promise<Shown> {
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && service.isListening());
  const card = service.cards.at(-1);
  if (card === undefined) throw new Error("no card");
  return card;
}

const nonceOf = (card: Card, label: string): string =>
  card.buttons.find((each) => each.label === label)?.nonce ?? "no such button";

describe.each(services)("a question in %s", (_name, start) => {
  it("is allowed by a button, once, and says so ever after", async () => {
    const { service, project } = await started(start);
    const hook = askWithin(project);
    const card = await shown(project, service);
    expect(card.text).toMatch(/asks to run a command[^]*touch made[^]*folder\W+\/home\/u\/proj/);
    const allow = nonceOf(card, "Allow");
    service.press(service.mallory, card, allow);
    service.press(service.ann, card, "AAAAAAAAAAAAAAAAAAAAAA");
    service.press(service.ann, card, allow);
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => card.earlier.length === 1);
    expect(card.text).toMatch(/allowed by .* in phone after/);
    expect(card.buttons).toEqual([]);
    service.press(service.ann, card, allow);
    await project.until("the late press's reply", () => service.told.length === 4);
    expect(service.told.sort()).toEqual([
      expect.stringMatching(/^Allowed by .* in phone after/),
      "This account may not answer.",
      expect.stringMatching(/^Too late/),
      expect.stringMatching(/^Too late/),
    ]);
    const answers = project.journal().filter(({ kind }) => kind === "answer");
    expect(answers.map(({ what }) => what)).toEqual(["refused", "allow"]);
  });

  it("is denied by a button, and can only be denied where not all of it is shown", async () => {
    const { service, project } = await started(start);
    const hook = askWithin(project, `touch ${"&".repeat(5000)}`);
    const card = await shown(project, service);
    // The app's notification goes with any press, so it has no button that leaves the question open.
    const mute = service.channel.type === "home-assistant-app" ? [] : ["Mute 1h"];
    expect(card.buttons.map(({ label }) => label)).toEqual(["Deny", ...mute]);
    service.press(service.ann, card, nonceOf(card, "Deny"));
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
  });

  it("shows a long text that can be allowed, whole", async () => {
    const { service, project } = await started(start, { allow: ["Bash"] });
    const pairs = service.channel.type === "home-assistant-app" ? 70 : 350;
    const command = `touch ${"&_".repeat(pairs)}`;
    const hook = askWithin(project, command);
    const card = await shown(project, service);
    expect(card.buttons.map(({ label }) => label)).toContain("Allow");
    // The title repeats a part of it.
    const below = card.text.slice(card.text.indexOf("│"));
    expect(below.match(/&/g)?.length).toBe(pairs);
    service.press(service.ann, card, nonceOf(card, "Deny"));
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
  });

  it("ends when the terminal answers first, and a late press is told so", async () => {
    const { service, project } = await started(start);
    const hook = askWithin(project);
    const card = await shown(project, service);
    const allow = nonceOf(card, "Allow");
    hook.stop();
    expect(await printed(hook)).toBeUndefined();
    await project.until("the edit", () => /answered at the terminal after/.test(card.text));
    service.press(service.ann, card, allow);
    await project.until("the reply", () => service.told.length === 1);
    expect(service.told).toEqual([expect.stringMatching(/^Too late: answered at the terminal after/)]);
  });

  it("is heard again after the connection was cut", async () => {
    const { service, project } = await started(start);
    const hook = askWithin(project);
    const card = await shown(project, service);
    const before = service.connections();
    service.cut();
    await project.until("a new connection", () => service.connections() > before && service.isListening());
    service.press(service.ann, card, nonceOf(card, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
  });
});

describe.each(services.filter(([name]) => name !== "the Home Assistant app"))(
  "the button that mutes, in %s",
  (_name, start) => {
    it("leaves the question open, with its buttons", async () => {
      const { service, project } = await started(start);
      const hook = askWithin(project);
      const card = await shown(project, service);
      const mute = nonceOf(card, "Mute 1h");
      service.press(service.mallory, card, mute);
      service.press(service.ann, card, mute);
      await project.until("both replies", () => service.told.length === 2);
      expect(service.told).toEqual([
        "This account may not answer.",
        expect.stringMatching(/^proj is silent until \d\d:\d\d\. This question still waits for an answer\./),
      ]);
      expect(project.journal().filter(({ kind }) => kind === "muted")).toMatchObject([
        { scope: "project", name: "proj" },
      ]);
      service.press(service.ann, card, nonceOf(card, "Allow"));
      expect(await printed(hook)).toEqual(decisionOf("allow"));
    });
  },
);

describe("Slack", () => {
  it("hears replies in the thread, each once, and acknowledges every envelope", async () => {
    const { service, project } = await started(startPretendSlack);
    const hook = askWithin(project);
    const card = await shown(project, service);
    service.reply(service.mallory, card, "yes");
    service.reply(service.ann, card, "Yes.");
    service.reply(service.ann, card, "Not <now> & not here.");
    expect(await printed(hook)).toEqual(decisionOf("deny", "Not <now> & not here."));
    service.repeatLast();
    await project.until("the edit", () => /denied by Ann in phone after/.test(card.text));
    service.reply(service.ann, card, "And now?");
    await project.until("the replies", () => service.told.length === 3 && service.unacknowledged() === 0);
    expect(service.told).toEqual([
      "To allow it, press a button. Any other text denies it.",
      expect.stringMatching(/^Denied by Ann/),
      expect.stringMatching(/^Too late: denied by Ann in phone/),
    ]);
  });

  it.each(["warning", "refresh_requested"])("is listened to without a gap when it sends %s", async (reason) => {
    const { service, project } = await started(startPretendSlack);
    const hook = askWithin(project);
    const card = await shown(project, service);
    service.refresh(reason);
    // On the old connection: the new one is not there yet.
    service.press(service.ann, card, nonceOf(card, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the new connection", () => service.connections() === 2);
    service.press(service.ann, card, nonceOf(card, "Allow"));
    await project.until("both replies", () => service.told.length === 2);
    expect(service.unacknowledged()).toBe(0);
  });

  it.each([
    ["link_disabled", /Socket Mode is switched off/],
    ["invalid_auth", /Slack answered invalid_auth to "appToken": create an app-level token/],
  ])("is not asked again after %s, and the journal says what to do", async (error, expected) => {
    const { service, project } = await started(startPretendSlack);
    if (error !== "link_disabled") service.refuseConnections(error);
    askWithin(project);
    await project.until("the card", () => service.cards.length === 1);
    if (error === "link_disabled") {
      await project.until("the connection", service.isListening);
      service.refresh(error);
    }
    const notices = () => project.journal().filter(({ title }) => title === "no answers");
    await project.until("the notice", () => notices().length > 0);
    expect(notices()).toMatchObject([{ channel: "phone", body: expect.stringMatching(expected) }]);
    expect(JSON.stringify(notices())).not.toContain("s3cret");
  });
});

describe("Discord", () => {
  it("replays what was pressed while the connection was down, and the session goes on", async () => {
    const { service, project } = await started(() => startPretendDiscord());
    const hook = askHook(project);
    const card = await shown(project, service);
    service.cut();
    service.press(service.ann, card, nonceOf(card, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the reply", () => service.told.length === 1);
    expect(service.asked).toEqual(["identify", "resume"]);
  });

  it.each<[string, (service: PretendDiscord) => void, { beatMs: number }?]>([
    ["asks to connect again", (service) => service.askToReconnect()],
    ["answers no heartbeat", (service) => service.goSilent(), { beatMs: 400 }],
    ["closes with 4000", (service) => service.closeWith(4000)],
  ])("is taken up when the gateway %s", async (_what, happen, often) => {
    const { service, project } = await started(() => startPretendDiscord(often));
    const hook = askWithin(project);
    const card = await shown(project, service);
    if (often !== undefined) await project.until("a heartbeat", () => service.heartbeats() > 0);
    const before = service.asked.length;
    happen(service);
    const since = () => service.asked.slice(before);
    await project.until("the session again", () => since().length > 0 && service.isListening());
    service.press(service.ann, card, nonceOf(card, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    expect(since()).not.toContain("identify");
  });

  it.each<[string, (service: PretendDiscord) => void]>([
    ["does not know the old one", (service) => service.forgetSessions()],
    ["says that it timed out", (service) => service.closeWith(4009)],
  ])("begins a new session when the gateway %s", async (_what, happen) => {
    const { service, project } = await started(() => startPretendDiscord());
    const hook = askWithin(project);
    const card = await shown(project, service);
    happen(service);
    await project.until("a new session", () => service.asked.filter((each) => each === "identify").length === 2);
    await project.until("its start", service.isListening);
    service.press(service.ann, card, nonceOf(card, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
  });

  it.each<[string, (service: PretendDiscord) => void, RegExp, number]>([
    [
      "a token that was reset",
      (service) => service.closeWith(4004),
      /\(4004\): the bot's token is wrong or was reset/,
      1,
    ],
    ["no session left today", (service) => service.allowSessions(0), /no further session today/, 0],
  ])("starts no session after %s, and the journal says so", async (_what, happen, expected, sessions) => {
    const { service, project } = await started(() => startPretendDiscord());
    if (sessions === 0) happen(service);
    askWithin(project);
    await project.until("the card", () => service.cards.length === 1);
    if (sessions > 0) {
      await project.until("the session", service.isListening);
      happen(service);
    }
    const notices = () => project.journal().filter(({ title }) => title === "no answers");
    await project.until("the notice", () => notices().length > 0);
    expect(notices()).toMatchObject([{ channel: "phone", body: expect.stringMatching(expected) }]);
    expect(service.asked).toHaveLength(sessions);
  });
});

describe("the Home Assistant app", () => {
  it.each(["android", "ios"] as const)("takes a text for a no, whose words the agent reads (%s)", async (system) => {
    const { service, project } = await started(() => startPretendHomeAssistant(system));
    const hook = askWithin(project);
    const card = await shown(project, service);
    expect(card.hasReply).toBe(true);
    service.reply(service.ann, card, "Not now.");
    expect(await printed(hook)).toEqual(decisionOf("deny", "Not now."));
    // By the paired name: an event of the app has the account's id, or the phone's name.
    await project.until("the edit", () => /denied by Ann in phone after/.test(card.text));
  });

  it("is not disturbed by actions of other automations, nor by an event that names no account", async () => {
    const { service, project } = await started(startPretendHomeAssistant);
    const hook = askWithin(project);
    const card = await shown(project, service);
    const action = nonceOf(card, "Allow");
    service.fire({ action: "OPEN_GARAGE", tag: card.tag }, { user_id: service.ann });
    service.fire({ action, tag: "garage" }, { user_id: service.ann });
    service.fire({ action, tag: card.tag }, { user_id: null });
    service.press(service.ann, card, nonceOf(card, "Deny"));
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
    await project.until("the replies", () => service.told.length === 2);
    expect(service.told[0]).toBe("This account may not answer.");
  });

  it.each([
    ["token", /refuses the token; create a new one/],
    ["account", /administrators only/],
  ] as const)(
    "is not asked again after it has refused the %s, and the journal says what to do",
    async (how, expected) => {
      const { service, project } = await started(startPretendHomeAssistant);
      service.refuse(how);
      askWithin(project);
      const notices = () => project.journal().filter(({ title }) => title === "no answers");
      await project.until("the notice", () => notices().length > 0);
      expect(notices()).toMatchObject([{ channel: "phone", body: expect.stringMatching(expected) }]);
      expect(service.connections()).toBe(1);
    },
  );
});
