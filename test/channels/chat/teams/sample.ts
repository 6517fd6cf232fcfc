// What the contract tests need to know about Microsoft Teams.
import { createRequire } from "node:module";
import type * as adaptiveCardsModule from "adaptivecards";
import { type HttpSample, json, pieceOf } from "../../../support/channels/channel-sample.ts";
import { under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({
    url: `${origin}/workflows/s3cretWorkflow01/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=s3cretSig_-01`,
  }),
  secrets: ["s3cretWorkflow01", "s3cretSig_-01"],
  okBody: "",
  isBodyDecisive: false,
  isPageRefused: true,
  rates: [{ messages: 4, perMs: 1000 }],
  limits: [
    ["title", "title"],
    ["body", "body"],
    ["value", "one field"],
  ],
  forms(body) {
    const card = (body.attachments as { content: unknown }[])[0]?.content;
    const texts = under(card, "text");
    const dates = texts.flatMap((text) => text.match(/\{\{(?:DATE|TIME)\(/gi) ?? []);
    return [{ text: texts.join("\n"), marks: [...problemsOfCard(card), ...dates] }];
  },
  pieces(body, { whole, message }) {
    const [title = "", ...rest] = under(body, "text");
    const fields = message.fields.length === 0 ? undefined : rest.pop();
    return [
      ["the request", whole],
      ["title", json(title)],
      ...rest.map(json).map(pieceOf("body")),
      ...(fields?.split("\n") ?? []).map(json).map(pieceOf("one field")),
    ];
  },
};

// The package's own entry cannot be imported by Node; its bundle can be required.
const adaptiveCards = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.js",
) as typeof adaptiveCardsModule;

/** What Adaptive Cards' own parser and validator have against a card. */
export function problemsOfCard(card: unknown): string[] {
  const context = new adaptiveCards.SerializationContext(adaptiveCards.Versions.v1_4);
  const parsed = new adaptiveCards.AdaptiveCard();
  parsed.parse(card, context);
  const found = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  return [...found, ...parsed.validateProperties().validationEvents.map(({ message: said }) => said)];
}
