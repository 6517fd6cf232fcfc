// An answer that is put together from stored JSON and sent piece by piece, so that a year is never in memory as a whole.
import { othersTurn } from "../system/clock.ts";

const minPieceBytes = 64 * 1024;

/** `before`, the rows with commas between them, `after`. Other requests have their turn between two pieces. */
export function streamJson(before: string, rows: Iterable<Uint8Array>, after: string): Response {
  const pieces = piecesOf(before, rows, after);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
      await othersTurn();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function* piecesOf(before: string, rows: Iterable<Uint8Array>, after: string): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [Buffer.from(before)];
  let bytes = 0;
  let isFirst = true;
  for (const row of rows) {
    if (!isFirst) waiting.push(comma);
    isFirst = false;
    waiting.push(row);
    bytes += row.length;
    if (bytes < minPieceBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  yield Buffer.concat([...waiting, Buffer.from(after)]);
}

const comma = Buffer.from(",");
