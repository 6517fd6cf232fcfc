// Joins the fleet that the rules file names, and another one when the file does.
import { hostToken, type Member } from "../../fleet/names.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Beside } from "../beside.ts";
import type { FleetSettings } from "../../rules/schema/fleet-settings.ts";
import { expandHome } from "../../system/paths.ts";
import { hostName } from "../../system/process/identity.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import { askForRemotes } from "./ask-for-remotes.ts";

/** Who this machine is in its fleet. */
export function memberOf({ org, person, host }: FleetSettings): Member {
  return { org, person, host: host ?? hostToken(hostName()) };
}

/** The fleet that a dispatcher takes part in at this moment. */
export interface Membership {
  fleet?: Fleet | undefined;
}

/**
 * Runs beside the deliveries of the dispatcher. When it resolves, what is taken in is published, whether there is a connection
 * or not. Without "fleet" in the rules file, nothing of it loads.
 */
export async function joinFleet(
  dispatcher: Dispatcher,
  membership: Membership,
  hasLease: () => boolean,
  wake: () => void,
): Promise<Beside> {
  let settings: FleetSettings | undefined;
  let changing: Promise<void> | undefined;
  let isOver = false;
  const asking = askForRemotes(dispatcher, wake);

  const leave = async (): Promise<void> => {
    const { fleet } = membership;
    membership.fleet = undefined;
    await fleet?.finish();
  };
  const change = async (next: FleetSettings | undefined): Promise<void> => {
    settings = next;
    await leave();
    if (next === undefined || isOver) return;
    const { openFleet } = await import("../../fleet/fleet.ts");
    membership.fleet = openFleet({ ...fleetOptions(dispatcher, asking, next), hasLease, wake });
  };
  await change(dispatcher.rules().rules.fleet);
  return {
    look() {
      const { fleet: now } = dispatcher.rules().rules;
      if (changing === undefined && JSON.stringify(now) !== JSON.stringify(settings)) {
        changing = change(now).finally(() => {
          changing = undefined;
          wake();
        });
      }
      membership.fleet?.round();
    },
    seen: () => [...asking.seen(), ...(membership.fleet?.seen() ?? [])],
    isBusy: () => settings !== undefined,
    async finish() {
      isOver = true;
      await changing;
      await leave();
    },
  };
}

function fleetOptions(dispatcher: Dispatcher, asking: ReturnType<typeof askForRemotes>, settings: FleetSettings) {
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
