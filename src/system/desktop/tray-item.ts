// An icon in the desktop's tray: https://specifications.freedesktop.org/status-notifier-item/latest/
import { ownPid } from "../process/identity.ts";
import { bus, type BusCall, type BusSession, withSessionBus } from "./session-bus.ts";

/** Every tray uses KDE's names, not those of the specification. */
const watcherName = "org.kde.StatusNotifierWatcher";
const watcher = { destination: watcherName, path: "/StatusNotifierWatcher", interface: watcherName } as const;
/** Only one program can have this name, so there is only one icon. */
const ownName = "org.hookbell.Tray";
/** https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-request-name */
const doNotQueue = 4;
const isOwner = 1;

export interface TrayLook {
  /** Such as "2 sessions need you". */
  title: string;
  /** The text that some trays write beside the icon. */
  label: string;
  needsAttention: boolean;
  /** ARGB, 8 bits each, row by row. */
  pixels: { width: number; height: number; bytes: Uint8Array };
}

export interface TrayItem {
  look(): TrayLook;
  /** Calls back when `look` may return something else, until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** The token lets a Wayland desktop raise a window. */
  onClick(activationToken: string | undefined): void;
}

/** Shows it until the bus ends (`broken`) or `signal` is aborted (`timedOut`). A value says why it is not shown. */
export async function showInTray(
  socketPaths: readonly string[],
  signal: AbortSignal,
  item: TrayItem,
): Promise<BusSession<"noTray" | "isShownAlready">> {
  let unwatch = (): void => {};
  try {
    return await withSessionBus(socketPaths, { signal }, async (call, onSignal, serve) => {
      const [isThere] = await call({ ...bus, member: "NameHasOwner", signature: "s", body: [watcherName] });
      if (isThere !== true) return "noTray";
      const [owning] = await call({ ...bus, member: "RequestName", signature: "su", body: [ownName, doNotQueue] });
      if (owning !== isOwner) return "isShownAlready";
      let look = item.look();
      let token: string | undefined;
      const click = (): void => {
        item.onClick(token);
        token = undefined;
      };
      const emit = serve({
        path: "/StatusNotifierItem",
        interface: "org.kde.StatusNotifierItem",
        properties: propertiesOf(() => look),
        methods: {
          Activate: ["ii", click],
          SecondaryActivate: ["ii", click],
          ContextMenu: ["ii", click],
          Scroll: ["is", () => {}],
          ProvideXdgActivationToken: ["s", (given) => void (token = typeof given === "string" ? given : undefined)],
        },
      });
      onSignal(({ sender, member, body: [name, , owner] }) => {
        const isTrayBack = member === "NameOwnerChanged" && name === watcherName && owner !== "";
        if (sender === bus.destination && isTrayBack) register(call).catch(() => {});
      });
      const rule = `type='signal',sender='${bus.destination}',member='NameOwnerChanged',arg0='${watcherName}'`;
      await call({ ...bus, member: "AddMatch", signature: "s", body: [rule] });
      await register(call);
      unwatch = item.watch(() => {
        const before = look;
        look = item.look();
        if (before.title === look.title) return;
        for (const member of ["NewIcon", "NewToolTip", "NewTitle"]) emit(member);
        emit("NewStatus", "s", [statusOf(look)]);
        emit("XAyatanaNewLabel", "ss", [look.label, look.label]);
      });
      // Only the bus or the signal ends it.
      return new Promise<never>(() => {});
    });
  } finally {
    unwatch();
  }
}

/** A tray that was restarted has forgotten the item. */
async function register(call: BusCall): Promise<void> {
  // Some trays look for the item's object at this name.
  const name = `org.kde.StatusNotifierItem-${ownPid}-1`;
  await call({ ...bus, member: "RequestName", signature: "su", body: [name, doNotQueue] });
  await call({ ...watcher, member: "RegisterStatusNotifierItem", signature: "s", body: [name] });
}

function statusOf({ needsAttention }: TrayLook): string {
  return needsAttention ? "NeedsAttention" : "Active";
}

/** By name: the D-Bus type, and the value now. */
function propertiesOf(look: () => TrayLook): Record<string, [type: string, value: () => unknown]> {
  const picture = (): unknown => {
    const { width, height, bytes } = look().pixels;
    return [[width, height, bytes]];
  };
  return {
    Category: ["s", () => "ApplicationStatus"],
    Id: ["s", () => "hookbell"],
    Title: ["s", () => `hookbell: ${look().title}`],
    Status: ["s", () => statusOf(look())],
    WindowId: ["i", () => 0],
    IconName: ["s", () => ""],
    IconPixmap: ["a(iiay)", picture],
    AttentionIconName: ["s", () => ""],
    AttentionIconPixmap: ["a(iiay)", picture],
    OverlayIconName: ["s", () => ""],
    OverlayIconPixmap: ["a(iiay)", () => []],
    IconThemePath: ["s", () => ""],
    ToolTip: ["(sa(iiay)ss)", () => ["", [], "hookbell", look().title]],
    ItemIsMenu: ["b", () => false],
    // GNOME's extension refuses an item without it; this path says that there is no menu.
    Menu: ["o", () => "/NO_DBUSMENU"],
    XAyatanaLabel: ["s", () => look().label],
    XAyatanaLabelGuide: ["s", () => "99"],
  };
}
