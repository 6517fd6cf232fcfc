// How a browser that shows the page asks to be notified, also while the page is closed: by web push.
import type { Context } from "hono";
import {
  removeSubscription,
  storeSubscription,
  subscriptionOf,
  subscriptionSchema,
} from "../../channels/phone/webpush/subscriptions.ts";
import { vapidKeys } from "../../channels/phone/webpush/vapid.ts";
import { readRules } from "../../pipeline/current-rules.ts";
import type { App, Done } from "../../http-server/served.ts";
import { HttpProblem } from "../../http-server/problems.ts";
import type { CommandIo } from "../../console/command-io.ts";
import type { Access } from "./trust/access.ts";
import type { PushState } from "./contract.ts";

/** Every device that may read may also be told: a notification says less than the page. */
export function addPushRoutes(app: App, access: Access, { places, clock }: Pick<CommandIo, "places" | "clock">): void {
  const { stateDir } = places;
  app.get("/page/push", (context: Context) => {
    const { id } = access.requireDevice(context, "read");
    const publicKey = vapidKeys(stateDir, clock.now())?.publicKey;
    if (publicKey === undefined) throw new HttpProblem(500, "its key is damaged; see: hookbell doctor");
    const endpoint = subscriptionOf(stateDir, id)?.endpoint;
    return context.json({ publicKey, endpoint } satisfies PushState);
  });
  app.post("/page/push", async (context: Context) => {
    const { id } = access.requireDevice(context, "read");
    const subscription = await access.readBody(context, id, subscriptionSchema);
    const origin = context.req.header("origin") ?? "";
    storeSubscription(stateDir, id, { ...subscription, origin });
    return context.json({ isDone: true, text: await whatComes(places.rulesFile) } satisfies Done);
  });
  app.post("/page/push/off", (context: Context) => {
    const { id } = access.requireDevice(context, "read");
    removeSubscription(stateDir, id);
    return context.json({ isDone: true, text: "This device is no longer notified." } satisfies Done);
  });
}

async function whatComes(rulesFile: string): Promise<string> {
  const { rules } = await readRules(rulesFile, undefined);
  const hasChannel = Object.values(rules.channels).some(({ type }) => type === "webpush");
  return hasChannel
    ? "This device is notified from now on."
    : "This device is ready, but your rules send nothing to it. In a terminal: hookbell channels add webpush";
}
