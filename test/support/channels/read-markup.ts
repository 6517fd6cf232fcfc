// Strict readers of markup that several channels share: what a person sees, and every mark that is not text.

/** What a person sees of a text, and what in it is more than text: a link, a mention, a format. */
export interface Seen {
  text: string;
  marks: string[];
}

export function readPlain(text: string): Seen {
  return { text, marks: [] };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

export function decodeEntities(text: string, marks: string[]): string {
  return text.replace(/&(?:(amp|lt|gt|quot|#39);)?/g, (whole, name: string | undefined) => {
    if (name === undefined) marks.push(whole);
    return entities[name ?? "amp"] ?? "";
  });
}

/** HTML with nothing in it but these tags, each written as it is here, and the entities that have to be there. */
export function readHtml(html: string, tags: readonly string[]): Seen {
  const marks: string[] = [];
  const text = html.replace(/<[^<>]*>|[<>]/g, (tag) => {
    if (tag === "<br>") return "\n";
    if (!tags.some((each) => tag === each || tag.startsWith(`${each} `))) marks.push(tag);
    return "";
  });
  return { text: decodeEntities(text, marks), marks };
}

/** Pango's markup, as notification daemons take it. */
export function readPango(markup: string): Seen {
  return readHtml(markup, []);
}
