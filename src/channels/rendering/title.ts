// The title of a message where there is little room: what happened always stays in it.
import { largest, type Measure, measures, printableLine, shortenMiddle } from "../../model/text.ts";
import type { RichMessage } from "../channel-type.ts";
import { columnsOf } from "./columns.ts";

/** The line is never empty, because most vendors refuse that. */
export function titleLine(message: Titled, eventName: string): string {
  return printableLine(message.title) || printableLine(eventName) || "hookbell";
}

type Titled = Pick<RichMessage, "title" | "place">;
type Fits = (text: string) => boolean;

/**
 * The title, escaped. What happened stays in it: without room for all of it, the place is shortened first, then the middle
 * of the words, and the place is left out last.
 */
export function fitTitle(
  message: Titled,
  eventName: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: (text: string) => string = (text) => text,
): string {
  return escape(shortenTitle(partsOf(message, eventName), (text) => measure(escape(text)) <= most));
}

/** A phone and a desktop show about so many columns of a title, on one line. */
export const titleColumns = 40;

/** The title of a question, for one line of a screen: the card below it tells the folder. */
export function fitQuestionTitle(message: Titled, eventName: string, fits: Fits): string {
  const parts = partsOf(message, eventName);
  return shortenTitle(parts, onOneLine(parts, fits));
}

/** The title for one line of a screen, and what it has no room for: a line above the body. */
export function splitTitle(message: RichMessage, eventName: string, fits: Fits): { title: string; above: string } {
  const parts = partsOf(message, eventName);
  const { title, place, says } = parts;
  const isShort = onOneLine(parts, fits);
  if (isShort(title)) return { title, above: "" };
  if (isShort(says)) return { title: withOrigin(parts, isShort), above: place };
  const [start = says] = says.split("…");
  const isInBody = printableLine(message.body.slice(0, says.length)).startsWith(start);
  return { title: fitWords(says, isShort), above: isInBody ? place : title };
}

/** UTF-16 units; less would say nothing. */
const leastOrigin = 5;

/**
 * The words, with as much of where they come from as fits in front: first the project is shortened, then it is left out,
 * because the session tells more. Without a session, the project does.
 */
function withOrigin({ place, says }: TitleParts, fits: Fits): string {
  const { project, session } = partsOfPlace(place);
  const written = (most: number): string => {
    const room = most - " ()".length - (session?.length ?? 0);
    if (session === undefined || room < leastOrigin) return shortenMiddle(session ?? project, most, 1 / 2);
    return `${shortenMiddle(project, room, 1 / 2)} (${session})`;
  };
  const titled = (most: number): string => `${written(most)}: ${says}`;
  return fits(titled(leastOrigin)) ? titled(largest(leastOrigin, place.length, (most) => fits(titled(most)))) : says;
}

function partsOfPlace(place: string): { project: string; session: string | undefined } {
  const [, project = place, session] = /^(.*?) \((.*)\)$/.exec(place) ?? [];
  return { project, session };
}

interface TitleParts {
  title: string;
  /** Empty if the title is a rule's own. */
  place: string;
  says: string;
}

/** A rule's own title is only as short as it must be. */
function onOneLine({ place }: TitleParts, fits: Fits): Fits {
  return (text) => fits(text) && (place === "" || columnsOf(text) <= titleColumns);
}

/** UTF-16 units; no vendor takes a longer title. */
const maxTitleRead = 10_000;
/** UTF-16 units. `shop-w… (feat…cart)` still tells sessions apart. */
const leastPlace = 20;
/** UTF-16 units. */
const leastWords = 40;

function partsOf(message: Titled, eventName: string): TitleParts {
  const title = shortenMiddle(titleLine(message, eventName), maxTitleRead);
  const { place = "" } = message;
  const isPlaced = place !== "" && title.startsWith(`${place}: `);
  return isPlaced ? { title, place, says: title.slice(place.length + 2) } : { title, place: "", says: title };
}

function shortenTitle(parts: TitleParts, fits: Fits): string {
  const { title, place, says } = parts;
  if (fits(title)) return title;
  if (place === "") return fitWords(says, fits);
  const placed = (most: number): string => `${shortenPlace(place, most)}: ${says}`;
  if (fits(placed(leastPlace))) return placed(largest(leastPlace, place.length, (most) => fits(placed(most))));
  if (fits(says)) return withOrigin(parts, fits);
  const both = (most: number): string => `${shortenPlace(place, leastPlace)}: ${shortenWords(says, most)}`;
  if (fits(both(leastWords))) return both(largest(leastWords, says.length, (most) => fits(both(most))));
  return fitWords(says, fits);
}

/** The project and the session in brackets each keep their head and their tail. */
function shortenPlace(place: string, most: number): string {
  const { project, session } = partsOfPlace(place);
  if (session === undefined) return shortenMiddle(project, most, 1 / 2);
  const room = most - " ()".length;
  const projectRoom = Math.max(Math.ceil(room / 2), room - session.length);
  const sessionRoom = room - Math.min(project.length, projectRoom);
  return `${shortenMiddle(project, projectRoom, 1 / 2)} (${shortenMiddle(session, sessionRoom, 1 / 2)})`;
}

/** `npm run build --w… is done after 59m 59s`: the verb is often at the end. */
function shortenWords(says: string, most: number): string {
  return shortenMiddle(says, most, 3 / 5);
}

function fitWords(says: string, fits: Fits): string {
  if (fits(says)) return says;
  const length = largest(0, says.length, (most) => fits(shortenWords(says, most)));
  return length === 0 ? "" : shortenWords(says, length);
}
