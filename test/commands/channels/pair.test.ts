import { describe, expect, it, onTestFinished } from "vitest";
import { pairSender } from "../../../src/commands/channels/pair.ts";
import { createListeners } from "../../../src/daemon/leased/listeners.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { systemClock } from "../../../src/system/clock.ts";
import type { PretendService } from "../../support/receivers/pretend-service.ts";
import { startPretendDiscord } from "../../support/receivers/pretend-discord.ts";
import { startPretendHomeAssistant } from "../../support/receivers/pretend-home-assistant.ts";
import { startPretendSlack } from "../../support/receivers/pretend-slack.ts";
import { annOfMatrix, matrixRoom, matrixToken, startPretendMatrix } from "../../support/receivers/pretend-matrix.ts";
import { ann, botToken, mallory, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { sendersOf } from "../../../src/answers/senders.ts";

async function prepared(settings: Record<string, unknown>) {
  const rules = { answers: {}, channels: { phone: { ...settings, answers: true } }, rules: [] };
  const loaded = await loadRules(JSON.stringify(rules));
  const channel = loaded.status === "good" ? loaded.rules.channels.phone : undefined;
  if (channel === undefined) throw new Error("broken rules");
  const { dispatcher, until } = prepareDispatcher();
  await dispatcher.rereadRules();
  const own = { ...dispatcher, tools: { ...dispatcher.tools, clock: systemClock } };
  const announced: string[] = [];
  const refused: number[] = [];
  const pair = (askCode: () => Promise<string | undefined>, requirePerson = (): void => {}) =>
    pairSender(own, channel, new AbortController().signal, {
      announce: (how) => announced.push(how),
      askCode,
      refuse: (triesLeft) => refused.push(triesLeft),
      requirePerson,
    });
  const listeners = createListeners(own);
  onTestFinished(() => listeners.stop());
  return { dispatcher, until, pair, announced, refused, listen: () => listeners.want([channel]) };
}

const codeIn = (text: string | undefined): string => /\d{8}/.exec(text ?? "")?.[0] ?? "";

describe("by a message", () => {
  async function withTelegram() {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const bot = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin };
    return { telegram, ...(await prepared(bot)) };
  }

  it("pairs the account whose code is typed at the terminal, and no other that writes", async () => {
    const { telegram, dispatcher, until, pair } = await withTelegram();
    const paired = await pair(async () => {
      telegram.write(mallory, 66, "let me in");
      telegram.write(ann, 77, "hello");
      await until("both codes", () => telegram.messages.length === 2);
      const [other, own] = telegram.messages.map(({ text }) => codeIn(text));
      expect(other).not.toBe(own);
      return own;
    });
    expect(paired).toEqual({ id: "1001", name: "Ann" });
    expect(sendersOf(dispatcher.layout, "phone", "telegram")).toMatchObject([{ id: "1001", name: "Ann" }]);
  });

  it("says where a code belongs that is sent to the bot, to anyone, and not again and again", async () => {
    const { telegram, until, listen } = await withTelegram();
    listen();
    telegram.write(mallory, 66, "hello");
    for (const code of ["1234 5678", "12345678", "00000000", "00000001", "00000002"]) telegram.write(mallory, 66, code);
    telegram.write(ann, 77, "99999999");
    await until("the answers", () => telegram.messages.length === 3);
    const said = new Set(telegram.messages.map(({ text }) => text));
    expect([...said]).toEqual(["No code is taken here. Type it in the terminal where hookbell channels pair waits."]);
    await until("the next poll", telegram.isPolled);
    expect(telegram.messages).toHaveLength(3);
  });

  it("pairs no account for three wrong codes, or when the user gives up", async () => {
    const { telegram, dispatcher, pair, refused } = await withTelegram();
    telegram.write(mallory, 66, "let me in");
    let tries = 0;
    expect(await pair(() => Promise.resolve(String(10_000_000 + (tries += 1))))).toBeUndefined();
    expect(tries).toBe(3);
    expect(refused).toEqual([2, 1, 0]);
    expect(await pair(() => Promise.resolve(undefined))).toBeUndefined();
    expect(sendersOf(dispatcher.layout, "phone", "telegram")).toEqual([]);
  });
});

describe("while a dispatcher listens for answers with the same bot", () => {
  async function withListener() {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const all = await prepared({ type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin });
    all.listen();
    await all.until("the listener", telegram.isPolled);
    return { telegram, ...all };
  }

  it("pairs the account that the dispatcher's listener hears, and gives no code for a press of a question's button", async () => {
    const { telegram, dispatcher, until, pair, announced } = await withListener();
    const paired = await pair(async () => {
      telegram.write(ann, 77, "hello");
      await until("the code", () => telegram.messages.length === 1);
      const [message] = telegram.messages;
      if (message !== undefined) telegram.tap(ann, message, "x".repeat(22));
      await until("the toast", () => telegram.toasts.length === 1);
      return codeIn(message?.text);
    });
    expect(paired).toEqual({ id: "1001", name: "Ann" });
    expect(announced).toEqual(["write any message to the bot in Telegram"]);
    expect(sendersOf(dispatcher.layout, "phone", "telegram")).toMatchObject([{ id: "1001" }]);
    expect(telegram.toasts).toEqual(["This account may not answer."]);
  });

  it("asks for nothing where another `channels pair` waits for a code", async () => {
    const { pair, announced } = await withListener();
    await pair(async () => {
      await expect(pair(() => Promise.resolve("12345678"))).rejects.toThrow("another `hookbell channels pair` waits");
      return undefined;
    });
    expect(announced).toHaveLength(1);
  });

  it("pairs no account for an agent that began to ask while the command waited", async () => {
    const { telegram, dispatcher, until, pair } = await withListener();
    const typed = async (): Promise<string> => {
      telegram.write(ann, 77, "hello");
      await until("the code", () => telegram.messages.length === 1);
      return codeIn(telegram.messages[0]?.text);
    };
    const refuse = (): never => {
      throw new Error("an agent runs this");
    };
    await expect(pair(typed, refuse)).rejects.toThrow("an agent runs this");
    expect(sendersOf(dispatcher.layout, "phone", "telegram")).toEqual([]);
  });
});

it("pairs an account in a Matrix room, which is told its code there", async () => {
  const matrix = await startPretendMatrix();
  onTestFinished(matrix.close);
  const room = { type: "matrix", homeserver: matrix.origin, room: matrixRoom, token: matrixToken };
  const { dispatcher, until, pair } = await prepared(room);
  const said = (): string => codeIn(matrix.events.at(-1)?.content.body);
  const paired = await pair(async () => {
    await until("the listener", matrix.isPolled);
    matrix.write(annOfMatrix, "hello");
    await until("the code", () => said() !== "");
    return said();
  });
  expect(paired).toEqual({ id: annOfMatrix, name: "ann:example.org" });
  expect(sendersOf(dispatcher.layout, "phone", "matrix")).toMatchObject([{ id: annOfMatrix }]);
});

describe("by a button", () => {
  const services: readonly [string, () => Promise<PretendService>][] = [
    ["Slack", startPretendSlack],
    ["Discord", startPretendDiscord],
    ["Home Assistant", startPretendHomeAssistant],
  ];

  it.each(services)("pairs the account of %s whose code is typed, and takes the button away", async (_name, start) => {
    const service = await start();
    onTestFinished(service.close);
    const { dispatcher, until, pair } = await prepared(service.channel);
    const paired = await pair(async () => {
      await until("the button", () => service.cards.length === 1 && service.isListening());
      const [card] = service.cards;
      const nonce = card?.buttons[0]?.nonce ?? "";
      if (card !== undefined) service.press(service.mallory, card, nonce);
      await until("a code", () => service.told.length === 1);
      if (card !== undefined) service.press(service.ann, card, nonce);
      await until("both codes", () => service.told.length === 2);
      return codeIn(service.told[1]);
    });
    expect(paired?.id).toBe(service.ann);
    expect(sendersOf(dispatcher.layout, "phone", String(service.channel.type))).toMatchObject([{ id: service.ann }]);
    expect(service.cards[0]?.buttons).toEqual([]);
  });

  it("says why there is no button", async () => {
    const { channel, close } = await startPretendSlack();
    onTestFinished(close);
    const { pair } = await prepared({ ...channel, token: "xoxb-1-wrong" });
    await expect(pair(() => new Promise(() => {}))).rejects.toThrow(/cannot show the button: .*the token is wrong/);
  });
});
