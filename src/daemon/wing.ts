// What a wing adds to a dispatcher.
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import type { FleetPort } from "../pipeline/dispatcher.ts";
import type { Outdated } from "../policies/answered.ts";
import type { Service } from "./attend.ts";
import type { Asking } from "./leased/ask-for-remotes.ts";
import type { ObservedSession } from "./leased/session-observation.ts";
import type { DaemonIo } from "./open-dispatcher.ts";

export interface LeasedParts {
  dispatcher: Dispatcher;
  asking: Asking;
  /** Whether this process still is the dispatcher; renews its lease. */
  hasLease: () => boolean;
  /** Makes the loop poll again. */
  wake: () => void;
  /** Takes down what is on show and out of date. */
  withdraw: (outdated: Outdated[]) => void;
}

export interface LeasedPart {
  service: Service;
  /** It starts before anything is taken in, and stops when nothing is: it publishes what is taken in. */
  fleet?: () => FleetPort | undefined;
  /** What other machines have said of their sessions since the last call. */
  seen?: () => readonly ObservedSession[];
}

export interface DaemonWing {
  /** What runs while this process has the lease. A source of events stops beside the intake, so that nothing comes after it. */
  leased?: {
    /** False: a run that ends when nothing is due goes without it. */
    runsUntilIdle: boolean;
    load(): Promise<(parts: LeasedParts) => LeasedPart>;
  };
  /** What outlives a lease. With `isUntilIdle`, the process ends when nothing is due. */
  lasting?: { load(): Promise<(dispatcher: Dispatcher, io: DaemonIo, isUntilIdle: boolean) => Service> };
}
