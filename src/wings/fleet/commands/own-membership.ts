// Who this machine is in its fleet, by its settings and its credentials.
import { withBroker } from "../admin/broker.ts";
import { readCredentials, type ReadCredentials } from "../credentials.ts";
import { inboxPrefix, type Member } from "../names.ts";
import { docsUrl, UserError } from "../../../model/errors.ts";
import type { FleetSettings } from "../../../wing-settings/fleet.ts";
import { resolveSecrets } from "../../../system/secrets.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { memberOf } from "../membership.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";

export interface OwnMembership {
  settings: FleetSettings;
  /** What the settings say. */
  member: Member;
  /** The text of the credentials. */
  credentials: string;
  /** What the credentials say; undefined if `fleet` has not made them. */
  named: ReadCredentials | undefined;
  key: string | undefined;
}

/** Undefined if the rules file has no "fleet". Throws if the credentials are missing. */
export async function ownMembership(io: CommandIo): Promise<OwnMembership | undefined> {
  const settings = (await viewDispatcher(io)).rules().rules.fleet;
  if (settings === undefined) return undefined;
  const { credentials } = await resolveSecrets({ credentials: settings.credentials }, io.env, io.places.home, "fleet");
  if (credentials === undefined) {
    throw new UserError("fleet.noCredentials", 'the rules file\'s "fleet" has no "credentials"', {
      hint: `the broker needs them; see ${docsUrl("reference/FLEET.md")}`,
    });
  }
  const text = credentials.reveal();
  const named = readCredentials(text);
  return { settings, member: memberOf(settings), credentials: text, named, key: named?.key };
}

/** Connects as this machine does. */
export async function asMember<T>(
  { settings, member, credentials }: OwnMembership,
  use: Parameters<typeof withBroker<T>>[1],
): Promise<T> {
  const { servers, ca } = settings;
  return await withBroker({ servers, ca, credentials, inboxPrefix: inboxPrefix(member) }, use);
}
