// Just enough MIME to read back what we sent: headers unfolded, encoded words and parts decoded.
export interface ReadMail {
  /** Values by lower-case name, in order of appearance. */
  headers: Map<string, string[]>;
  text: string;
  /** Empty unless `multipart/*`. */
  parts: ReadMail[];
}

export function readMail(source: string): ReadMail {
  const normal = source.replaceAll("\r\n", "\n");
  const end = normal.indexOf("\n\n");
  const headers = new Map<string, string[]>();
  for (const line of normal
    .slice(0, end)
    .replace(/\n[ \t]+/g, " ")
    .split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodeWords(line.slice(colon + 1).trim())]);
  }
  const content = normal.slice(end + 2);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type")?.[0] ?? "")?.[1];
  if (boundary === undefined) {
    return { headers, text: decodeContent(content, headers.get("content-transfer-encoding")?.[0]), parts: [] };
  }
  const pieces = content.split(`--${boundary}`).slice(1, -1);
  return { headers, text: "", parts: pieces.map((piece) => readMail(piece.slice(1))) };
}

/** Every part that has no parts itself. */
export function leaves(mail: ReadMail): ReadMail[] {
  return mail.parts.length === 0 ? [mail] : mail.parts.flatMap(leaves);
}

/** The header's only value; throws when there is none or more than one. */
export function onlyHeader(mail: ReadMail, name: string): string {
  const values = mail.headers.get(name.toLowerCase()) ?? [];
  if (values.length !== 1) throw new Error(`${values.length} headers named ${name}`);
  return values[0] ?? "";
}

function decodeContent(content: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(content, "base64").toString("utf8").replaceAll("\r\n", "\n");
  if (encoding === "quoted-printable") return decodeHex(content.replaceAll("=\n", ""));
  return content;
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === "b" ? Buffer.from(word, "base64").toString("utf8") : decodeHex(word.replaceAll("_", " ")),
    );
}

function decodeHex(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
