// Makes icons/*.png, one for each level and one for the installed page: `node scripts/make/icons.mjs [FOLDER]`. Icon themes differ in what they have.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

const size = 96;
/** What an installed page wants: https://developer.mozilla.org/en-US/docs/Web/Progressive_web_apps/How_to/Define_app_icons */
const appSize = 512;
/** Samples in each direction of a pixel, for smooth edges. */
const samples = 4;

const white = [255, 255, 255];
const icons = {
  info: { colour: [0x43, 0x9f, 0xe0], isInk: (x, y) => isDot(x, y, 0, -0.42) || isBar(x, y, 0, -0.14, 0, 0.46) },
  success: {
    colour: [0x2e, 0xb6, 0x7d],
    isInk: (x, y) => isBar(x, y, -0.42, 0.04, -0.12, 0.34) || isBar(x, y, -0.12, 0.34, 0.44, -0.3),
  },
  attention: { colour: [0xe8, 0xa3, 0x17], isInk: (x, y) => isHook(x, y) || isDot(x, y, 0, 0.46) },
  error: { colour: [0xd6, 0x45, 0x45], isInk: (x, y) => isBar(x, y, 0, -0.48, 0, 0.14) || isDot(x, y, 0, 0.46) },
};

const thickness = 0.1;

function isDot(x, y, centreX, centreY) {
  return Math.hypot(x - centreX, y - centreY) < thickness * 1.15;
}

/** A line with round ends. */
function isBar(x, y, fromX, fromY, toX, toY) {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const along = Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - fromX - along * dx, y - fromY - along * dy) < thickness;
}

/** The upper part of a question mark. */
function isHook(x, y) {
  const radius = 0.25;
  const centreY = -0.24;
  const isArc = Math.abs(Math.hypot(x, y - centreY) - radius) < thickness && !(x < 0 && y > centreY);
  return isArc || isBar(x, y, 0, centreY + radius, 0, 0.2) || Math.hypot(x + radius, y - centreY) < thickness;
}

/** A system cuts the edges of an app's icon by itself, so that icon is a full square. */
function pixels({ colour, isInk, isSquare = false }, size) {
  const bytes = Buffer.alloc(size * (1 + size * 4));
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      let [ink, disc] = [0, 0];
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const x = ((column + ((sample % samples) + 0.5) / samples) / size) * 2 - 1;
        const y = ((row + (Math.floor(sample / samples) + 0.5) / samples) / size) * 2 - 1;
        if (!isSquare && Math.hypot(x, y) > 0.96) continue;
        disc += 1;
        if (isInk(x, y)) ink += 1;
      }
      const share = disc === 0 ? 0 : ink / disc;
      const mixed = colour.map((part, index) => Math.round(part + (white[index] - part) * share));
      bytes.set([...mixed, Math.round((disc / samples ** 2) * 255)], row * (1 + size * 4) + 1 + column * 4);
    }
  }
  return bytes;
}

/** https://www.w3.org/TR/png-3/ */
function png(icon, size) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels(icon, size), { level: 9 })), chunk("IEND")];
  return Buffer.concat([Buffer.from("\u0089PNG\r\n\u001A\n", "latin1"), ...parts]);
}

function chunk(type, content = Buffer.alloc(0)) {
  const named = Buffer.concat([Buffer.from(type), content]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(content.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

const folder = process.argv[2] ?? join(import.meta.dirname, "../../icons");
mkdirSync(folder, { recursive: true });
for (const [level, icon] of Object.entries(icons)) writeFileSync(join(folder, `${level}.png`), png(icon, size));
writeFileSync(join(folder, "app.png"), png({ ...icons.attention, isSquare: true }, appSize));
