// How a person answers a question on the page: by a button, whose nonce is bound to the device, the question and the choice.
import type { Device } from "../../answers/browsers/devices.ts";
import { visible } from "../../answers/card/card.ts";
import { give, hasOptionButtons, offersOf, type Given, type Offer } from "../../answers/give-answer.ts";
import { pageName } from "../../answers/browsers/open-page.ts";
import { openQuestions, type Question } from "../../answers/questions.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, printable } from "../../model/text.ts";
import type { Layout } from "../../outbox/layout.ts";
import { hmacSha256, isSameDigest } from "../../system/crypto.ts";
import type { GivenAnswer, PageButton } from "./contract.ts";

/** A question can have as many options as any channel has buttons. */
const maxButtons = 25;
const maxWords = 4000;

export interface Answering {
  buttonsFor(device: Device, question: Question): PageButton[];
  take(device: Device, given: GivenAnswer, nowMs: number): Given;
}

/** `secret`: random bytes of this server process, so that buttons of an earlier one do nothing. */
export function createAnswering(layout: Layout, secret: Uint8Array): Answering {
  const nonceOf = (device: Device, { id, seal }: Question, { choice, message }: Offer): string =>
    hmacSha256(secret, JSON.stringify([device.id, id, seal, choice, message ?? null]));
  return {
    buttonsFor(device, question) {
      if (!device.rights.includes("answer")) return [];
      return offersOnPage(question).map((offer) => ({
        choice: offer.choice,
        ...wordsOf(question, offer),
        nonce: nonceOf(device, question, offer),
        takes: takenBy(question, offer),
      }));
    },
    take(device, { question: id, nonce, words = "" }, nowMs) {
      const question = openQuestions(layout, nowMs).find((each) => each.id === id);
      if (question === undefined) return { what: "refused", text: "Too late: this question is over." };
      const offer = offersOnPage(question).find((each) => isSameDigest(nonceOf(device, question, each), nonce));
      if (offer === undefined)
        return { what: "refused", text: "Not accepted: the button is not valid any more; reload the page." };
      const said = takenBy(question, offer) === undefined ? "" : cut(printable(words).trim(), maxWords);
      const message = offer.message ?? (said === "" ? undefined : said);
      return give(layout, question, { choice: offer.choice, message, by: device.name, channel: pageName, at: nowMs });
    },
  };
}

/** What a channel takes as a reply, the page takes by a button beside a field. */
function offersOnPage(question: Question): Offer[] {
  const offers = offersOf(question, maxButtons);
  const takesWords = question.kind === "prompt" || question.fields.length > 0;
  return question.kind !== "permission" && takesWords ? [...offers, { choice: "reply", label: "Reply" }] : offers;
}

/** Whether the options of the question are buttons here. */
export function hasOptionsOnPage(question: Question): boolean {
  return hasOptionButtons(question, maxButtons);
}

/** There is room for all that the agent says of an option. */
function wordsOf({ fields }: Question, { label, message }: Offer): Pick<PageButton, "label" | "description"> {
  if (message === undefined) return { label };
  const option = fields.flatMap(({ options }) => options).find((each) => each.label === message);
  const shown = (text: string): string => visible(scrub(text).text);
  return { label: shown(message), description: option?.description && shown(option.description) };
}

function takenBy({ kind }: Question, { choice, message }: Offer): PageButton["takes"] {
  if (choice === "reply" && message === undefined) return "words";
  return choice === "deny" && kind === "permission" ? "reason" : undefined;
}
