import { cut } from "../src/model/text.ts";
import type { JournalEntry } from "../src/outbox/journal.ts";
import type { Receivers } from "./receivers.ts";

/** So that a row stays a row. */
const maxDetail = 100;

interface Attempt {
  event: string;
  channel: string;
  outcome: string;
  reason?: string;
  detail?: string;
}

/** Event by event, where it arrived, in the words that the receiver saw. */
export function showArrivals(entries: readonly JournalEntry[], receivers: Receivers): string {
  const events = entries.flatMap(({ kind, event }) =>
    kind === "event" ? [event as { id: string; name: string }] : [],
  );
  const attempts = entries.filter(({ kind }) => kind === "attempt") as unknown as Attempt[];
  const lines = events.flatMap(({ id, name }) => {
    const own = attempts.filter(({ event }) => event === id);
    const rows = own.map(({ channel, outcome, reason, detail }) => {
      const how = outcome === "delivered" ? "arrived" : `${reason ?? "failed"}: ${cut(detail ?? "", maxDetail)}`;
      return `    ${channel.padEnd(8)} ${how}`;
    });
    return [`  ${name}`, ...rows];
  });
  const { slack, webhooks, mails } = receivers;
  const subject = mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]).join("; ");
  return [
    "what arrived where",
    ...lines,
    "",
    "what the receivers saw",
    ...slack.map((body) => `  Slack    ${String(body.text).replace(/\n/g, " / ")}`),
    ...webhooks.map(
      ({ headers, body }) =>
        `  webhook  ${String(body.type)}, id ${String(headers["webhook-id"])}, signature ${String(headers["webhook-signature"]).slice(0, 12)}…`,
    ),
    `  e-mail   ${mails.length} with the subject ${subject}`,
    "",
  ].join("\n");
}
