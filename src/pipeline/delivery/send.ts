// Makes the attempt: hands the rendered message to the channel, or takes back what the session has shown.
import { attempt as attemptToSend } from "../channel/call-channel.ts";
import { retractShown } from "./retract.ts";
import { delivered, type Outcome } from "../../model/outcome.ts";
import type { DeliveryTools, Rendered, Sent, Shown } from "./context.ts";

export async function send(rendered: Rendered, { dispatcher }: Pick<DeliveryTools, "dispatcher">): Promise<Sent> {
  const { queue, waiting, delivery, state, startedAt, attempt, trace } = rendered;
  const base = { file: waiting.file, delivery, trace };
  switch (attempt.how) {
    case "known":
      return { queue, result: { ...base, attempt: { state, startedAt, outcome: attempt.outcome } } };
    case "retract": {
      const { event, channel, why } = attempt.delivery;
      const isMeant = (name: string): boolean => name === channel;
      await retractShown(dispatcher, { event, retraction: { why, isAnswer: false }, isMeant });
      const outcome = delivered({ detail: `taken back: ${why}` });
      return { queue, result: { ...base, attempt: { state, startedAt, outcome } } };
    }
    case "call": {
      const { channel, form, ready } = attempt;
      const show = ({ shown, request }: Shown): Promise<Outcome> => attemptToSend(shown, channel, ready, request);
      // Whether the older list can say that it is outdated is of no weight.
      if (form.kind === "list" && form.outdated !== undefined) await show(form.outdated);
      const outcome = await show(form);
      const list = form.kind === "list" ? form.list : undefined;
      const { secretsDigest } = ready;
      return { queue, result: { ...base, list, attempt: { state, startedAt, outcome, secretsDigest } } };
    }
  }
}
