// What a dispatcher runs: in this order it starts and is polled, and in that order it ends.
import type { Enqueued } from "../pipeline/event/enqueue.ts";
import { ingestObservation } from "../pipeline/observe/observation.ts";
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import { Scheduler } from "../pipeline/scheduler.ts";
import { listDeliveries } from "../outbox/deliveries/deliveries.ts";
import { listIncoming } from "../outbox/incoming.ts";
import type { HeldLease } from "../outbox/lease/lease.ts";
import type { EndedStuck } from "../outbox/stuck/left-out.ts";
import type { Service } from "./attend.ts";
import { createDigests } from "./lasting/digests.ts";
import { createPresenceFile } from "./lasting/presence-file.ts";
import { type ShellHooksWatch, watchShellHooks } from "./lasting/shell-hooks.ts";
import { createReactions } from "./leased/reactions.ts";
import { askForRemotes } from "./leased/ask-for-remotes.ts";
import { createClicks } from "./leased/clicks.ts";
import { createDeliveries, createOutboxWatch, createPayloads } from "./leased/deliveries.ts";
import { createDiskWatch } from "./leased/disk-watch.ts";
import { createHousekeeping } from "./leased/housekeeping.ts";
import { createQuestionWatch } from "./leased/question-watch.ts";
import type { Outdated } from "../policies/answered.ts";
import type { ObservedSession } from "./leased/session-observation.ts";
import { SessionWatch } from "./leased/session-watch.ts";
import { createStatusLine } from "./leased/status-line.ts";
import type { DaemonIo } from "./open-dispatcher.ts";
import type { DaemonWing } from "./wing.ts";

export interface Services {
  /** In this order they start, and are polled. */
  services: readonly Service[];
  /** In this order they stop, those of a row side by side. */
  stopping: readonly (readonly Service[])[];
  /** Whether something waits that they do not know of. */
  hasNews(): boolean;
}

/** What runs while this process has the lease. `ended`: see `createHousekeeping`. */
export async function leasedServices(
  base: Dispatcher,
  lease: HeldLease,
  { isLeavingRetries, ended, wings }: { isLeavingRetries: boolean; ended: EndedStuck[]; wings: readonly DaemonWing[] },
  wake: () => void,
): Promise<Services> {
  const dispatcher: Dispatcher = { ...base, fleet: () => publishing?.fleet?.() };
  const { layout } = dispatcher;
  const asking = askForRemotes(dispatcher, wake);
  const used = wings.flatMap(({ leased }) =>
    leased === undefined || (isLeavingRetries && !leased.runsUntilIdle) ? [] : [leased.load()],
  );
  const withdraw = (outdated: Outdated[]): void => scheduler.take({ deliveries: [], outdated });
  const given = { dispatcher, asking, hasLease: lease.renew, wake, withdraw };
  const parts = (await Promise.all(used)).map((create) => create(given));
  const publishing = parts.find(({ fleet }) => fleet !== undefined);
  const sources = parts.flatMap((part) => (part === publishing ? [] : [part.service]));
  const publications = publishing === undefined ? [] : [publishing.service];
  const acted = createReactions(dispatcher, wake);
  const clicks = createClicks(dispatcher, acted.note, wake);
  const questions = createQuestionWatch(dispatcher, acted.note, wake);
  const questionsAndClicks = { untilOver: questions.untilOver, watchClick: clicks.watch };
  const scheduler = new Scheduler(dispatcher, lease, questionsAndClicks, wake);
  const onTaken = (taken: Enqueued): void => {
    sessions.reconsider();
    scheduler.take(taken);
  };
  const onSeen = ({ session, observation, why }: ObservedSession): void =>
    onTaken(ingestObservation(dispatcher, session, observation, why));
  const sessions = new SessionWatch(dispatcher, onSeen, wake);
  // Hands on what is known of sessions without a look.
  const sessionsElsewhere: Service = {
    name: "sessions of other machines",
    waitsForBacklog: true,
    poll() {
      for (const each of [...asking.seen(), ...parts.flatMap(({ seen }) => seen?.() ?? [])]) onSeen(each);
      return { nextAt: Infinity };
    },
  };
  const housekeeping = createHousekeeping(dispatcher, ended, (found) => scheduler.take(found));
  const intake = createPayloads(dispatcher, lease.renew, scheduler, onTaken, wake);
  const outbox = createOutboxWatch(dispatcher, scheduler, wake);
  const reactions = acted.serve(scheduler);
  const deliveries = createDeliveries(dispatcher, scheduler, isLeavingRetries);
  const statusLine = createStatusLine(dispatcher);
  const diskWatch = createDiskWatch(dispatcher);
  return {
    services: [
      // What is taken in is published.
      ...publications,
      housekeeping,
      intake,
      outbox,
      sessions,
      sessionsElsewhere,
      questions,
      ...sources,
      clicks,
      reactions,
      // What the others have found changes what is due.
      deliveries,
      statusLine,
      diskWatch,
    ],
    stopping: [
      // The last payloads are synced, then published.
      [intake, outbox, ...sources],
      // A question with buttons is under way until it is over.
      [deliveries, sessions, sessionsElsewhere, questions, clicks, reactions],
      publications,
      [statusLine, housekeeping, diskWatch],
    ],
    hasNews: () =>
      listIncoming(layout).length > 0 ||
      (!isLeavingRetries && listDeliveries(layout, "outbox").some((file) => !scheduler.has(file))),
  };
}

/** What outlives a lease: it starts before the first one, and ends after the last. A watch for an upgrade begins before that. */
export async function lastingServices(
  dispatcher: Dispatcher,
  io: DaemonIo,
  isUntilIdle: boolean,
  wings: readonly DaemonWing[],
): Promise<{ services: readonly Service[]; shellHooks: ShellHooksWatch }> {
  const shellHooks = watchShellHooks(dispatcher, io.env);
  const presenceFile = isUntilIdle ? [] : [createPresenceFile(dispatcher)];
  const used = await Promise.all(wings.flatMap(({ lasting }) => lasting?.load() ?? []));
  const ofWings = used.map((create) => create(dispatcher, io, isUntilIdle));
  return { services: [createDigests(dispatcher), ...ofWings, ...presenceFile, shellHooks], shellHooks };
}
