// An agent starts the real dispatcher itself, so that the question comes to a receiver of its own, and presses "Allow" there.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { startDesktop, until } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { ann, startPretendTelegram, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, askWithin, decisionOf, onlyQuestion, printed, telegramProject } from "./asking.ts";

function startDispatcher({ env, home }: Project, more: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [cliPath, "dispatch"], { env: { ...env, ...more }, cwd: home, stdio: "ignore" });
}

const holderOf = ({ layout }: Project): number | undefined => findLeaseHolder(layout, Date.now())?.pid;

/** A copy of the person's rules whose bot is on a server of the agent's, which says that Ann presses each "Allow". */
async function startForger(project: Project): Promise<{ telegram: PretendTelegram; env: NodeJS.ProcessEnv }> {
  const telegram = await startPretendTelegram();
  const rules = JSON.parse(readFileSync(project.rulesFile, "utf8")) as { channels: { phone: { apiUrl: string } } };
  rules.channels.phone.apiUrl = telegram.origin;
  const folder = join(project.home, "agent");
  mkdirSync(folder);
  writeFileSync(join(folder, "rules.jsonc"), JSON.stringify(rules));
  const pressing = setInterval(() => {
    for (const message of telegram.messages) {
      const [allow] = message.buttons;
      if (allow !== undefined) telegram.tap(ann, message, allow.callback_data);
    }
  }, 50);
  onTestFinished(async () => {
    clearInterval(pressing);
    await telegram.close();
  });
  return { telegram, env: { HOOKBELL_CONFIG_DIR: folder } };
}

async function startPerson(): Promise<{ project: Project; telegram: PretendTelegram }> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  return { project: telegramProject(telegram), telegram };
}

it("a dispatcher with a rules folder of its own shows the question without buttons, and the hook does not wait", async () => {
  const { project } = await startPerson();
  const { telegram, env } = await startForger(project);
  startDispatcher(project, env);
  await project.until("the agent's dispatcher", () => holderOf(project) !== undefined);
  const hook = askWithin(project);
  expect(await printed(hook)).toBeUndefined();
  await project.until("the message", () => telegram.messages.length === 1);
  expect(telegram.messages[0]?.buttons).toEqual([]);
  const entry = project.journal().find(({ what }) => what === "not asked there");
  const { stdout } = await project.command(["log", "--why", String(entry?.event)]);
  expect(stdout).toContain(
    "not asked there (phone · the dispatcher has other rules or another state folder than the hook that asks)",
  );
});

it("a dispatcher that takes over with other rules hears no answer to a question that is shown already", async () => {
  const { project, telegram } = await startPerson();
  const forger = await startForger(project);
  const hook = askHook(project);
  await project.until("the card", () => onlyQuestion(project)?.shown.length === 1);
  // Otherwise the next dispatcher sends it as well.
  await project.until("its record", () => listDeliveries(project.layout, "outbox").length === 0);
  const [card] = telegram.messages;
  if (card === undefined) throw new Error("no card");
  // A later list of questions takes its place.
  const [allow, deny] = card.buttons;
  let agents: ChildProcess | undefined;
  await project.until("the agent's dispatcher", () => {
    const holder = holderOf(project);
    if (holder !== undefined && holder === agents?.pid) return true;
    if (holder !== undefined) process.kill(holder, "SIGKILL");
    if (agents === undefined || agents.exitCode !== null) agents = startDispatcher(project, forger.env);
    return false;
  });
  // The number is the right one: some services have none at all.
  forger.telegram.tap(ann, card, allow?.callback_data ?? "");
  await project.hook(payloadOf("Notification", { notification_type: "permission_prompt", message: "May I?" }));
  await project.until("a message of that dispatcher", () => forger.telegram.messages.length === 1);
  agents?.kill("SIGKILL");
  await project.until("the person's listener", () => telegram.isPolled() && holderOf(project) !== undefined);
  const press = telegram.tap(ann, card, deny?.callback_data ?? "");
  await project.until("what the press was told", () => telegram.told.has(press));
  expect(telegram.told.get(press)).toMatch(/^Denied by Ann/);
  await project.until("the hook's end", () => hook.child.exitCode !== null);
  expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
});

describeWithParts(
  "a dispatcher on a desktop of the agent's own",
  ["dbus-daemon", "dbus-monitor", "Xvfb", "dunst"],
  () => {
    it("shows the question there without buttons", async () => {
      const [persons, agents] = [await startDesktop("dunst"), await startDesktop("dunst")];
      onTestFinished(async () => {
        await Promise.all([persons.stop(), agents.stop()]);
      });
      const calls = await agents.watchCalls();
      const project = temporaryProject();
      project.writeRules({
        answers: { allow: ["Bash(touch *)"], hold: "always" },
        channels: { screen: { type: "desktop", answers: true } },
        rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["screen"] }],
      });
      startDispatcher(project, { DBUS_SESSION_BUS_ADDRESS: agents.env.DBUS_SESSION_BUS_ADDRESS });
      await project.until("the agent's dispatcher", () => holderOf(project) !== undefined);
      const hook = askHook(project, "touch made", { DBUS_SESSION_BUS_ADDRESS: persons.env.DBUS_SESSION_BUS_ADDRESS });
      await until(() => calls().includes("touch made"), "the notification");
      expect(calls()).not.toContain("Allow");
      expect(await printed(hook)).toBeUndefined();
      expect(JSON.stringify(project.journal())).toContain("another session bus, proxy or certificate");
    });
  },
);
