import { expect, it, onTestFinished } from "vitest";
import { sendersOf } from "../../../src/dispatch/answers/senders.ts";
import { pairSender } from "../../../src/commands/channels/pair.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { ann, botToken, mallory, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

async function prepared() {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const bot = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true };
  const loaded = await loadRules(JSON.stringify({ answers: {}, channels: { phone: bot }, rules: [] }));
  const channel = loaded.status === "good" ? loaded.rules.channels.phone : undefined;
  if (channel === undefined) throw new Error("broken rules");
  const { dispatcher, until } = prepareDispatcher();
  const tools = { ...dispatcher.tools, clock: systemClock };
  const codeOf = (index: number): string => /\d{8}/.exec(telegram.messages[index]?.text ?? "")?.[0] ?? "";
  const pair = (askCode: () => Promise<string | undefined>) =>
    pairSender({ layout: dispatcher.layout, tools }, channel, new AbortController().signal, askCode);
  return { telegram, dispatcher, until, codeOf, pair };
}

it("pairs the account whose code is typed at the terminal, and no other that writes", async () => {
  const { telegram, dispatcher, until, codeOf, pair } = await prepared();
  const paired = await pair(async () => {
    telegram.write(mallory, 66, "let me in");
    telegram.write(ann, 77, "hello");
    await until("both codes", () => telegram.messages.length === 2);
    expect(codeOf(0)).not.toBe(codeOf(1));
    return codeOf(1);
  });
  expect(paired).toEqual({ id: "1001", name: "Ann" });
  expect(sendersOf(dispatcher.layout, "phone", "telegram")).toMatchObject([{ id: "1001", name: "Ann" }]);
});

it("pairs no account for three wrong codes, or when the user gives up", async () => {
  const { telegram, dispatcher, pair } = await prepared();
  telegram.write(mallory, 66, "let me in");
  let tries = 0;
  expect(await pair(() => Promise.resolve(String(10_000_000 + (tries += 1))))).toBeUndefined();
  expect(tries).toBe(3);
  expect(await pair(() => Promise.resolve(undefined))).toBeUndefined();
  expect(sendersOf(dispatcher.layout, "phone", "telegram")).toEqual([]);
});
