// The chats in which someone has written to the bot: https://core.telegram.org/bots/api#getupdates
import { objectIn, objectOf, objectsOf } from "../../../model/json.ts";
import { printableLine } from "../../../model/text.ts";
import type { Finder } from "../../channel-type.ts";
import { callVendor } from "../../vendor-request.ts";
import { callOf, type TelegramSettings } from "./bot-api.ts";
import { readTelegramFailure } from "./errors.ts";

const maxChats = 8;

export const chatFinder: Finder<TelegramSettings> = {
  how: "write any message to the bot in Telegram, in the chat that it is to use",
  async find(settings, tools) {
    // Without an offset, updates stay for the listener; other parameters would change what it gets.
    const answer = await callVendor(callOf(settings, "getUpdates", { timeout: 0 }), tools);
    if ("detail" in answer) throw new Error(answer.detail);
    const failure = readTelegramFailure(answer);
    if (failure !== undefined) throw new Error(failure.detail);
    const chats = objectsOf(objectIn(answer.body).result).flatMap(chatsIn).toReversed();
    return chats
      .filter(({ value }, index) => chats.findIndex((each) => each.value === value) === index)
      .slice(0, maxChats);
  },
};

function chatsIn(update: Readonly<Record<string, unknown>>): { value: string; name: string }[] {
  return [update.message, update.channel_post, update.my_chat_member].flatMap((each) => {
    const { id, type, title, first_name: first, username } = objectOf(objectOf(each).chat);
    if (typeof id !== "number") return [];
    const names = [title, first, typeof username === "string" ? `@${username}` : undefined];
    const name = names.filter((word) => typeof word === "string" && word !== "").join(" ");
    const kind = type === "private" ? "" : ` (${typeof type === "string" ? type : "group"})`;
    return [{ value: String(id), name: printableLine(`${name === "" ? String(id) : name}${kind}`.slice(0, 100)) }];
  });
}
