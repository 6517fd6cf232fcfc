// Joins the fleet that the rules file names, and another one when the file does.
import { hostToken, type Member } from "./names.ts";
import type { Fleet } from "./fleet.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import type { Service, StopReason } from "../../daemon/attend.ts";
import type { LeasedPart, LeasedParts } from "../../daemon/wing.ts";
import type { FleetSettings } from "../../wing-settings/fleet.ts";
import { expandHome } from "../../system/paths.ts";
import { hostName } from "../../system/process/identity.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import type { Asking } from "../../daemon/leased/ask-for-remotes.ts";

/** Who this machine is in its fleet. */
export function memberOf({ org, person, host }: FleetSettings): Member {
  return { org, person, host: host ?? hostToken(hostName()) };
}

/**
 * Once it has started, what is taken in is published, whether there is a connection or not. Without "fleet" in the rules file,
 * nothing of it loads.
 */
export function joinFleet({ dispatcher, asking, hasLease, wake }: LeasedParts): LeasedPart {
  let fleet: Fleet | undefined;
  let settings: FleetSettings | undefined;
  let changing: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  const leave = async (why: StopReason): Promise<void> => {
    const left = fleet;
    fleet = undefined;
    await left?.finish(why === "ended");
  };
  const change = async (next: FleetSettings | undefined): Promise<void> => {
    await leave("ended");
    if (next !== undefined) {
      const { Fleet } = await import("./fleet.ts");
      fleet = new Fleet({ ...fleetOptions(dispatcher, asking, next), hasLease, wake });
    }
    settings = next;
  };
  const service: Service = {
    name: "fleet",
    start: async () => await change(dispatcher.rules().rules.fleet),
    poll() {
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        throw error;
      }
      const { fleet: now } = dispatcher.rules().rules;
      if (changing === undefined && JSON.stringify(now) !== JSON.stringify(settings)) {
        changing = change(now)
          .catch((error: unknown) => {
            failure = { error };
          })
          .finally(() => {
            changing = undefined;
            wake();
          });
      }
      fleet?.round();
      return { nextAt: Infinity };
    },
    busy: () => (settings === undefined ? undefined : "stay"),
    async stop(why) {
      await changing;
      await leave(why);
    },
  };
  return { service, fleet: () => fleet, seen: () => fleet?.seen() ?? [] };
}

function fleetOptions(dispatcher: Dispatcher, asking: Asking, settings: FleetSettings) {
  const { layout, tools } = dispatcher;
  const { servers, credentials, ca } = settings;
  return {
    layout,
    tools,
    member: memberOf(settings),
    connection: async () => ({
      ...(await resolveSecrets({ servers, credentials }, tools.env, tools.home, "fleet")),
      ca: ca === undefined ? undefined : expandHome(ca, tools.home),
    }),
    asking: { ...asking, answer: asking.decide },
    look: async () => (await dispatcher.observePresence?.(undefined, tools.env)) ?? {},
  };
}
