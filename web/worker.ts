// The service worker: shows what is pushed, also while the page is closed, and opens the page at the session.

/** TypeScript knows either the page's world or the worker's, so what is used of the worker's stands here. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<unknown>;
  addEventListener(type: "install", listener: (event: Lasting) => void): void;
  addEventListener(type: "push", listener: (event: Lasting & { data: { json(): unknown } | null }) => void): void;
  addEventListener(
    type: "notificationclick",
    listener: (event: Lasting & { notification: Notification }) => void,
  ): void;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Tab {
  visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: object, transferred: []): void;
}

/** src/channels/phone/webpush/webpush.ts writes it. */
interface PushMessage {
  tag: string;
  title: string;
  body: string;
  level: string;
  session: string;
  isKept?: true;
  isSilent?: true;
  isOver?: true;
}

const worker = self as unknown as WorkerScope;

// It takes the place of one that another program has registered in its name, at once.
worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("push", (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json() as PushMessage));
});

async function show({ tag, title, body, level, session, isKept, isSilent, isOver }: PushMessage): Promise<void> {
  const { registration } = worker;
  await registration.showNotification(title, {
    body,
    tag,
    icon: `/page/icons/${level}.png`,
    requireInteraction: isKept === true,
    silent: isSilent === true || isOver === true,
    data: session,
  });
  if (isOver !== true) return;
  // Browsers end the subscription of a page that shows nothing for a message, so it was shown for a moment.
  for (const shown of await registration.getNotifications({ tag })) shown.close();
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

async function open(session: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ visibilityState }) => visibilityState === "visible") ?? tabs[0];
  if (tab === undefined) {
    await worker.clients.openWindow(`/#session=${session}`);
    return;
  }
  tab.postMessage({ session }, []);
  await tab.focus();
}
