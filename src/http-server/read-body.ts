// Reads what a request carries: JSON in UTF-8, of bounded size and depth.
import { isTooDeep } from "../agents/read-payload.ts";
import { HttpProblem } from "./problems.ts";

/** Bytes of unfinished bodies that the server holds, over all connections and for one sender. */
export const bodyBytes = { ofAll: 32 * 1024 * 1024, ofSender: 4 * 1024 * 1024 };

/** Many connections with unfinished bodies would otherwise take all memory. A sender is a key's name or an address. */
export function createBodyReader(): (request: Request, sender: string, maxBytes: number) => Promise<string> {
  let held = 0;
  const heldOf = new Map<string, number>();
  const hold = (sender: string, bytes: number): void => {
    held += bytes;
    const ofSender = (heldOf.get(sender) ?? 0) + bytes;
    if (ofSender === 0) heldOf.delete(sender);
    else heldOf.set(sender, ofSender);
  };
  return async (request, sender, maxBytes) => {
    const tooLarge = new HttpProblem(413, `the body is larger than ${maxBytes} bytes`);
    if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request.body ?? []) {
        chunks.push(chunk);
        bytes += chunk.length;
        hold(sender, chunk.length);
        if (bytes > maxBytes) throw tooLarge;
        if (held > bodyBytes.ofAll || (heldOf.get(sender) ?? 0) > bodyBytes.ofSender) {
          throw new HttpProblem(503, "the server is receiving too many bodies at once", { "retry-after": "5" });
        }
      }
      return decode(chunks);
    } catch (error) {
      // Any other error is of the connection, which is no mistake of the server.
      throw error instanceof HttpProblem ? error : new HttpProblem(400, "the body ended early");
    } finally {
      hold(sender, -bytes);
    }
  };
}

function decode(chunks: readonly Uint8Array[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new HttpProblem(400, "the body is not UTF-8");
  }
}

export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new HttpProblem(400, "the body is nested too deep");
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, "the body is not JSON");
  }
}
