// How a person answers on the desktop: buttons of a notification, which stays until the question is over.
import type { AskedQuestion } from "../../channel-type.ts";
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { printableLine } from "../../../model/text.ts";
import {
  closeNotification,
  findNotificationServer,
  showNotification,
  watchNotification,
  type NotificationServer,
} from "../../../system/desktop/dbus-notifications.ts";
import { findSessionBuses, withSessionBus } from "../../../system/desktop/session-bus.ts";
import type { AnswerTransport, ChannelTools, SendRequest } from "../../channel-type.ts";
import { fieldLines } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";
import { appName, type DesktopSettings, urgencies, writeFor } from "./appearance.ts";
import { busTimeoutMs, iconOf, readSession } from "./bus.ts";

export const desktopAnswers: AnswerTransport<DesktopSettings> = {
  // Daemons cut a body to some lines of the screen.
  maxText: 300,
  // The person who clicks sits at this computer.
  namesSender: false,
};

const maxFields = 5;
/** Longer than any question is open. */
const longestMs = 15 * 60_000;

/**
 * Daemons tell of a pressed button only the connection that showed it, so it stays open until the question is over.
 * Resolves when the notification is on the screen.
 */
export function askOverBus(
  request: SendRequest<DesktopSettings>,
  question: AskedQuestion,
  tools: ChannelTools,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const tooLate = tools.clock.after(busTimeoutMs, () =>
      resolve(failed("timeout", "the notification daemon does not answer; restart it")),
    );
    const shown = (outcome: Outcome): void => {
      tooLate();
      resolve(outcome);
    };
    const limits = { timeoutMs: longestMs, signal: new AbortController().signal };
    withSessionBus(findSessionBuses(tools.env), limits, async (call, onSignal) => {
      const server = await findNotificationServer(call);
      if (server === undefined) return undefined;
      let id = 0;
      const pressed = new Promise<string | undefined>((press) => {
        question.over.addEventListener("abort", () => press(undefined), { once: true });
        void watchNotification(call, onSignal, (of, key) => {
          if (of === id) press(key);
        });
      });
      const hasButtons = server.capabilities.includes("actions");
      id = await showNotification(call, notificationOf(request, question, server, hasButtons), appName);
      const detail = `shown by ${printableLine(`${server.name} ${server.version}`)} as ${id}`;
      if (!hasButtons) {
        shown(delivered({ detail: `${detail}, which shows no buttons` }));
        return { value: undefined };
      }
      shown(delivered({ detail, remember: { notificationId: String(id), server: server.identity } }));
      if (question.over.aborted) await closeNotification(call, id);
      const key = await pressed;
      if (key !== undefined) question.hear({ nonce: key });
      await closeNotification(call, id).catch(() => {});
      return { value: undefined };
    }).then(
      (session) => {
        const read = readSession(session);
        shown("status" in read ? read : delivered());
      },
      (error: unknown) => shown(failed("rejected", `the D-Bus library failed: ${printableLine(String(error))}`)),
    );
  });
}

function notificationOf(
  { settings, message }: SendRequest<DesktopSettings>,
  { buttons }: AskedQuestion,
  server: NotificationServer,
  hasButtons: boolean,
): Parameters<typeof showNotification>[1] {
  const look = levelLooks[message.level];
  return {
    replacesId: 0,
    icon: iconOf(message.level),
    ...writeFor({ ...message, body: [message.body, ...fieldLines(message, maxFields)].join("\n"), fields: [] }, server),
    urgency: urgencies[settings.urgency ?? look.urgency],
    category: `x-${appName}.${message.level}`,
    isSilent: !settings.daemonSound,
    expireMs: 0,
    actions: hasButtons ? buttons.map(({ nonce, label }) => ({ key: nonce, label })) : [],
  };
}
