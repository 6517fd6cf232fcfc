import { delivered } from "../../../model/outcome.ts";
import type { ChannelType } from "../../channel-type.ts";
import { readNewChat } from "./errors.ts";

/**
 * A group that became a supergroup has a new id, which Telegram tells whoever asks for the old one: the message goes
 * there, and the person learns what to set.
 */
export function followingMigration(channel: ChannelType): ChannelType {
  return {
    ...channel,
    async send(request, tools) {
      let newChat: number | undefined;
      const outcome = await channel.send(request, {
        ...tools,
        async http(made, options) {
          const answer = await tools.http(made, options);
          if ("body" in answer) newChat = readNewChat(answer);
          return answer;
        },
      });
      if (newChat === undefined) return outcome;
      const settings = { ...(request.settings as object), chat: newChat };
      const second = await channel.send({ ...request, settings, remembered: undefined }, tools);
      const mend = `the group is a supergroup now; set "chat" to ${newChat}`;
      // What is remembered is for the settings as they are, and would be looked for in the old group.
      return second.status === "delivered" ? delivered({ detail: mend }) : second;
    },
  };
}
