// Where channels show a message that a later one may change or take back: a session's, the list of all that wait, or that of an agent's limit.
import { isDeepStrictEqual } from "node:util";
import type { MessageReference } from "../../model/answer.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Layout } from "../layout.ts";
import { readSession, writeSession } from "../sessions.ts";
import { readLimit, writeLimit } from "./limits.ts";
import { forgetList, noteList, readLists } from "./lists.ts";

/** What a message belongs to. */
export type Owner = { agent: string; session: string } | { limitOf: string } | "list";

export function ownerOf(delivery: Delivery): Owner {
  switch (delivery.kind) {
    case "list":
      return "list";
    case "edit":
      return delivery.isOfList === true ? "list" : delivery.event;
    case "limitReached":
    case "limitReset":
      return { limitOf: delivery.event.agent };
    default:
      return delivery.event;
  }
}

/** What each channel's last delivery asked to remember. */
export function referencesOf(layout: Layout, owner: Owner): Map<string, MessageReference> {
  if (owner === "list") {
    const lists = [...readLists(layout)];
    return new Map(
      lists.flatMap(([channel, { reference }]) => (reference === undefined ? [] : [[channel, reference]])),
    );
  }
  const own =
    "limitOf" in owner
      ? readLimit(layout, owner.limitOf).references
      : readSession(layout, owner.agent, owner.session).remembered;
  return new Map(Object.entries(own));
}

export function noteReference(layout: Layout, owner: Owner, channel: string, reference: MessageReference): void {
  if (owner === "list") return noteList(layout, channel, { reference });
  change(layout, owner, (all) => ({ ...all, [channel]: reference }));
}

/** `taken`: only if it is still this one; something newer may have been shown meanwhile. */
export function forgetReference(layout: Layout, owner: Owner, channel: string, taken?: MessageReference): void {
  if (taken !== undefined && !isDeepStrictEqual(referencesOf(layout, owner).get(channel), taken)) return;
  if (owner === "list") return forgetList(layout, channel);
  change(layout, owner, ({ [channel]: _, ...others }) => others);
}

type References = Record<string, MessageReference>;

function change(layout: Layout, owner: Exclude<Owner, "list">, how: (all: References) => References): void {
  if ("limitOf" in owner) {
    const limit = readLimit(layout, owner.limitOf);
    return writeLimit(layout, owner.limitOf, { ...limit, references: how(limit.references) });
  }
  const session = readSession(layout, owner.agent, owner.session);
  writeSession(layout, { ...session, remembered: how(session.remembered) });
}
