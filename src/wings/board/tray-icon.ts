// Draws the tray's icon: how many sessions need the person, on a disc.

/** Rows of three dots: https://en.wikipedia.org/wiki/Seven-segment_display has the same shapes. */
const digits = [
  [7, 5, 5, 5, 7],
  [2, 2, 2, 2, 2],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 1, 1],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
] as const;
const digitWidth = 3;
const digitHeight = 5;

const size = 32;
const attention = [0xb8, 0x6e, 0x00];
const quiet = [0x6b, 0x72, 0x80];
const ink = [0xff, 0xff, 0xff];

/** ARGB. Without any, the disc is empty; more than 99 are 99. */
export function drawCount(count: number): { width: number; height: number; bytes: Uint8Array } {
  const text = count === 0 ? "" : String(Math.min(count, 99));
  const scale = text.length > 1 ? 3 : 4;
  const columns = text.length * (digitWidth + 1) - 1;
  const left = Math.round((size - columns * scale) / 2);
  const top = Math.round((size - digitHeight * scale) / 2);
  const isInk = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)];
    const rows = digits[Number(text[Math.floor(column / (digitWidth + 1))] ?? Number.NaN)];
    const place = column % (digitWidth + 1);
    return column >= 0 && place < digitWidth && (((rows?.[row] ?? 0) >> (digitWidth - 1 - place)) & 1) === 1;
  };
  const bytes = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) > size / 2) continue;
      const colour = isInk(x, y) ? ink : count === 0 ? quiet : attention;
      bytes.set([0xff, ...colour], (y * size + x) * 4);
    }
  }
  return { width: size, height: size, bytes };
}
