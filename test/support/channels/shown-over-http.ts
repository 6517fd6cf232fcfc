// What each vendor is sent over HTTP, read by its own rules.
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import type { Message } from "../../../src/model/message.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { httpSamples } from "../../contract/channel-samples.ts";
import { localRequest, localTools } from "./channel-request.ts";
import {
  problemsOfCard,
  readDiscord,
  readHtml,
  readMattermost,
  readPlain,
  readSlack,
  readSlackText,
  readTelegram,
  type Seen,
  type SlackText,
} from "./read-markup.ts";
import { joined, measureBy, structureOf, under, type Show, type Sized } from "./shown.ts";

type Body = Record<string, unknown>;

interface HttpReading {
  forms(body: Body): Seen[];
  /** Pieces by the names of the limits that they have to keep to, which the type declares. */
  pieces(body: Body, sent: { whole: string; message: Message }): [what: string, piece: string][];
}

const all =
  (what: string) =>
  (piece: string): [string, string] => [what, piece];

/** As it stands within JSON. */
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
/** As Go writes it there. */
const goJson = (text: string): string =>
  json(text).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
/** The last lines, of which there is one for each field. */
const fieldLines = (text: string, { fields }: Message, lineEnd = "\n"): string[] =>
  fields.length === 0 ? [] : text.split(lineEnd).slice(-fields.length);

/** What stands above them. */
const aboveFields = (text: string, fields: readonly string[], lineEnd = "\n"): string =>
  fields.length === 0 ? text : text.slice(0, Math.max(0, text.length - [...fields, ""].join(lineEnd).length));

const plainForm =
  (...names: string[]) =>
  (body: unknown): Seen[] => [readPlain(under(body, ...names).join("\n"))];

/** Every text object of Slack's blocks. */
function slackTexts(value: unknown): SlackText[] {
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && (value.type === "plain_text" || value.type === "mrkdwn")) return [value as SlackText];
  return Object.values(value).flatMap(slackTexts);
}

/** Title and body with their fields below, as push services show them. */
function pushPieces(names: [title: string, body: string], encode = (text: string): string => text) {
  const suffix = encode === goJson ? ", as JSON" : "";
  return (body: Body, { message }: { message: Message }): [string, string][] => [
    [`title${suffix}`, encode(String(body[names[0]]))],
    [`body${suffix}`, encode(String(body[names[1]]))],
    ...fieldLines(String(body[names[1]]), message)
      .slice(-1)
      .map((line) => encode(line))
      .map(all(`fields${suffix}`)),
  ];
}

/** For plain messages of title, body and fields with an empty line between them. */
function plainPieces(
  whole: string,
  text: string,
  { fields }: Message,
  encode = (piece: string): string => piece,
): [string, string][] {
  const parts = text.split("\n\n");
  const suffix = encode === json ? ", as JSON" : "";
  return [
    [whole, encode(text)],
    // Behind the level's mark.
    [`title of a plain text${suffix}`, encode([...(parts[0] ?? "")].slice(2).join(""))],
    ...(fields.length === 0 ? [] : [parts.at(-1) ?? ""]).map(encode).map(all(`one field of a plain text${suffix}`)),
  ];
}

const readings: Record<string, HttpReading> = {
  slack: {
    forms: (body) => [
      joined([...slackTexts(body.blocks), ...slackTexts(body.attachments)].map(readSlackText)),
      joined([readSlack(String(body.text))]),
    ],
    pieces(body) {
      const blocks = (body.attachments as { blocks: { type: string }[] }[]).flatMap((each) => each.blocks);
      const textsOf = (type: string): string[] =>
        blocks.filter((block) => block.type === type).flatMap((block) => under(block, "text"));
      return [
        ...under(body.blocks, "text").map(all("title")),
        ...textsOf("section").map(all("one section of the body")),
        ["body", textsOf("section").join("")],
        ...textsOf("context").map(all("one field")),
        ["text of a phone's notification", String(body.text)],
        ["all text", [String(body.text), ...under({ ...body, text: [] }, "text", "fallback")].join("")],
      ];
    },
  },
  discord: {
    forms: (body) => [joined(under(body.embeds, "title", "description", "name", "value").map(readDiscord))],
    pieces: (body) => [
      ...under(body, "title").map(all("title")),
      ...under(body, "description").map(all("body")),
      ...under(body, "name").flatMap((text) => [all("a field's name")(text), all("a shown field's name")(text)]),
      ...under(body, "value").flatMap((text) => [all("a field's value")(text), all("a shown field's value")(text)]),
      ["all text", under(body, "title", "description", "name", "value").join("")],
    ],
  },
  telegram: {
    forms: (body) => [readTelegram(String(body.text))],
    // Counted once it is parsed.
    pieces(body, { message }) {
      const { text } = readTelegram(String(body.text));
      const title = /<b>([^]*?)<\/b>/.exec(String(body.text))?.[1] ?? "";
      return [
        ["all text", text],
        ["title", readTelegram(title).text],
        ...fieldLines(text, message).map(all("one field")),
      ];
    },
  },
  teams: {
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
        ...rest.map(json).map(all("body")),
        ...(fields?.split("\n") ?? []).map(json).map(all("one field")),
      ];
    },
  },
  "google-chat": {
    forms: (body) => [
      joined(under(body.cardsV2, "text").map((html) => readHtml(html, ["<b>", "</b>", "<font", "</font>"]))),
      { text: String(body.fallbackText), marks: String(body.fallbackText).match(/<(?!\u200B)/g) ?? [] },
    ],
    pieces(body, { whole, message }) {
      const [title = "", ...rest] = under(body.cardsV2, "text");
      const fields = message.fields.length === 0 ? undefined : rest.pop();
      return [
        ["the request", whole],
        ["title", json(title.replace(/<\/?(?:b|font)\b[^>]*>/g, ""))],
        ...rest.map(json).map(all("body")),
        ...(fields?.split("<br>") ?? []).map(json).map(all("one field")),
        ["text of a phone's notification", json(String(body.fallbackText))],
        ...under(body.thread, "threadKey").map(all("a thread's key")),
      ];
    },
  },
  mattermost: {
    forms(body) {
      const shown = [String(body.text), ...under(body.attachments, "text")].map(readMattermost);
      return [0, 1].map((which) => joined(shown.flatMap((seen) => seen[which] ?? [])));
    },
    pieces(body, { message }) {
      const [text = ""] = under(body.attachments, "text");
      const fields = fieldLines(text, message);
      return [
        ["one post", String(body.text)],
        ["one post", text],
        ["title", String(body.text).slice(2, -2)],
        ["body", aboveFields(text, fields)],
        ...fields.map(all("one field")),
        ...under(body.attachments, "fallback").map(all("text of a phone's notification")),
      ];
    },
  },
  matrix: {
    forms: (body) => [
      readHtml(String(body.formatted_body), ["<strong>", "</strong>", "<span", "</span>"]),
      { text: String(body.body), marks: String(body.body).match(/@(?!\u200B)/g) ?? [] },
    ],
    pieces(body, { whole, message }) {
      const [, title = "", rest = ""] =
        /<strong>([^]*?)<\/strong>(?:<br>)?([^]*)/.exec(String(body.formatted_body)) ?? [];
      const fields = fieldLines(rest, message, "<br>");
      return [
        ["the event", whole],
        ...plainPieces("the plain form, as JSON", String(body.body), message, json),
        ["the title in HTML, as JSON", json(title)],
        ["the body in HTML, as JSON", json(aboveFields(rest, fields, "<br>"))],
        ...fields.map(json).map(all("one field in HTML, as JSON")),
      ];
    },
  },
  feishu: {
    forms: plainForm("content"),
    pieces(body, { whole }) {
      const { header, elements } = body.card as { header: unknown; elements: { text?: unknown; fields?: unknown }[] };
      return [
        ["the request's body", whole],
        ...under(header, "content").map(json).map(all("title, as JSON")),
        ...elements
          .flatMap(({ text }) => under(text, "content"))
          .map(json)
          .map(all("body, as JSON")),
        ...elements
          .flatMap(({ fields }) => under(fields, "content"))
          .map(json)
          .map(all("one field, as JSON")),
      ];
    },
  },
  dingtalk: {
    forms: plainForm("content"),
    pieces: (body, { message }) =>
      under(body, "content").flatMap((text) => plainPieces("text, as JSON", text, message, json)),
  },
  wecom: {
    forms: (body) => under(body, "content").map((text) => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] })),
    pieces: (body, { message }) => under(body, "content").flatMap((text) => plainPieces("text", text, message)),
  },
  ntfy: { forms: plainForm("title", "message"), pieces: pushPieces(["title", "message"]) },
  pushover: { forms: plainForm("title", "message"), pieces: pushPieces(["title", "message"]) },
  gotify: { forms: plainForm("title", "message"), pieces: pushPieces(["title", "message"]) },
  bark: {
    forms: plainForm("title", "body"),
    pieces: (body, sent) => [
      ...pushPieces(["title", "body"], goJson)(body, sent),
      ...under(body, "group").map(goJson).map(all("group, as JSON")),
    ],
  },
  pagerduty: {
    forms: (body) => [readPlain([...under(body, "summary"), ...Object.values(detailsOf(body))].join("\n"))],
    pieces(body) {
      const { message = "", ...facts } = detailsOf(body);
      return [
        ...under(body, "summary").map(all("summary")),
        ["message among the details", message],
        ...[...Object.keys(facts), ...Object.values(facts)].map(all("every other text")),
        ...under(body, "source", "component", "group", "class", "dedup_key").map(all("every other text")),
      ];
    },
  },
  "home-assistant": {
    forms: plainForm("title", "message"),
    pieces({ message, ...others }) {
      return [["message", String(message)], ...Object.values(others).map(String).map(all("every other text"))];
    },
  },
  webhook: {
    forms: (body) => [
      readPlain(under((body.data as { message: unknown }).message, "title", "body", "value").join("\n")),
    ],
    pieces(body) {
      const { message, event } = body.data as { message: object; event: object };
      const texts = [...under(message, "title", "body", "label", "value"), ...Object.values(event).map(String)];
      return texts.map(all("title, body and every other text"));
    },
  },
};

function detailsOf(body: Body): Record<string, string> {
  return (body.payload as { custom_details: Record<string, string> }).custom_details;
}

/** For every HTTP channel type: what one message looks like at its vendor. */
export const shownOverHttp = (channel: ChannelType): Show => {
  const reading = readings[channel.type];
  const sample = httpSamples[channel.type];
  if (reading === undefined) throw new Error(`nobody can read ${channel.type}`);
  const measure = measureBy(channel);
  return async ({ message, event }) => {
    const settings = await resolveSecrets(channel.settings.parse(sample?.settings("https://vendor.example")), {}, "/");
    const made: HttpRequest[] = [];
    const http = (request: HttpRequest) => {
      made.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: sample?.okBody ?? "" });
    };
    const sent = localRequest(message, settings);
    const outcome = await channel.send(
      { ...sent, event: { ...sent.event, ...event }, payload: { hook_event_name: "Stop" } },
      localTools({}, "/nowhere", { http }),
    );
    // Matrix is asked first whether the room is encrypted.
    const request = made.at(-1);
    if (outcome.status === "failed" || request === undefined) throw new Error(JSON.stringify(outcome));
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (!/^[\u0020-\u007E]*$/.test(value)) throw new Error(`a header ${name} that HTTP does not take`);
    }
    const { body: whole = "" } = request;
    const body = JSON.parse(whole) as Body;
    const { data, thread, payload, ...rest } = body;
    return {
      forms: reading.forms(body),
      around: {
        method: request.method,
        // A signature of what is sent, and of the time.
        url: request.url.replace(/(timestamp|sign)=[^&]*/g, "$1"),
        headers: Object.keys(request.headers ?? {}),
        body: structureOf({
          ...rest,
          data: structureOf(data),
          thread: structureOf(thread),
          payload: structureOf(payload),
        }),
      },
      sizes: reading.pieces(body, { whole, message }).map(([what, piece]): Sized => measure(what, piece)),
    };
  };
};
