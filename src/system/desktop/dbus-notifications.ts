// The desktop's notification service over D-Bus: https://specifications.freedesktop.org/notification-spec/latest/protocol.html
import { bus, type BusCall, type BusMessage, type BusSignal } from "./session-bus.ts";

const notificationsName = "org.freedesktop.Notifications";
const daemon = {
  destination: notificationsName,
  path: "/org/freedesktop/Notifications",
  interface: notificationsName,
} as const;

export interface NotificationServer {
  name: string;
  version: string;
  capabilities: readonly string[];
  /** The daemon's unique name on the bus. */
  owner: string;
  /** Notification ids are valid for one identity only. */
  identity: string;
}

export interface DesktopNotification {
  /** The notification to replace; 0 for a new one. */
  replacesId: number;
  /** The address of a picture. */
  icon: string;
  title: string;
  body: string;
  /** 0 low, 1 normal, 2 critical. */
  urgency: number;
  category: string;
  isSilent: boolean;
  /** Milliseconds; -1 leaves it to the daemon, 0 is until it is closed. */
  expireMs: number;
  /** Buttons, and the click on all of it: the key that the daemon says then, and its label. */
  actions?: readonly { key: string; label: string }[];
}

/** Started by the bus if needed; undefined if there is none. */
export async function findNotificationServer(call: BusCall): Promise<NotificationServer | undefined> {
  const [isRunning] = await call(onName("NameHasOwner"));
  if (isRunning !== true) {
    const [activatable] = await call({ ...bus, member: "ListActivatableNames" });
    if (!Array.isArray(activatable) || !activatable.includes(notificationsName)) return undefined;
  }
  const [information, [capabilities]] = await Promise.all([
    call({ ...daemon, member: "GetServerInformation" }),
    call({ ...daemon, member: "GetCapabilities" }),
  ]);
  const [[owner], [busId]] = await Promise.all([call(onName("GetNameOwner")), call({ ...bus, member: "GetId" })]);
  return {
    name: String(information[0]),
    version: String(information[2]),
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : [],
    owner: String(owner),
    identity: `${String(busId)} ${String(owner)}`,
  };
}

/** The id is the daemon's. */
export async function showNotification(call: BusCall, shown: DesktopNotification, appName: string): Promise<number> {
  const actions = (shown.actions ?? []).flatMap(({ key, label }) => [key, label]);
  const hints = [
    ["urgency", ["y", shown.urgency]],
    ["category", ["s", shown.category]],
    ["desktop-entry", ["s", appName]],
    ["suppress-sound", ["b", shown.isSilent]],
  ];
  const [id] = await call({
    ...daemon,
    member: "Notify",
    signature: "susssasa{sv}i",
    body: [appName, shown.replacesId, shown.icon, shown.title, shown.body, actions, hints, shown.expireMs],
  });
  return Number(id);
}

export async function closeNotification(call: BusCall, id: number): Promise<void> {
  await call({ ...daemon, member: "CloseNotification", signature: "u", body: [id] });
}

/**
 * Hears of clicks from the daemon alone: any program on the bus can send such a signal. Without a key, it was closed. Some daemons of Wayland add a token to raise a window with.
 */
export async function watchNotification(
  call: BusCall,
  { owner }: Pick<NotificationServer, "owner">,
  onSignal: (listener: (signal: BusSignal) => void) => void,
  onActed: (id: number, key: string | undefined, activationToken: string | undefined) => void,
): Promise<void> {
  const tokens = new Map<number, string>();
  onSignal(({ sender, interface: from, member, body: [of, text] }) => {
    if (sender !== owner || from !== notificationsName) return;
    const id = Number(of);
    if (member === "ActivationToken" && typeof text === "string") tokens.set(id, text);
    if (member === "ActionInvoked" && typeof text === "string") onActed(id, text, tokens.get(id));
    if (member === "NotificationClosed") onActed(id, undefined, undefined);
  });
  // Some daemons send it to the caller alone, others to everyone who asks.
  await call({ ...bus, member: "AddMatch", signature: "s", body: [`type='signal',interface='${notificationsName}'`] });
}

/** The key of a click on the notification itself. */
export const defaultAction = "default";

function onName(member: string): BusMessage {
  return { ...bus, member, signature: "s", body: [notificationsName] };
}
