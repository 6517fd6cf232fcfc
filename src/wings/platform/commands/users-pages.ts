// All pages of the users, one after the other. Nothing is kept but the page before.
import { UserError } from "../../../model/errors.ts";
import type { PlatformClient, UsersQuery } from "../client/client.ts";
import { usersLimit } from "../contract/endpoints.ts";
import type { UsersEnvelope } from "../contract/analytics.ts";

/** Page after page until the last one, however many there are. */
export async function* usersPages(
  client: Pick<PlatformClient, "getUsersPage">,
  query: UsersQuery,
): AsyncGenerator<UsersEnvelope, void> {
  const cursors = new Set<string>();
  let before = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page = await client.getUsersPage({ limit: usersLimit.max, ...query, cursor });
    const keys = page.data.map(({ user_id, date }) => `${user_id} ${date}`);
    // A page may begin with days that the one before had.
    yield { ...page, data: page.data.filter((_, index) => !before.has(keys[index] ?? "")) };
    if (!page.meta.has_more) return;
    cursor = page.meta.next_cursor ?? undefined;
    if (cursor === undefined || cursors.has(cursor)) {
      const what = cursor === undefined ? "names no next one" : "names one that was read already";
      throw new UserError("platform.unexpectedAnswer", `the service's list of users is broken: a page ${what}`);
    }
    cursors.add(cursor);
    before = new Set(keys);
  }
}
