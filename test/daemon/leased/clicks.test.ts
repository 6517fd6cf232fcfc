// How long the dispatcher stays for a click, and which terminal one is about.
import { expect, it } from "vitest";
import { createClicks } from "../../../src/daemon/leased/clicks.ts";
import { newDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { ofAllSessions } from "../../../src/model/own-events.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { localRequest } from "../../support/channels/channel-request.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

const minuteMs = 60_000;
const neverClicked = new Promise<undefined>(() => {});
const { event, message } = localRequest({}, {});

const deliveryOf = (session: object, kind: "event" | "list" = "event"): Delivery =>
  newDelivery(0, {
    kind,
    id: "msg_1",
    channel: "screen",
    rule: "asks",
    event: { ...event, ...session },
    message,
    expiresAt: Infinity,
  });

function prepare() {
  const { dispatcher } = prepareDispatcher();
  const clock = createFakeClock();
  dispatcher.tools.clock = clock;
  const journal = (): object[] =>
    listJournal(dispatcher.layout).flatMap((file) => readJournal(dispatcher.layout, file));
  const acts: string[] = [];
  const clicks = createClicks(
    dispatcher,
    ({ session }, how) => void acts.push(`${session} ${how}`),
    () => {},
  );
  return { dispatcher, clock, journal, acts, clicks };
}

it("the dispatcher stays ten minutes for a click, and no longer", async () => {
  const { clicks, clock } = prepare();
  const { over, wait } = clicks.watch(deliveryOf({}));
  // As the channel does.
  wait("7", new Promise((resolve) => over.addEventListener("abort", () => resolve(undefined))));
  clock.turn(10 * minuteMs - 1);
  expect([clicks.busy?.(), over.aborted]).toEqual(["stay", false]);
  clock.turn(1);
  await new Promise(setImmediate);
  expect([clicks.busy?.(), over.aborted]).toEqual([undefined, true]);
});

it("a notification in the place of another one takes its clicks, one beside it does not", () => {
  const { clicks } = prepare();
  const [first, beside, second] = [0, 1, 2].map(() => clicks.watch(deliveryOf({})));
  first?.wait("7", neverClicked);
  beside?.wait("8", neverClicked);
  second?.wait("7", neverClicked);
  expect([first, beside, second].map((each) => each?.over.aborted)).toEqual([true, false, false]);
  void clicks.stop?.("ended");
  expect([beside, second].map((each) => each?.over.aborted)).toEqual([true, true]);
});

it("a notification that was on its way when the dispatcher ended keeps no process", async () => {
  const { clicks } = prepare();
  const late = clicks.watch(deliveryOf({}));
  await clicks.stop?.("ended");
  late.wait("7", neverClicked);
  expect(late.over.aborted).toBe(true);
});

it.each([
  [
    "a click",
    Promise.resolve("raised its window"),
    [{ kind: "attention", verdict: "clicked", why: "raised its window" }],
  ],
  ["no click", Promise.resolve(undefined), []],
])("%s is on record, and known to the escalation", async (_what, clicked, entries) => {
  const { clicks, journal, acts } = prepare();
  clicks.watch(deliveryOf({ session: "s-1" })).wait("7", clicked);
  await new Promise(setImmediate);
  expect(journal()).toMatchObject(entries);
  expect(acts).toEqual(entries.map(() => "s-1 clicked"));
  expect(clicks.busy?.()).toBeUndefined();
});

it("a list of sessions stands for the one that rang last, once it is clicked", () => {
  const { dispatcher, clicks, clock } = prepare();
  const asks = (session: string, ago: number): void =>
    writeSession(
      dispatcher.layout,
      recordOf({
        agent: "droid",
        session,
        lastSeenAt: clock.now(),
        folder: `/srv/${session}`,
        open: [{ id: session, at: clock.now() - ago, name: "PermissionRequest", channels: ["screen"] }],
      }),
    );
  asks("newer", minuteMs);
  asks("older", 2 * minuteMs);
  expect(clicks.watch(deliveryOf(ofAllSessions, "list")).place()).toEqual({
    terminal: undefined,
    folder: "/srv/newer",
  });
  expect(clicks.watch(deliveryOf({ session: "older" })).place()).toMatchObject({ folder: "/srv/older" });
});
