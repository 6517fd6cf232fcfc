// Dispatchers that are killed, frozen and left without room at moments that look random. The long version:
// ATTACK_EVENTS=2000 npm run test:endurance -- attacked-dispatcher
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { ensureLayout } from "../../src/outbox/layout.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { createChance } from "../support/random/chance.ts";
import { describeWithParts } from "../support/parts.ts";
import { startHttpReceiver } from "../support/receivers/http-receiver.ts";
import { payloadOf, temporaryProject, type Project } from "../support/project/running-project.ts";
import { mountParts, mountSmallDisk, type SmallDisk } from "../support/project/small-disk.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const events = Number(process.env.ATTACK_EVENTS ?? 120);
const maxAttacks = Math.min(events / 5, 120);
const limitMs = 600_000 + events * 1000;
/** The same pauses in each run; what a dispatcher is at by then depends on the machine. */
const chance = createChance(1);
type Attack = "kill" | "freeze" | "full disk";

async function expectEachEventAtEachChannel(project: Project, attacks: readonly Attack[], disk?: SmallDisk) {
  const { layout } = project;
  const receiver = await startHttpReceiver();
  const told = join(temporaryFolder(), "told");
  project.writeRules({
    channels: {
      first: { type: "webhook", url: `${receiver.origin}/first` },
      second: { type: "webhook", url: `${receiver.origin}/second` },
      script: { type: "command", argv: ["sh", "-c", `echo "$HOOKBELL_DELIVERY_ID $HOOKBELL_SESSION" >>'${told}'`] },
    },
    rules: [{ name: "all", when: { event: "Stop" }, notify: ["first", "second", "script"] }],
  });
  ensureLayout(layout);
  for (let index = 0; index < events; index += 1) {
    const text = payloadOf("Stop", { session_id: `s${index}`, last_assistant_message: `message ${index}` });
    writeIncoming(layout, text, { agentId: "generic", nowMs: Date.now() + index });
  }
  const isEmpty = (): boolean => listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;
  const untilSome = async (): Promise<void> => {
    const requests = receiver.requests.length + Math.ceil(chance() * 40);
    const deadline = Date.now() + 5000;
    while (receiver.requests.length < requests && !isEmpty() && Date.now() < deadline) await sleep(chance() * 5);
  };

  const done: Record<Attack, number> = { kill: 0, freeze: 0, "full disk": 0 };
  const frozen: { kill(signal: NodeJS.Signals): boolean; exit: Promise<unknown> }[] = [];
  for (let count = 0; count < maxAttacks && !isEmpty(); count += 1) {
    const attack = attacks[count % attacks.length] ?? "kill";
    done[attack] += 1;
    const dispatcher = project.start(["dispatch"]);
    const exit = once(dispatcher, "exit");
    // Some while they are still loading or taking in; most in the middle of sending.
    if (count % 4 === 0) await sleep(50 + chance() * 400);
    else await untilSome();
    if (attack === "freeze") {
      dispatcher.kill("SIGSTOP");
      frozen.push({ kill: (signal) => dispatcher.kill(signal), exit });
      // As if its lease had run out meanwhile.
      const past = Date.now() / 1000 - 1;
      if (existsSync(layout.lease)) utimesSync(layout.lease, past, past);
      continue;
    }
    if (attack === "full disk") {
      disk?.fill();
      await sleep(chance() * 300);
    }
    dispatcher.kill("SIGKILL");
    await exit;
    if (attack === "full disk") disk?.makeRoom();
  }
  // Those that wake up find that their lease is gone; the last may still have it.
  for (const { kill } of frozen) {
    kill("SIGCONT");
    kill("SIGTERM");
  }
  await Promise.all(frozen.map(({ exit }) => exit));
  expect(await project.run(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
  await receiver.close();

  expect(isEmpty()).toBe(true);
  expect(listDeliveries(layout, "dead")).toEqual([]);
  const byScript = readFileSync(told, "utf8").trim().split("\n");
  const heard = {
    first: receiver.requests.filter(({ path }) => path === "/first").map(sessionOf),
    second: receiver.requests.filter(({ path }) => path === "/second").map(sessionOf),
    script: byScript.map((line) => line.split(" ")[1] ?? ""),
  };
  const interruptions = done.kill + done.freeze + done["full disk"];
  for (const [channel, sessions] of Object.entries(heard)) {
    const lost = events - new Set(sessions).size;
    const duplicates = sessions.length - new Set(sessions).size;
    process.stdout.write(`${channel}: ${JSON.stringify(done)}, ${lost} of ${events} lost, ${duplicates} twice\n`);
    expect(lost).toBe(0);
    // An interruption between the answer and its record repeats the one message that the channel was sending.
    expect(duplicates).toBeLessThanOrEqual(interruptions);
  }
  expect(interruptions).toBeGreaterThan(3);
}

function sessionOf({ body }: { body: string }): string {
  return (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session;
}

describe("a dispatcher that is attacked at moments that look random loses nothing, at three channels", () => {
  it(
    "with SIGKILL and SIGSTOP",
    () => expectEachEventAtEachChannel(temporaryProject(), ["kill", "kill", "freeze"]),
    limitMs,
  );
});

describeWithParts("a dispatcher that is attacked on a disk that fills up loses nothing", mountParts, () => {
  it(
    "with SIGKILL and SIGSTOP as well",
    async () => {
      const project = temporaryProject();
      const disk = mountSmallDisk(project.home, "64m");
      mkdirSync(join(project.home, "config"));
      await expectEachEventAtEachChannel(project, ["kill", "full disk", "freeze"], disk);
    },
    limitMs,
  );
});
