// What is seen of a message that a channel has sent, and what of it has to keep to which of the type's declared limits.
import type { ChannelDefinition, RichMessage } from "../../../src/channels/channel-type.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { Seen } from "./read-markup.ts";

/** What has left: the texts as a person sees them, and everything around them, which no text may change. */
export interface Shown {
  /** Each holds title, body and fields, as far as the channel shows them; several where there are several forms. */
  forms: Seen[];
  /** Where it goes, its headers' names, its structure: the same for whatever text. */
  around: unknown;
  sizes: Sized[];
}

/** A piece that has to keep to a limit, as it stands on the wire and in the limit's unit. */
export interface Sized {
  /** The limit's name in the channel type. */
  what: string;
  piece: string;
  size: number;
  most: number;
}

export interface Told {
  message: RichMessage;
  event?: Partial<AgentEvent>;
}

export type Show = (told: Told) => Promise<Shown>;

const units = {
  utf16: (text: string): number => text.length,
  codePoints: (text: string): number => [...text].length,
  bytes: (text: string): number => Buffer.byteLength(text),
};

/** Measures by what the type itself declares; a limit of that name has to be there. */
export function measureBy({ limits }: ChannelDefinition): (what: string, piece: string) => Sized {
  return (what, piece) => {
    const limit = limits.find((each) => each.what === what);
    if (limit === undefined || limit.unit === "items" || limit.unit === "milliseconds") {
      throw new Error(`the channel type declares no limit of a text that is called ${what}`);
    }
    return { what, piece, size: units[limit.unit](piece), most: limit.most };
  };
}

export const joined = (seen: Seen[]): Seen => ({
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
export function under(value: unknown, ...names: string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === "string" ? (names.includes(key) ? [each] : []) : under(each, ...names),
  );
}
