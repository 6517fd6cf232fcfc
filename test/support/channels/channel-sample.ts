// What the contract tests have to know about a channel type; each type's own folder below test/channels says it in sample.ts.
import type { ChannelDefinition } from "../../../src/channels/channel-type.ts";
import type { Rate } from "../../../src/model/figures/token-bucket.ts";
import type { Message } from "../../../src/model/message.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { readPlain, type Seen } from "./read-markup.ts";
import { under, type Show } from "./shown.ts";

export type Body = Record<string, unknown>;

/** A part of a message whose text is made longer until it reaches a limit. */
export type Place = "title" | "body" | "value";

interface AnySample {
  /** Settings, as they stand in the rules file; over HTTP they send to this origin (`http://127.0.0.1:PORT`). */
  settings(origin: string): Record<string, unknown>;
  /** Which limit a text reaches when it grows at this place. */
  limits?: readonly (readonly [Place, limit: string])[];
  /** Limits of other things than a message's texts; the type's own tests have them. */
  otherLimits?: readonly string[];
  /** The signs that texts are made longer with, where not all that several vendors escape. */
  signs?: readonly string[];
  /** Whether it leaves out what only the eye makes sense of. */
  isRetold?: boolean;
  /** Whether a program reads the texts, which has to make them safe itself. */
  isPassedOn?: boolean;
  /** What the vendor takes in any stretch of so long, by its documentation or by experience. */
  rates?: readonly Rate[];
}

/** A way to send over HTTP. */
export interface HttpWay {
  settings(origin: string): Record<string, unknown>;
  /** Pieces of those settings that may appear nowhere. */
  secrets: readonly string[];
  /** A body with which the vendor says that all is well. */
  okBody: string;
  /** Whether a 200 without that body is a failure, because the vendor says so in the body. */
  isBodyDecisive: boolean;
  /** Whether at least a web page is known to be another server's. */
  isPageRefused?: boolean;
  /** How long the vendor wants to be left alone after a 5xx without Retry-After. */
  pauseAfterTroubleMs?: number;
}

export interface HttpSample extends AnySample, HttpWay {
  limits: NonNullable<AnySample["limits"]>;
  /** More ways, by name: another place, other secrets, other answers. */
  otherWays?: Readonly<Record<string, HttpWay>>;
  /** The texts of a request as a person sees them at the vendor. */
  forms(body: Body): Seen[];
  /** Pieces of a request by the limits that they have to keep to. */
  pieces(body: Body, sent: Sent): Piece[];
  /** Where the vendor finds its idempotency key; absent where it has none. */
  idempotencyKey?(request: HttpRequest): unknown;
  /** How loud the vendor makes a message, where it can be told. */
  loudness?(body: Body): number;
  /** What `doctor` asks of the vendor, and what the answers mean. */
  probes?: readonly ProbeCase[];
  /** For a vendor whose messages can be edited. */
  edit?: EditCase;
}

export interface OtherSample extends AnySample {
  /** How its messages are looked at; absent where it says nothing of a message. */
  show?(channel: ChannelDefinition): Show;
  /** What shows them is a script of `sh`. */
  isShownByShell?: true;
  /** Ends what was started to look at messages. */
  stopShowing?(): Promise<void>;
}

export type ChannelSample = HttpSample | OtherSample;

export type Piece = [limit: string, piece: string];

export interface Sent {
  whole: string;
  message: Message;
}

export interface ProbeCase {
  settings(origin: string): Record<string, unknown>;
  asks: { method: string; path: string; body?: string };
  answers: readonly (readonly [status: number, body: string, result: "ok" | "broken", detail: RegExp])[];
}

export interface EditCase {
  settings: Record<string, unknown>;
  remembered: Record<string, string>;
  /** Remembered in another place than that of the settings. */
  rememberedElsewhere: Record<string, string>;
  isEdit(request: HttpRequest): boolean;
}

/** A text of the message as one piece. */
export const pieceOf =
  (limit: string) =>
  (piece: string): Piece => [limit, piece];

/** A text within JSON. */
export const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The last lines, of which there is one for each field. */
export const fieldLines = (text: string, { fields }: Message, lineEnd = "\n"): string[] =>
  fields.length === 0 ? [] : text.split(lineEnd).slice(-fields.length);

/** What is above them. */
export const aboveFields = (text: string, fields: readonly string[], lineEnd = "\n"): string =>
  fields.length === 0 ? text : text.slice(0, Math.max(0, text.length - [...fields, ""].join(lineEnd).length));

/** The texts under these names, without any markup. */
export const plainForm =
  (...names: string[]) =>
  (body: Body): Seen[] => [readPlain(under(body, ...names).join("\n"))];

/** Title and body with their fields below, as push services show them. */
export function pushPieces(
  [title, body]: [title: string, body: string],
  { message }: Sent,
  encode: (text: string) => string = (text) => text,
  suffix = "",
): Piece[] {
  const fields = fieldLines(body, message).slice(-1).map(encode);
  return [
    [`title${suffix}`, encode(title)],
    [`body${suffix}`, encode(body)],
    ...fields.map(pieceOf(`fields${suffix}`)),
  ];
}

/** The limits that such texts reach. */
export const pushLimits = (suffix = ""): (readonly [Place, string])[] => [
  ["title", `title${suffix}`],
  ["body", `body${suffix}`],
  ["value", `fields${suffix}`],
];

/** Plain messages: title, body and fields with an empty line between them. */
export function plainPieces(whole: string, text: string, { message }: Sent, isJson = false): Piece[] {
  const encode = isJson ? json : (piece: string): string => piece;
  const suffix = isJson ? ", as JSON" : "";
  const parts = text.split("\n\n");
  const fields = message.fields.length === 0 ? [] : [parts.at(-1) ?? ""];
  return [
    [whole, encode(text)],
    // Behind the level's mark.
    [`title of a plain text${suffix}`, encode([...(parts[0] ?? "")].slice(2).join(""))],
    ...fields.map(encode).map(pieceOf(`one field of a plain text${suffix}`)),
  ];
}

/** A request's body by its content type: JSON, or a form. */
export function readBody({ body = "{}", headers }: HttpRequest): Body {
  const isForm = headers?.["content-type"] === "application/x-www-form-urlencoded";
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : (JSON.parse(body) as Body);
}
