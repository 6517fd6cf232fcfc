// An answer that is put together from stored rows and sent piece by piece, so that a year is never in memory as a whole.
import { othersTurn } from "../system/clock.ts";

const minPieceBytes = 64 * 1024;

/** `before`, the rows with commas between them, `after`. */
export function streamJson(before: string, rows: Iterable<Uint8Array>, after: string): Response {
  return streamPieces(piecesOf(before, rows, after), { "content-type": "application/json" });
}

/** Each piece is made when the one before is on its way. Other requests have their turn between two pieces. */
export function streamPieces(pieces: Iterable<Uint8Array>, headers: Readonly<Record<string, string>>): Response {
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
      await othersTurn();
    },
  });
  return new Response(body, { headers });
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
