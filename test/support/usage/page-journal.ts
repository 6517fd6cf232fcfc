// The journal as the page's server gives it, in parts.
import { get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { expect } from "vitest";
import type { JournalPart, JournalRow } from "../../../src/wings/page/contract.ts";
import { signatureFor } from "./page-browser.ts";
import type { PageServer, TestDevice } from "./page-server.ts";

/** A connection of its own for each: this process reads the journal, too, and an idle connection may end meanwhile. */
export async function partOf(
  server: PageServer,
  device: TestDevice,
  query: Record<string, string> = {},
): Promise<JournalPart> {
  const path = `/page/journal?${new URLSearchParams(query).toString()}`;
  const headers = signatureFor(device, path);
  const { port } = new URL(server.url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers, agent: false }, resolve).on("error", reject);
  });
  expect(response.statusCode).toBe(200);
  return (await json(response)) as JournalPart;
}

export async function allOf(
  server: PageServer,
  device: TestDevice,
  query: Record<string, string>,
): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  for (let before: string | undefined = ""; before !== undefined;) {
    const part: JournalPart = await partOf(server, device, { ...query, before });
    rows.push(...part.rows);
    before = part.next;
  }
  return rows;
}
