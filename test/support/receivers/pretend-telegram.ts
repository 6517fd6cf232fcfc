// A Bot API server of one bot, on loopback, that behaves as Telegram documents it: https://core.telegram.org/bots/api
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const botToken = "123456789:AAExampleExampleExampleExample";

interface Button {
  text: string;
  callback_data: string;
}

export interface ShownMessage {
  id: number;
  chat: number;
  text: string;
  buttons: Button[];
  /** The texts that it had before. */
  earlier: string[];
}

interface Person {
  id: number;
  first_name: string;
  is_bot?: boolean;
}

export const ann: Person = { id: 1001, first_name: "Ann" };
export const mallory: Person = { id: 6666, first_name: "Ann" };

export interface PretendTelegram {
  origin: string;
  messages: ShownMessage[];
  /** What `answerCallbackQuery` told each tap, in order. */
  toasts: string[];
  /** What each tap and each text of a person was told, by the id that `tap` and `write` return. */
  told: Map<string, string>;
  /** How often a second listener was refused. */
  conflicts: number;
  /** A person presses a button; `data` may be made up. */
  tap(by: Person, message: ShownMessage, data: string): string;
  /** A person writes, in reply to a message or not. */
  write(by: Person, chat: number, text: string, replyTo?: ShownMessage): string;
  /** The same update once more, as after a lost confirmation. */
  repeatLast(): void;
  isPolled(): boolean;
  close(): Promise<void>;
}

type Update = { update_id: number } & Record<string, unknown>;

export async function startPretendTelegram(ownToken = botToken): Promise<PretendTelegram> {
  let updates: Update[] = [];
  let nextUpdate = 500;
  let nextMessage = 40;
  let last: Update | undefined;
  let poll: { response: ServerResponse; offset: number; timer: NodeJS.Timeout } | undefined;
  const answered = new Set<string>();

  const reply = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const ok = (response: ServerResponse, result: unknown): void => reply(response, 200, { ok: true, result });
  const fail = (response: ServerResponse, code: number, description: string): void =>
    reply(response, code, { ok: false, error_code: code, description });
  const flush = (): void => {
    if (poll === undefined) return;
    const { response, offset, timer } = poll;
    const due = updates.filter(({ update_id: id }) => id >= offset);
    if (due.length === 0) return;
    clearTimeout(timer);
    poll = undefined;
    ok(response, due);
  };
  const add = (update: Record<string, unknown>): void => {
    last = { update_id: (nextUpdate += 1), ...update };
    updates.push(last);
    flush();
  };

  const methods: Record<string, (given: Record<string, unknown>, response: ServerResponse) => void> = {
    getUpdates({ offset = 0, timeout = 0 }, response) {
      const from = Number(offset);
      // Updates before the offset are confirmed, and forgotten.
      updates = updates.filter(({ update_id: id }) => id >= from);
      if (poll !== undefined) {
        telegram.conflicts += 1;
        clearTimeout(poll.timer);
        fail(
          poll.response,
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
        poll = undefined;
      }
      const end = (): void => {
        poll = undefined;
        ok(response, []);
      };
      poll = { response, offset: from, timer: setTimeout(end, Number(timeout) * 1000) };
      response.on("close", () => {
        if (poll?.response === response) {
          clearTimeout(poll.timer);
          poll = undefined;
        }
      });
      flush();
    },
    sendMessage({ chat_id: chat, text, reply_markup: markup, reply_parameters: answers }, response) {
      const buttons = buttonsIn(markup);
      if (buttons.some(({ callback_data: data }) => Buffer.byteLength(data) > 64)) {
        return fail(response, 400, "Bad Request: BUTTON_DATA_INVALID");
      }
      const message = { id: (nextMessage += 1), chat: Number(chat), text: String(text), buttons, earlier: [] };
      telegram.messages.push(message);
      const { message_id: answered } = (answers ?? {}) as { message_id?: number };
      if (answered !== undefined) telegram.told.set(String(answered), message.text);
      ok(response, { message_id: message.id, chat: { id: message.chat, type: "private" }, date: 0, text });
    },
    editMessageText({ chat_id: chat, message_id: id, text, reply_markup: markup }, response) {
      const message = telegram.messages.find((each) => each.id === id && each.chat === Number(chat));
      if (message === undefined) return fail(response, 400, "Bad Request: message to edit not found");
      if (message.text === text) return fail(response, 400, "Bad Request: message is not modified");
      message.earlier.push(message.text);
      message.text = String(text);
      message.buttons = buttonsIn(markup);
      ok(response, { message_id: message.id, chat: { id: message.chat }, text });
    },
    answerCallbackQuery({ callback_query_id: id, text = "" }, response) {
      if (answered.has(String(id)) || String(text).length > 200) {
        return fail(response, 400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
      }
      answered.add(String(id));
      telegram.toasts.push(String(text));
      telegram.told.set(String(id), String(text));
      ok(response, true);
    },
    getChat: ({ chat_id: chat }, response) => ok(response, { id: Number(chat), type: "private" }),
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
      if (token !== ownToken) return fail(response, 404, "Not Found");
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handle === undefined) return fail(response, 404, "Not Found: method not found");
      handle(JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, unknown>, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const telegram: PretendTelegram = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: [],
    toasts: [],
    told: new Map(),
    conflicts: 0,
    tap(by, message, data) {
      const inChat = { message_id: message.id, chat: { id: message.chat, type: "private" } };
      const id = `q${nextUpdate}`;
      add({ callback_query: { id, from: by, message: inChat, chat_instance: "1", data } });
      return id;
    },
    write(by, chat, text, replyTo) {
      const answeredMessage = replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo.id } };
      const id = (nextMessage += 1);
      const place =
        chat > 0
          ? { id: chat, type: "private", first_name: by.first_name }
          : { id: chat, type: "group", title: "Team" };
      add({ message: { message_id: id, from: by, chat: place, date: 0, text, ...answeredMessage } });
      return String(id);
    },
    repeatLast() {
      const { update_id: _, ...again } = last ?? { update_id: 0 };
      add(again);
    },
    isPolled: () => poll !== undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return telegram;
}

function buttonsIn(markup: unknown): Button[] {
  const { inline_keyboard: rows = [] } = (markup ?? {}) as { inline_keyboard?: Button[][] };
  return rows.flat();
}
