// Sends a test through the new channel, and lets the user change it until it works.
import { readyChannel } from "../../../pipeline/channel/call-channel.ts";
import { settingsOf } from "../../../rules/setting-info.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import { ownAddresses } from "../../../system/process/identity.ts";
import type { AskMore } from "../../../console/ask.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { wake } from "../../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../../pipeline/open-dispatcher.ts";
import { askSeen, onlyYouCanTell } from "../../send/ask-seen.ts";
import { showOutcome } from "../../send/report.ts";
import { sendSample } from "../../send/sample.ts";
import { wrap } from "../../../console/output/text.ts";
import { askSetting } from "./ask-setting.ts";
import { channelOfDraft, type ChannelDraft } from "./draft.ts";

/** Whether the test arrived; undefined if the user cancelled. */
export async function tryDraft(io: CommandIo, draft: ChannelDraft, ask?: AskMore): Promise<boolean | undefined> {
  const channel = channelOfDraft(draft);
  if (channel === undefined) throw new Error("the draft is not a valid channel");
  const { outcome, ms, isTakenBack } = await sendSample(await openDispatcher(io), channel);
  if (isTakenBack) wake(io);
  const isDelivered = outcome.status === "delivered";
  const unsure = isDelivered && ask === undefined ? onlyYouCanTell(channel) : "";
  io.stdout(`${draft.name} (${channel.type}): ${showOutcome(io, outcome, ms)}${unsure}\n`);
  return isDelivered && ask !== undefined ? await askSeen(io, ask, channel) : isDelivered;
}

/** Offers a test; undefined if the user cancelled. */
export async function offerToTry(ask: AskMore, io: CommandIo, first: ChannelDraft): Promise<ChannelDraft | undefined> {
  await showSubscription(io, first);
  const isWanted = await ask.confirm("Send a test message now?", true);
  if (isWanted !== true) return isWanted === undefined ? undefined : first;
  for (let draft = first; ;) {
    const hasArrived = await tryDraft(io, draft, ask);
    if (hasArrived !== false) return hasArrived === undefined ? undefined : draft;
    const { settings } = draft;
    const own = settingsOf(draft.channelType).filter(({ key }) => Object.hasOwn(settings, key));
    const next = await ask.pick("What now?", [
      { value: "again", label: "Try again" },
      ...own.map(({ key }) => ({ value: `.${key}`, label: `Change ${key}, then try again` })),
      { value: "write", label: "Add it anyway" },
      { value: "stop", label: "Cancel" },
    ]);
    if (next === undefined || next === "stop") return undefined;
    if (next === "write") return draft;
    const setting = own.find(({ key }) => next === `.${key}`);
    const changed = setting === undefined ? draft : await askSetting(ask, draft, setting);
    if (changed === undefined) return undefined;
    draft = changed;
  }
}

/** Where to receive the messages, as a link and a QR code. */
async function showSubscription(io: CommandIo, draft: ChannelDraft): Promise<void> {
  const channel = channelOfDraft(draft);
  const { subscribe } = draft.channelType.setUp ?? {};
  if (channel === undefined || subscribe === undefined) return;
  const ready = await readyChannel(await openDispatcher(io), channel);
  if ("failure" in ready) return;
  const { link, advice } = subscribe(ready.settings as never);
  if (isLoopback(new URL(link))) return io.stdout(`${wrap(adviceForPhones(link, ownAddresses()), io.columns)}\n\n`);
  const { renderUnicodeCompact } = await import("uqr");
  // Dark on light, whatever the terminal's colours are.
  const code = renderUnicodeCompact(link, { border: 2, invert: true });
  io.stdout(`${wrap(advice, io.columns)}\n\n${code}\n\n${link}\n\n`);
}

/** The link leads to this machine only; `addresses` are those by which other machines may reach it. */
export function adviceForPhones(link: string, addresses: readonly string[]): string {
  const { hostname } = new URL(link);
  const others = addresses.map((address) => {
    const url = new URL(link);
    url.hostname = address.includes(":") ? `[${address}]` : address;
    return url.href;
  });
  const elsewhere =
    others.length === 0
      ? "This machine has no other address either."
      : `If the server also listens on the network, subscribe to ${others.join(" or ")}.`;
  return `A phone cannot reach ${hostname}: that address is this machine's own. ${elsewhere}`;
}
