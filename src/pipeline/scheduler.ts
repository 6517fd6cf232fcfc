// Sends what waits in outbox/: keeps a queue for each channel, and takes the next delivery of each through the stages.
import type { Enqueued } from "./event/enqueue.ts";
import type { Dispatcher, QuestionsAndClicks } from "./dispatcher.ts";
import { retractShown } from "./delivery/retract.ts";
import type { DeliveryFile } from "../outbox/deliveries/deliveries.ts";
import { journalBug } from "../outbox/journal.ts";
import { describeStorageTrouble, storageRetryMs } from "../outbox/layout.ts";
import type { HeldLease } from "../outbox/lease/lease.ts";
import type { Rules } from "../rules/rules.ts";
import type { Environment } from "../system/environment.ts";
import { deliveryStages } from "./pipeline.ts";
import type { DeliveryTools } from "./delivery/context.ts";
import type { ChannelQueue } from "./delivery/queue/channel-queue.ts";
import { ChannelQueues } from "./delivery/queue/channel-queues.ts";
import { record } from "./delivery/record.ts";

export class Scheduler {
  private readonly dispatcher: Dispatcher;
  private readonly lease: Pick<HeldLease, "renew">;
  private readonly tools: DeliveryTools;
  private readonly channelQueues: ChannelQueues;
  private readonly onProgress: () => void;
  private readonly running = new Set<Promise<void>>();
  /** What has changed while deliveries waited for the disk: these sessions, or something that counts for all. */
  private changed: Set<string> | "all" = new Set();
  private rules: Rules | undefined;
  private env: Environment;

  /** `onProgress` is called at the end of each job. */
  constructor(
    dispatcher: Dispatcher,
    lease: Pick<HeldLease, "renew">,
    questionsAndClicks: QuestionsAndClicks,
    onProgress: () => void,
  ) {
    this.dispatcher = dispatcher;
    this.lease = lease;
    this.onProgress = onProgress;
    this.env = dispatcher.tools.env;
    this.channelQueues = new ChannelQueues(dispatcher);
    const runBeside = (job: () => Promise<void>): void => this.run(job());
    this.tools = { dispatcher, queues: this.channelQueues, lease, questionsAndClicks, fallbacks: new Set(), runBeside };
  }

  queues(): ChannelQueue[] {
    const { channelQueues } = this;
    // Other rules may apply now.
    const { rules } = this.dispatcher.rules();
    const { env } = this.dispatcher.tools;
    if (rules !== this.rules || env !== this.env) {
      for (const queue of channelQueues.byChannel.values()) queue.reopen();
      channelQueues.reconsider(this.now(), () => true);
      if (channelQueues.unsynced.size > 0) this.changed = "all";
    }
    this.rules = rules;
    this.env = env;
    channelQueues.sort();
    return [...channelQueues.byChannel.values()];
  }

  /** Whether the scheduler knows the file, also one that it leaves alone. */
  readonly has = (file: string): boolean => this.channelQueues.isKnown(file);

  readonly add = (added: DeliveryFile): void => this.channelQueues.add(added);

  /** Leaves these files alone until they are taken or forgotten. */
  readonly expect = (files: readonly string[]): void => {
    for (const file of files) this.channelQueues.unsynced.add(file);
  };

  readonly forget = (files: readonly string[]): void => {
    for (const file of files) this.channelQueues.unsynced.delete(file);
  };

  /** Adds what the disk has now, lets policies decide again about what they defer of the sessions that have changed, and withdraws what is out of date. */
  take({ deliveries, sessions = [], outdated = [] }: Enqueued): void {
    const { channelQueues, dispatcher } = this;
    const { unsynced } = channelQueues;
    for (const { file } of deliveries) unsynced.delete(file);
    for (const session of sessions) this.reconsiderNow(session);
    for (const each of deliveries) {
      channelQueues.add(each);
      if (this.changed === "all" || this.changed.has(each.delivery.event.session))
        channelQueues.reconsider(this.now(), ({ file }) => file === each.file);
    }
    if (unsynced.size === 0) this.changed = new Set();
    else if (this.changed !== "all") for (const session of sessions) this.changed.add(session);
    for (const each of outdated) {
      this.run(retractShown(dispatcher, each).then((edits) => edits.forEach((edit) => channelQueues.add(edit))));
    }
  }

  /** Reads what other processes have changed. */
  takeUp(files: "all" | readonly string[]): void {
    if (files === "all") this.channelQueues.takeUpAll();
    else for (const file of files) this.channelQueues.takeUp(file);
  }

  /** Takes the delivery through the stages. The queue sends nothing else meanwhile. */
  start(queue: ChannelQueue, file: string): void {
    try {
      queue.sending = file;
      const passed = this.passThrough(queue, file);
      if (passed instanceof Promise) {
        const work = passed.then(
          () => undefined,
          (error: unknown) => this.setBack(queue, file, error),
        );
        return this.run(work.finally(() => (queue.sending = undefined)));
      }
    } catch (error) {
      this.setBack(queue, file, error);
    }
    queue.sending = undefined;
  }

  reconsiderSession(session: string): void {
    if (this.channelQueues.unsynced.size > 0 && this.changed !== "all") this.changed.add(session);
    this.reconsiderNow(session);
  }

  escalating(): { agent: string; session: string }[] {
    return this.channelQueues.escalating();
  }

  /** The end of the job wakes the loop. */
  run(job: Promise<void>): void {
    const watched = job
      .catch((error: unknown) => journalBug(this.dispatcher.layout, this.now(), error))
      .finally(() => {
        this.running.delete(watched);
        this.onProgress();
      });
    this.running.add(watched);
  }

  isWorking(): boolean {
    return this.running.size > 0;
  }

  async finish(): Promise<void> {
    await Promise.all(this.running);
  }

  private passThrough(queue: ChannelQueue, file: string): object | undefined {
    const waiting = queue.waiting.get(file);
    const { unrecorded } = queue;
    if (unrecorded === undefined) return waiting && deliveryStages.run({ queue, waiting }, this.tools);
    // It was sent, and only its record is left. A disk that takes not even the lease would take none.
    return this.lease.renew() ? record({ queue, result: unrecorded }, this.tools) : undefined;
  }

  /** A bug is one delivery's trouble, a full disk the whole queue's. */
  private setBack(queue: ChannelQueue, file: string, error: unknown): void {
    const { layout } = this.dispatcher;
    const againAt = this.now() + storageRetryMs;
    const isOfDisk = describeStorageTrouble(layout, error) !== undefined;
    if (isOfDisk || queue.unrecorded !== undefined) queue.closedUntil = againAt;
    else this.channelQueues.change(file, { notBefore: againAt });
    if (!isOfDisk) journalBug(layout, this.now(), error);
  }

  private reconsiderNow(session: string): void {
    this.channelQueues.reconsider(this.now(), (waiting) => waiting.session === session);
  }

  private now(): number {
    return this.dispatcher.tools.clock.now();
  }
}
