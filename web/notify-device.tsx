// "Notify this device": web push for this browser, also while the page is closed.
import { useEffect, useState } from "preact/hooks";
import type { PushState } from "../src/wings/page/contract.ts";
import { get, post } from "./connection.ts";
import { useNotify } from "./notice.tsx";
import { findOwn, registerOwn } from "./trust/workers.ts";

export function NotifyDevice() {
  const notify = useNotify();
  const [state, setState] = useState<"on" | "off" | "changing">();
  useEffect(() => {
    if (canNotify) void readState().then(setState, () => setState("off"));
  }, []);
  if (!canNotify) {
    return (
      <p class="hint">For notifications on an iPhone or iPad, add this page to the home screen and open it there.</p>
    );
  }
  if (state === undefined) return null;
  const change = async (to: "on" | "off"): Promise<void> => {
    setState("changing");
    const { isDone, text } = await (to === "on" ? subscribe() : unsubscribe());
    notify(text);
    setState(isDone === (to === "on") ? "on" : "off");
  };
  return (
    <>
      <p>
        {state === "on"
          ? "This device is notified, also while the page is closed."
          : "Get notifications here, also while the page is closed."}
      </p>
      <p class="hint">
        They come by the channel type webpush. If your rules have none yet: <code>hookbell channels add webpush</code>
      </p>
      <div class="buttons">
        {state === "on" ? (
          <button type="button" onClick={() => void change("off")}>
            Stop notifying
          </button>
        ) : (
          <button type="button" disabled={state === "changing"} onClick={() => void change("on")}>
            Notify this device
          </button>
        )}
      </div>
    </>
  );
}

const canNotify = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function readState(): Promise<"on" | "off"> {
  const { endpoint } = await get<PushState>("/page/push");
  if (endpoint === undefined || Notification.permission !== "granted") return "off";
  const subscription = await (await findOwn())?.pushManager.getSubscription();
  // It was a browser's of 1.0.0-rc.1, whose worker is gone.
  if (!subscription) return (await subscribe()).isDone ? "on" : "off";
  // A browser changes its address at times.
  if (subscription.endpoint !== endpoint) await post("/page/push", subscription.toJSON());
  return "on";
}

async function subscribe(): Promise<{ isDone: boolean; text: string }> {
  if ((await Notification.requestPermission()) !== "granted") {
    return { isDone: false, text: "The browser blocks notifications of this page: allow them in its settings." };
  }
  try {
    const { publicKey } = await get<PushState>("/page/push");
    const { pushManager } = await registerOwn();
    // One that the push service has ended would be returned again.
    await (await pushManager.getSubscription())?.unsubscribe();
    const subscribing = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const subscription = await within(longestSubscribeMs, subscribing);
    if (subscription === undefined) {
      // No one would know of it.
      void subscribing.then(
        (late) => late.unsubscribe(),
        () => {},
      );
      return { isDone: false, text: noAnswer };
    }
    return await post("/page/push", subscription.toJSON());
  } catch (error) {
    return { isDone: false, text: `Not done: ${(error as Error).message}` };
  }
}

/** Browsers wait for their push service without an end. */
const longestSubscribeMs = 20_000;
const noAnswer =
  "Not done: this browser's push service did not answer. Look whether the network lets it through (Chrome: *.googleapis.com, Firefox: *.mozilla.com) and whether push messages are on in the browser's settings, then press again. Or let another channel notify you: hookbell channels add";

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function unsubscribe(): Promise<{ isDone: boolean; text: string }> {
  await (await (await findOwn())?.pushManager.getSubscription())?.unsubscribe();
  return await post("/page/push/off", {});
}
