// Saves an answer of the server as a file.
import { request } from "../connection.ts";

/** The browser reads the file from memory for a moment after the click. */
const keptMs = 60_000;

/** A link alone cannot send this browser's key. Throws an error in the server's words. */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const disposition = response.headers.get("content-disposition") ?? "";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "hookbell.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
}
