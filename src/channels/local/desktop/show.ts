// Shows a notification through the daemon on the D-Bus session bus, and hears what the person does with it.
import type { Button } from "../../../model/answer.ts";
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { printableLine } from "../../../model/text.ts";
import {
  closeNotification,
  defaultAction,
  findNotificationServer,
  showNotification,
  watchNotification,
  type DesktopNotification,
  type NotificationServer,
} from "../../../system/desktop/dbus-notifications.ts";
import { findSessionBuses, withSessionBus } from "../../../system/desktop/session-bus.ts";
import type { AnswerTransport, ChannelTools, SendRequest } from "../../channel-type.ts";
import { levelLooks } from "../../rendering/levels.ts";
import {
  appName,
  type DesktopSettings,
  renderCard,
  replacesEarlier,
  urgencies,
  writeFor,
  writeQuestionFor,
} from "./appearance.ts";
import { busTimeoutMs, iconOf, readSession, rememberedId } from "./bus.ts";
import { actOnClick } from "./click.ts";

export const desktopAnswers: AnswerTransport<DesktopSettings> = {
  render: renderCard,
  // More do not fit beside each other.
  maxButtons: 3,
  // The person who clicks sits at this computer.
  namesSender: false,
  routeIn: (env) => findSessionBuses(env),
};

const maxDisplayMs = 2 ** 31 - 1;
/** No question is open for longer, and no click is waited for longer. */
const longestMs = 15 * 60_000;

type Request = SendRequest<DesktopSettings>;

/** What the person did; without a key, the notification disappeared. */
interface Acted {
  key?: string | undefined;
  activationToken?: string | undefined;
}

/** Resolves when it is on the screen. Daemons tell of clicks only the connection that showed it, so that stays open. */
export function showOverBus(request: Request, tools: ChannelTools): Promise<Outcome> {
  return new Promise((resolve) => {
    // A daemon that hangs must not show it twice later.
    const late = new AbortController();
    const cancel = tools.clock.after(busTimeoutMs, () => late.abort());
    const limits = { timeoutMs: longestMs, signal: late.signal };
    const shown = (outcome: Outcome): void => {
      cancel();
      resolve(outcome);
    };
    let act = (_: Acted): void => {};
    const acted = new Promise<Acted>((done) => (act = done));
    withSessionBus(findSessionBuses(tools.env), limits, async (call, onSignal) => {
      const server = await findNotificationServer(call);
      if (server === undefined) return undefined;
      const notification = notificationOf(request, server);
      let id = 0;
      const early = new Map<number, Acted>();
      const isHeard = notification.actions.length > 0;
      if (isHeard) {
        void watchNotification(call, server, onSignal, (of, key, activationToken) => {
          if (of === id) act({ key, activationToken });
          // A click may come in one piece with the id.
          else if (id === 0 && !early.has(of)) early.set(of, { key, activationToken });
        });
      }
      id = await showNotification(call, notification, appName);
      const before = early.get(id);
      if (before !== undefined) act(before);
      const detail = `shown by ${printableLine(`${server.name} ${server.version}`)} as ${id}`;
      const hasButtons = notification.actions.some(({ key }) => key !== defaultAction);
      if (request.question !== undefined && !hasButtons) {
        shown(delivered({ detail: `${detail}, which has no button for it` }));
        return { value: undefined };
      }
      shown(delivered({ detail, remember: { notificationId: String(id), server: server.identity } }));
      if (isHeard && (await hasReacted(request, `${server.identity} ${id}`, acted, act, tools))) {
        await closeNotification(call, id).catch(() => {});
      }
      return { value: undefined };
    }).then(
      (session) => {
        act({});
        const read = readSession(session);
        shown("status" in read ? read : delivered());
      },
      (error: unknown) => shown(failed("rejected", `the D-Bus library failed: ${printableLine(String(error))}`)),
    );
  });
}

/** Whether it is to be closed now. */
async function hasReacted(
  { settings, question, click }: Request,
  shown: string,
  acted: Promise<Acted>,
  act: (acted: Acted) => void,
  tools: ChannelTools,
): Promise<boolean> {
  const over = question?.over ?? click?.over;
  over?.addEventListener("abort", () => act({}), { once: true });
  if (over?.aborted === true) act({});
  click?.wait(
    shown,
    acted.then(({ key, activationToken }) =>
      key === defaultAction ? actOnClick(settings.click, click, activationToken, tools) : undefined,
    ),
  );
  const { key } = await acted;
  if (key !== undefined && key !== defaultAction) question?.onReply({ nonce: key });
  return key !== undefined || question !== undefined;
}

/** The notification as the daemon gets it. */
export function notificationOf(
  request: Request,
  server: NotificationServer,
): DesktopNotification & Required<Pick<DesktopNotification, "actions">> {
  const { settings, message, question } = request;
  const look = levelLooks[message.level];
  const isKept = question !== undefined || (settings.displayFor === undefined && look.isKept);
  const { isWhole, ...text } =
    question === undefined ? { ...writeFor(message, server), isWhole: true } : writeQuestionFor(message, server);
  // This daemon's screen may be smaller than the largest one.
  const buttons = question?.buttons.filter(({ choice }) => isWhole || choice === "deny") ?? [];
  return {
    ...text,
    replacesId:
      question === undefined && replacesEarlier(settings, request)
        ? (rememberedId(request.remembered, server) ?? 0)
        : 0,
    icon: iconOf(message.level),
    urgency: urgencies[settings.urgency ?? look.urgency],
    category: `x-${appName}.${message.level}`,
    isSilent: !settings.daemonSound || request.isSilent === true,
    // A question stays until it is answered or withdrawn.
    expireMs: isKept ? 0 : Math.min(settings.displayFor ?? -1, maxDisplayMs),
    actions: server.capabilities.includes("actions") ? actionsOf(request, buttons, server) : [],
  };
}

function actionsOf(
  { settings, question, click }: Request,
  buttons: readonly Button[],
  { name }: NotificationServer,
): { key: string; label: string }[] {
  const keys = buttons.map(({ nonce, label }) => ({ key: nonce, label }));
  // dunst offers its menu of buttons only where a click has no meaning of its own.
  const isClickable = click !== undefined && settings.click !== "none" && (question === undefined || name !== "dunst");
  const label = settings.click === "terminal" ? "Show the terminal" : "Open";
  return isClickable ? [...keys, { key: defaultAction, label }] : keys;
}
