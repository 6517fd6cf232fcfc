// How a person answers in Discord: buttons, whose presses the gateway tells. https://discord.com/developers/docs/events/gateway
import type { OnReply, ReceivedReply, ShownQuestion } from "../../../model/answer.ts";
import type { AnswerTransport, ChannelTools, ListenFailure } from "../../channel-type.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { ourBug } from "../../vendor-answer.ts";
import { callVendor } from "../../vendor-request.ts";
import { callDiscord, type DiscordSettings } from "./bot-api.ts";
import { readDiscordFailure } from "./errors.ts";
import { serveConnection, type GatewaySession } from "./gateway.ts";
import { escapeDiscord, renderCard, toDiscordQuestion } from "./message.ts";
import { sleep } from "../../../system/clock.ts";
import { type Members, objectIn, objectOf } from "../../../model/json.ts";

/** https://discord.com/developers/docs/components/reference#button */
const maxButtonLabel = 80;
const buttonsInRow = 5;
/** The person alone sees such a message: https://discord.com/developers/docs/resources/message#message-object-message-flags */
const ephemeral = 64;

/** How often taking the session up may fail. */
const maxFailures = 5;
const firstPauseMs = 500;

/** The next try would end as this one did. */
const finalCodes: Readonly<Record<number, string>> = {
  4004: 'the bot\'s token is wrong or was reset; set the new one as "token"',
  4010: ourBug,
  4011: "the bot is in too many servers; make one for hookbell alone",
  4012: ourBug,
  4013: ourBug,
  4014: ourBug,
};

export const discordAnswers: AnswerTransport<DiscordSettings> = {
  render: renderCard,
  maxButtons: 25,
  namesSender: true,
  showsSnooze: true,
  problemOf: ({ token }) =>
    token === undefined ? 'a webhook brings no answers back; set "token" and "channel" of a bot' : undefined,
  credentialOf: ({ token }) => token?.reveal() ?? "",
  async listen(settings, onReply, tools) {
    const gateway = await findGateway(settings, tools);
    if ("failure" in gateway) return gateway.failure;
    let session: GatewaySession | undefined;
    let failures = 0;
    for (;;) {
      const connection = {
        token: settings.token?.reveal() ?? "",
        url: session?.url ?? gateway.url,
        isPlainAllowed: settings.allowHttp,
        session,
        onEvent(name: unknown, event: Members) {
          if (name === "INTERACTION_CREATE") takeInteraction(settings, onReply, tools, event);
        },
      };
      const end = await serveConnection(connection, tools);
      if (tools.signal.aborted) return "";
      const final = finalCodes[end.code];
      if (final !== undefined) return { final: `Discord closed the connection (${end.code}): ${final}` };
      session = end.session;
      failures = end.isReady ? 0 : failures + 1;
      if (session === undefined || failures > maxFailures) return end.detail;
      await sleep(tools.clock, tools.random() * firstPauseMs * 2 ** failures, tools.signal);
    }
  },
  async close(settings, { channel = "", message = "" }, card, tools) {
    const body = { ...toDiscordQuestion(card, "PermissionRequest", true), components: [] };
    const request = callDiscord(settings, "PATCH", ["channels", channel, "messages", message], body);
    const answer = await callVendor(request, tools);
    if ("detail" in answer) throw new Error(answer.detail);
    if (answer.status !== 200) {
      throw new Error(readDiscordFailure(answer, settings)?.detail ?? `Discord answered ${answer.status}`);
    }
  },
};

/** Below a question; a `custom_id` holds 100 characters, a nonce has 22. */
export function componentsOf({ buttons, snooze }: Pick<ShownQuestion, "buttons" | "snooze">): object[] {
  const answers = buttons.map(({ choice, ...button }) => ({ ...button, style: choice === "deny" ? 4 : 2 }));
  const all = [...answers, ...(snooze === undefined ? [] : [{ ...snooze, style: 2 }])].map(
    ({ label, nonce, style }) => ({
      type: 2,
      style,
      label: cut(label, maxButtonLabel, measures.utf16),
      custom_id: nonce,
    }),
  );
  const rows = Array.from({ length: Math.ceil(all.length / buttonsInRow) }, (_, row) =>
    all.slice(row * buttonsInRow, (row + 1) * buttonsInRow),
  );
  return rows.map((components) => ({ type: 1, components }));
}

/** https://discord.com/developers/docs/events/gateway#get-gateway-bot */
async function findGateway(
  settings: Resolved<DiscordSettings>,
  tools: ChannelTools,
): Promise<{ url: string } | { failure: ListenFailure }> {
  const answer = await callVendor(callDiscord(settings, "GET", ["gateway", "bot"]), tools);
  if ("detail" in answer) return { failure: answer.detail };
  const { url, session_start_limit: limit } = objectIn(answer.body);
  const failure = readDiscordFailure(answer, settings);
  if (failure?.reason === "unauthorized") return { failure: { final: failure.detail } };
  if (typeof url !== "string") return { failure: failure?.detail ?? `Discord answered ${answer.status}` };
  // After one session more, Discord would take the bot's token away.
  if (objectOf(limit).remaining === 0) return { failure: "Discord allows this bot no further session today" };
  return { url };
}

/** Discord wants a reply within three seconds: https://discord.com/developers/docs/interactions/receiving-and-responding */
function takeInteraction(
  settings: Resolved<DiscordSettings>,
  onReply: OnReply,
  tools: ChannelTools,
  { id, token, type, data, member, user }: Members,
): void {
  if (type !== 3 || typeof id !== "string" || typeof token !== "string") return;
  const { custom_id: nonce } = objectOf(data);
  const said = onReply({
    sender: senderOf(objectOf(member).user ?? user),
    nonce: typeof nonce === "string" ? nonce : "",
  });
  const words = (content: string): object => ({ content, flags: ephemeral, allowed_mentions: { parse: [] } });
  const reply = said === undefined ? { type: 6 } : { type: 4, data: words(escapeDiscord(said)) };
  void callVendor(callDiscord(settings, "POST", ["interactions", id, token, "callback"], reply), tools);
}

function senderOf(user: unknown): ReceivedReply["sender"] {
  const { id, global_name: shown, username, bot } = objectOf(user);
  if (typeof id !== "string" || id === "" || bot === true) return undefined;
  const name = [shown, username].find((each) => typeof each === "string" && each !== "");
  return { id, name: printableLine(typeof name === "string" ? name : id) };
}
