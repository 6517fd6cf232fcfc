// Real hooks, a real dispatcher, two bots, the shell and the terminal race to answer. For a long run:
// ANSWER_RACES=1000 npm run test:endurance -- races
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { questionIdOf, listQuestions } from "../../../src/answers/questions.ts";
import { createChance } from "../../support/random/chance.ts";
import { endDispatcher } from "../../support/project/dispatcher-process.ts";
import { runAsPerson } from "../../support/project/person-terminal.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import {
  ann,
  botToken,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { askHook, decisionOf } from "../../integration/answers/asking.ts";
import { addSender } from "../../../src/answers/senders.ts";

const races = Number(process.env.ANSWER_RACES ?? 20);
/** A Telegram channel sends so many at once. */
const sideBySide = 5;
const latestMs = 250;

interface Bots {
  phone: PretendTelegram;
  tablet: PretendTelegram;
}

const figures = { given: 0, obeyed: 0, lost: 0, invented: 0, twice: 0, killed: 0, undecided: 0 };

async function botsProject(): Promise<{ project: Project; bots: Bots }> {
  const tokens = { phone: botToken, tablet: botToken.replace("1", "2") };
  const bots = { phone: await startPretendTelegram(tokens.phone), tablet: await startPretendTelegram(tokens.tablet) };
  for (const { close } of Object.values(bots)) onTestFinished(close);
  const project = temporaryProject();
  const channelOf = (name: keyof Bots): object => ({
    type: "telegram",
    token: tokens[name],
    chat: 77,
    apiUrl: bots[name].origin,
    answers: true,
  });
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { phone: channelOf("phone"), tablet: channelOf("tablet") },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone", "tablet"] }],
  });
  for (const name of ["phone", "tablet"]) {
    addSender(project.layout, name, { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  }
  return { project, bots };
}

async function race(project: Project, bots: Bots, number: number, random: () => number): Promise<void> {
  const command = `touch race-${number}.`;
  const session = `session-${number}`;
  const hook = askHook(project, command, {}, { session_id: session });
  const question = () => listQuestions(project.layout).find((each) => each.session === session);
  await project.until(`the cards of ${number}`, () => question()?.shown.length === 2);
  const asked = question();
  const cardIn = ({ messages }: PretendTelegram): ShownMessage => {
    const card = messages.find(({ text }) => text.includes(command));
    if (card === undefined) throw new Error(`no card of ${number}`);
    return card;
  };
  const { phone, tablet } = { phone: cardIn(bots.phone), tablet: cardIn(bots.tablet) };
  const allow = phone.buttons.find(({ text }) => text === "Allow")?.callback_data ?? "";
  const id = asked === undefined ? "" : questionIdOf(asked);
  const stop = { hook_event_name: "Stop", session_id: session, cwd: "/home/u/proj", last_assistant_message: "Done." };
  let tap = "";
  let reply = "";
  let shell = -1;
  const runners: [() => unknown, number][] = [
    [() => (tap = bots.phone.tap(ann, phone, allow)), latestMs],
    [() => (reply = bots.tablet.write(ann, 77, `tablet ${number}`, tablet)), latestMs],
    // It takes Node some time to start.
    [
      async () => {
        shell = (await runAsPerson(project, ["answer", id, "deny", "--message", `shell ${number}`])).code;
      },
      0.4 * latestMs,
    ],
  ];
  const terminals = [
    () => void hook.child.kill("SIGTERM"),
    () => void hook.child.kill("SIGKILL"),
    () => project.hook(JSON.stringify(stop), ["--agent", "claude-code"]),
  ];
  // In half of the races, the user answers at the terminal as well.
  const terminal = terminals[number % (2 * terminals.length)];
  if (terminal !== undefined) runners.push([terminal, latestMs]);
  await Promise.all(
    runners.map(async ([run, mostMs]) => {
      await sleep(random() * mostMs);
      await run();
    }),
  );
  const { signal, stdout, stderr } = await hook.ended;
  expect(stderr).toBe("");
  await project.until(`what all were told of ${number}`, () => bots.phone.told.has(tap) && bots.tablet.told.has(reply));
  const given = [
    ...(bots.phone.told.get(tap)?.startsWith("Allowed") ? [decisionOf("allow")] : []),
    ...(bots.tablet.told.get(reply)?.startsWith("Denied") ? [decisionOf("deny", `tablet ${number}`)] : []),
    ...(shell === 0 ? [decisionOf("deny", `shell ${number}`)] : []),
  ];
  const [winner] = given;
  const entries = project.journal().filter(({ kind, question: of }) => kind === "answer" && of === asked?.id);
  figures.given += given.length;
  if (given.length > 1 || entries.length > 1 || stdout.trimEnd().includes("\n")) figures.twice += 1;
  if (stdout !== "") {
    figures.obeyed += 1;
    if (JSON.stringify(winner) !== stdout.trim()) figures.invented += 1;
  } else if (winner === undefined) figures.undecided += 1;
  // Its agent has gone on.
  else if (signal !== null) figures.killed += 1;
  else figures.lost += 1;
  const cards = [phone, tablet];
  await project.until(`the end of ${number}`, () => cards.every(({ buttons }) => buttons.length === 0));
}

it(
  `of ${races} races each has one winner: nothing is lost, made up or obeyed twice`,
  async () => {
    // The same delays in each run; who wins still depends on the machine.
    const random = createChance(1);
    for (let first = 0; first < races; first += sideBySide) {
      const { project, bots } = await botsProject();
      const numbers = Array.from({ length: Math.min(sideBySide, races - first) }, (_, index) => first + index);
      await Promise.all(numbers.map((number) => race(project, bots, number, random)));
      await endDispatcher(project);
    }
    process.stdout.write(`${races} races: ${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({ lost: 0, invented: 0, twice: 0 });
    expect(figures.obeyed + figures.undecided + figures.killed).toBe(races);
    expect(figures.obeyed).toBeGreaterThan(races / 4);
  },
  60_000 + races * 3000,
);
