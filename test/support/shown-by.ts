// For every channel type: sends one message through it, and reads what has left by the vendor's own rules.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelType } from "../../src/channels/define-channel.ts";
import { writeBody, writeTitle } from "../../src/channels/desktop-text.ts";
import { findChannelType } from "../../src/channels/index.ts";
import { terminalStyles } from "../../src/channels/terminal-style.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import type { Message } from "../../src/model/message.ts";
import type { HttpRequest } from "../../src/system/http.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { httpSamples, otherSamples } from "../contract/channel-samples.ts";
import { localRequest, localTools } from "./channel-request.ts";
import { startMailSink } from "./mail-sink.ts";
import { readMail, type ReadMail } from "./read-mail.ts";
import {
  problemsOfCard,
  readDiscord,
  readHtml,
  readMattermost,
  readPango,
  readPlain,
  readSlack,
  readSlackText,
  readTelegram,
  readTerminal,
  type Seen,
  type SlackText,
} from "./read-markup.ts";

/** What has left: the texts as a person sees them, and everything around them, which no text may change. */
export interface Shown {
  /** Each holds title, body and fields, as far as the channel shows them; several where there are several forms. */
  forms: Seen[];
  /** Where it goes, its headers' names, its structure: the same for whatever text. */
  around: unknown;
  /** What has to keep to a limit, in the vendor's unit. */
  sizes: { what: string; size: number; most: number }[];
}

export interface Told {
  message: Message;
  event?: Partial<AgentEvent>;
}

type Show = (told: Told) => Promise<Shown>;

const units = {
  utf16: (text: string): number => text.length,
  codePoints: (text: string): number => [...text].length,
  bytes: (text: string): number => Buffer.byteLength(text),
};

const joined = (seen: Seen[]): Seen => ({
  text: seen.map(({ text }) => text).join("\n"),
  marks: seen.flatMap(({ marks }) => marks),
});

/** Member names and kinds of a JSON value; of an array each kind once, since a long text takes more sections. */
export function structureOf(value: unknown): unknown {
  if (typeof value === "string") return "text";
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(structureOf(each))))].toSorted();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, structureOf(each)]));
}

/** Every string under a member of this name, however deep. */
function under(value: unknown, ...names: string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === "string" ? (names.includes(key) ? [each] : []) : under(each, ...names),
  );
}

/** Every text object of Slack's blocks. */
function slackTexts(value: unknown): SlackText[] {
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && (value.type === "plain_text" || value.type === "mrkdwn")) return [value as SlackText];
  return Object.values(value).flatMap(slackTexts);
}

interface HttpReading {
  forms(body: Record<string, unknown>): Seen[];
  sizes?(body: Record<string, unknown>, request: HttpRequest): Shown["sizes"];
}

const plainForm =
  (...names: string[]) =>
  (body: unknown): Seen[] => [readPlain(under(body, ...names).join("\n"))];
const size = (what: string, text: string, most: number, unit: keyof typeof units) => ({
  what,
  most,
  size: units[unit](text),
});
const wholeBody =
  (most: number) =>
  (_: unknown, { body = "" }: HttpRequest) => [size("the request", body, most, "bytes")];

/** Limits are the vendors' documented ones (test/contract asks for the ones that each type declares as well). */
const readings: Record<string, HttpReading> = {
  slack: {
    forms: (body) => [
      joined([...slackTexts(body.blocks), ...slackTexts(body.attachments)].map(readSlackText)),
      joined([readSlack(String(body.text))]),
    ],
    sizes: (body) => [
      ...under(body.blocks, "text").map((text) => size("header", text, 150, "utf16")),
      ...under(body.attachments, "text").map((text) => size("section", text, 3000, "utf16")),
      size("all text", [String(body.text), ...under(body, "text", "fallback")].join(""), 13_000, "utf16"),
    ],
  },
  discord: {
    forms: (body) => [joined(under(body.embeds, "title", "description", "name", "value").map(readDiscord))],
    sizes: (body) => [
      ...under(body, "title").map((text) => size("title", text, 256, "utf16")),
      ...under(body, "description").map((text) => size("description", text, 4096, "utf16")),
      ...under(body, "name").map((text) => size("a field's name", text, 256, "utf16")),
      ...under(body, "value").map((text) => size("a field's value", text, 1024, "utf16")),
      size("all text", under(body, "title", "description", "name", "value").join(""), 6000, "utf16"),
    ],
  },
  telegram: {
    forms: (body) => [readTelegram(String(body.text))],
    sizes: (body) => [size("text, once parsed", readTelegram(String(body.text)).text, 4096, "utf16")],
  },
  teams: {
    forms(body) {
      const card = (body.attachments as { content: unknown }[])[0]?.content;
      const texts = under(card, "text");
      const dates = texts.flatMap((text) => text.match(/\{\{(?:DATE|TIME)\(/gi) ?? []);
      return [{ text: texts.join("\n"), marks: [...problemsOfCard(card), ...dates] }];
    },
    sizes: wholeBody(28_000),
  },
  "google-chat": {
    forms: (body) => [
      joined(under(body.cardsV2, "text").map((html) => readHtml(html, ["<b>", "</b>", "<font", "</font>"]))),
      { text: String(body.fallbackText), marks: String(body.fallbackText).match(/<(?!\u200B)/g) ?? [] },
    ],
    sizes: wholeBody(32_000),
  },
  mattermost: {
    forms(body) {
      const shown = [String(body.text), ...under(body.attachments, "text")].map(readMattermost);
      return [0, 1].map((which) => joined(shown.flatMap((seen) => seen[which] ?? [])));
    },
    sizes: (body) => [
      size("post", String(body.text), 16_383, "codePoints"),
      ...under(body.attachments, "text").map((text) => size("attachment", text, 16_383, "codePoints")),
    ],
  },
  matrix: {
    forms: (body) => [
      readHtml(String(body.formatted_body), ["<strong>", "</strong>", "<span", "</span>"]),
      { text: String(body.body), marks: String(body.body).match(/@(?!\u200B)/g) ?? [] },
    ],
    sizes: wholeBody(65_536 - 4000),
  },
  feishu: { forms: plainForm("content"), sizes: wholeBody(20_000) },
  dingtalk: { forms: plainForm("content"), sizes: wholeBody(20_000) },
  wecom: {
    forms: (body) => under(body, "content").map((text) => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] })),
    sizes: (body) => under(body, "content").map((text) => size("content", text, 2048, "bytes")),
  },
  ntfy: {
    forms: plainForm("title", "message"),
    sizes: (body, { body: sent = "" }) => [
      size("message", String(body.message), 4096, "bytes"),
      size("the request", sent, 8192, "bytes"),
    ],
  },
  pushover: {
    forms: plainForm("title", "message"),
    sizes: (body) => [
      size("title", String(body.title), 250, "codePoints"),
      size("message", String(body.message), 1024, "codePoints"),
    ],
  },
  gotify: { forms: plainForm("title", "message") },
  bark: { forms: plainForm("title", "body"), sizes: wholeBody(4096) },
  pagerduty: {
    forms: (body) => [
      readPlain(
        [...under(body, "summary"), ...Object.values((body.payload as { custom_details: object }).custom_details)].join(
          "\n",
        ),
      ),
    ],
    sizes: (body, { body: sent = "" }) => [
      size("summary", under(body, "summary").join(""), 1024, "codePoints"),
      size("the request", sent, 512_000, "bytes"),
      size("dedup_key", String(body.dedup_key), 255, "codePoints"),
    ],
  },
  "home-assistant": { forms: plainForm("title", "message") },
  webhook: {
    forms: (body) => [
      readPlain(under((body.data as { message: unknown }).message, "title", "body", "value").join("\n")),
    ],
    sizes: () => [],
  },
};

function showOverHttp(channel: ChannelType, { forms, sizes }: HttpReading): Show {
  const sample = httpSamples[channel.type];
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
    const body = JSON.parse(request.body ?? "") as Record<string, unknown>;
    const { data, thread, payload, ...rest } = body;
    return {
      forms: forms(body),
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
      sizes: sizes?.(body, request) ?? [],
    };
  };
}

const servers = [
  { name: "GNOME", capabilities: ["body", "body-markup"], read: readPango },
  { name: "dunst", capabilities: ["body"], read: readPango },
  {
    name: "plain",
    capabilities: ["body"],
    read: (text: string): Seen => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] }),
  },
];

const showOnDesktop: Show = ({ message }) => {
  const title = writeTitle(message.title);
  const bodies = servers.map((server) => ({ ...server, body: writeBody(message.body, server) }));
  return Promise.resolve({
    forms: bodies.map(({ body, read }) => joined([readPlain(title), read(body)])),
    around: {},
    sizes: [
      size("title", title, 100, "codePoints"),
      ...bodies.map(({ name, body }) => size(`body for ${name}`, body, 1000, "codePoints")),
    ],
  });
};

const showInTerminal: Show = async ({ message }) => {
  const channel = findChannelType("terminal");
  const styles = terminalStyles.filter((style) => style !== "bel");
  const forms: Seen[] = [];
  for (const style of styles) {
    const said: string[] = [];
    const settings = channel?.settings.parse({ style });
    await channel?.send(
      localRequest(message, settings),
      localTools({}, "/nowhere", { replyTerminal: (text) => said.push(text) }),
    );
    forms.push(readTerminal(said.join("")));
  }
  return {
    forms,
    around: forms.length,
    sizes: forms.map(({ text }) => size("what is shown", text, 300, "codePoints")),
  };
};

/** Runs the channel with a program of ours in a folder of its own, and returns what that has written there. */
async function withProgram(
  type: string,
  settings: (folder: string) => Record<string, unknown>,
  { message, event }: Told,
  prepare: (folder: string) => void = () => {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-shown-"));
  try {
    prepare(folder);
    const channel = findChannelType(type);
    const sent = localRequest(message, await resolveSecrets(channel?.settings.parse(settings(folder)), {}, "/"));
    const env = { PATH: `${folder}:${process.env.PATH ?? ""}`, HOME: folder };
    const outcome = await channel?.send({ ...sent, event: { ...sent.event, ...event } }, localTools(env, folder));
    if (outcome?.status !== "delivered") throw new Error(JSON.stringify(outcome));
    return readFileSync(join(folder, "written"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tellAll = `
const input = require("node:fs").readFileSync(0, "utf8");
const own = Object.entries(process.env).filter(([name]) => name.startsWith("HOOKBELL_"));
require("node:fs").writeFileSync(process.argv[1], JSON.stringify({ argv: process.argv.slice(2), env: Object.fromEntries(own), input: JSON.parse(input) }));
`;

const showToCommand: Show = async (told) => {
  const argv = (folder: string): string[] => [process.execPath, "-e", tellAll, join(folder, "written"), "$(id)", "--x"];
  const written = JSON.parse(await withProgram("command", (folder) => ({ argv: argv(folder) }), told)) as {
    argv: string[];
    env: Record<string, string>;
    input: { message: Message };
  };
  const { title, body, fields } = written.input.message;
  const variables = Object.values(written.env);
  const controls = variables.flatMap((text) => text.match(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g) ?? []);
  return {
    forms: [
      readPlain([title, body, ...fields.map(({ value }) => value)].join("\n")),
      { text: `${written.env.HOOKBELL_TITLE}\n${written.env.HOOKBELL_BODY}`, marks: controls },
    ],
    around: [written.argv, Object.keys(written.env).toSorted(), structureOf(written.input.message)],
    sizes: [
      ...variables.map((text) => size("a variable", text, 2048, "bytes")),
      ...[title, body].map((text) => size("a text", text, 20_000, "codePoints")),
    ],
  };
};

const showBySpeech: Show = async (told) => {
  const script =
    '#!/bin/sh\\nd=${0%/*}\\ncat >"$d/written"\\nfor a do printf "%s\\\\036" "$a" >>"$d/arguments"; done\\n';
  const said = await withProgram(
    "speech",
    () => ({ programs: ["espeak-ng"] }),
    told,
    (folder) =>
      writeFileSync(join(folder, "espeak-ng"), script.replaceAll("\\n", "\n").replaceAll("\\\\", "\\"), {
        mode: 0o755,
      }),
  );
  // Two brackets enclose phonemes and commands for a reader, three signs begin a command, and angle brackets are SSML.
  return {
    forms: [{ text: said, marks: said.match(/\[\[|\]\]|!-!|[<>\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g) ?? [] }],
    around: {},
    sizes: [size("what is said", said.trimEnd(), 220, "codePoints")],
  };
};

const showByMail: Show = async ({ message, event }) => {
  const sink = await startMailSink();
  try {
    const channel = findChannelType("email");
    const settings = { ...otherSamples.email?.settings, smtp: `smtp://127.0.0.1:${sink.port}`, withoutTls: "loopback" };
    const sent = localRequest(message, await resolveSecrets(channel?.settings.parse(settings), {}, "/"));
    const outcome = await channel?.send({ ...sent, event: { ...sent.event, ...event } }, localTools({}, "/nowhere"));
    if (outcome?.status !== "delivered") throw new Error(JSON.stringify(outcome));
    const { source, envelope } = sink.mails[0] ?? { source: "", envelope: undefined };
    const mail = readMail(source);
    const part = (type: string): string =>
      mail.parts.find(({ headers }: ReadMail) => headers.get("content-type")?.[0]?.startsWith(type))?.text ?? "";
    const subject = mail.headers.get("subject")?.join("|") ?? "";
    const html = part("text/html").replace(/^[^]*?<body[^>]*>/, "");
    const tags = [
      "</body>",
      "</html>",
      "<div",
      "</div>",
      "<p",
      "</p>",
      "<h1",
      "</h1>",
      "<table",
      "</table>",
      "<tr>",
      "</tr>",
      "<td",
      "</td>",
    ];
    const seen = readHtml(html, tags);
    return {
      forms: [
        { text: `${subject}\n${part("text/plain")}`, marks: [] },
        { text: `${subject}\n${seen.text}`, marks: seen.marks },
      ],
      around: {
        envelope,
        headers: [...mail.headers.keys()],
        parts: mail.parts.map(({ headers }) => [...headers.keys()]),
      },
      sizes: [
        size("subject", subject, 150, "codePoints"),
        ...[...new Set(source.split("\r\n").map((line) => Buffer.byteLength(line)))].map((length) => ({
          what: "a line",
          size: length,
          most: 998,
        })),
      ],
    };
  } finally {
    await sink.stop();
  }
};

/** `undefined` for those that say nothing of the message. */
export const showBy: Readonly<Record<string, Show | undefined>> = {
  ...Object.fromEntries(
    Object.entries(readings).map(([type, reading]) => [
      type,
      showOverHttp(findChannelType(type) as ChannelType, reading),
    ]),
  ),
  desktop: showOnDesktop,
  sound: undefined,
  speech: showBySpeech,
  terminal: showInTerminal,
  email: showByMail,
  command: showToCommand,
};
