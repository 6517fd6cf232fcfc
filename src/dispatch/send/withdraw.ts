// Takes back what a session still shows once the user has answered its agent.
import { isDeepStrictEqual } from "node:util";
import type { AgentEvent } from "../../model/event.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { findChannel } from "../../rules/built-in.ts";

const withdrawTimeoutMs = 5000;

/** What could not be taken back is tried again at the next prompt. */
export async function withdrawShown(dispatcher: Dispatcher, event: AgentEvent): Promise<void> {
  if (event.name !== "UserPromptSubmit" && event.isAnswer !== true) return;
  const { layout, tools } = dispatcher;
  const session = readSession(layout, event.agent, event.session);
  for (const [name, remembered] of Object.entries(session.remembered)) {
    const channel = findChannel(dispatcher.rules().rules, name);
    if (channel?.channelType.withdraw === undefined) continue;
    const deadline = new AbortController();
    const cancel = tools.clock.after(withdrawTimeoutMs, () => deadline.abort());
    try {
      const settings = await resolveSecrets(channel.settings, tools.env, tools.home);
      await channel.channelType.withdraw(settings as never, remembered, { ...tools, signal: deadline.signal });
    } catch (error) {
      writeJournal(layout, tools.clock.now(), {
        kind: "notice",
        channel: name,
        title: "not withdrawn",
        body: messageOf(error),
      });
      continue;
    } finally {
      cancel();
    }
    const latest = readSession(layout, event.agent, event.session);
    // Something newer may have been shown meanwhile.
    if (!isDeepStrictEqual(latest.remembered[name], remembered)) continue;
    const { [name]: _, ...others } = latest.remembered;
    writeSession(layout, { ...latest, remembered: others });
  }
}
