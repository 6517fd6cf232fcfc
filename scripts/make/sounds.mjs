// Makes sounds/*.wav: `node scripts/make/sounds.mjs [FOLDER]`. The same bytes on every machine: nothing but + - * / and
// rounding, which IEEE 754 fixes to the last bit; Math.sin and Math.exp it does not.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Hertz. The highest partial has 3,524, so this is three times what it needs. */
const sampleRate = 22_050;
const peak = 0.6;

/** Frequencies in hertz of equal temperament, A4 = 440. */
const pitch = { E4: 329.63, G4: 392, E5: 659.26, A5: 880, B5: 987.77, D6: 1174.66, E6: 1318.51 };

/** Notes start at `at` and fall by half every `half` seconds; `partials` are multiples of the pitch and how strong. */
const bell = [
  [1, 1],
  [2, 0.35],
  [3, 0.12],
];
const wood = [
  [1, 1],
  [2, 0.5],
  [3, 0.25],
];
const sounds = {
  complete: {
    seconds: 0.62,
    partials: bell,
    notes: [
      { hertz: pitch.E5, at: 0, half: 0.09 },
      { hertz: pitch.B5, at: 0.13, half: 0.1 },
    ],
  },
  attention: {
    seconds: 0.72,
    partials: bell,
    notes: [
      { hertz: pitch.D6, at: 0, half: 0.06 },
      { hertz: pitch.A5, at: 0.14, half: 0.06 },
      { hertz: pitch.D6, at: 0.28, half: 0.1 },
    ],
  },
  error: {
    seconds: 0.66,
    partials: wood,
    notes: [
      { hertz: pitch.G4, at: 0, half: 0.07 },
      { hertz: pitch.E4, at: 0.2, half: 0.1 },
    ],
  },
  // What `hookbell doctor` plays to see whether a player finds anything to play on.
  silence: { seconds: 0.1, partials: bell, notes: [] },
};

/** The sine of a whole turn times `turns`, by its Taylor series within a quarter turn. */
function sine(turns) {
  let part = turns - Math.floor(turns);
  let sign = 1;
  if (part >= 0.5) {
    part -= 0.5;
    sign = -1;
  }
  if (part > 0.25) part = 0.5 - part;
  const angle = part * 6.283185307179586;
  const square = angle * angle;
  let term = angle;
  let sum = angle;
  for (let power = 3; power <= 17; power += 2) {
    term = (-term * square) / ((power - 1) * power);
    sum += term;
  }
  return sign * sum;
}

/** What half a second's fall leaves after one sample: the root of a half, by Newton's steps for x^n = 1/2. */
function decayPerSample(halfSeconds) {
  const samples = Math.round(halfSeconds * sampleRate);
  let decay = 1 - 0.7 / samples;
  for (let step = 0; step < 40; step += 1) {
    let power = 1;
    for (let count = 1; count < samples; count += 1) power *= decay;
    decay -= (power * decay - 0.5) / (samples * power);
  }
  return decay;
}

function synthesize({ seconds, partials, notes }) {
  const total = Math.round(seconds * sampleRate);
  const mix = new Float64Array(total);
  const attack = Math.round(0.008 * sampleRate);
  const release = Math.round(0.06 * sampleRate);
  for (const { hertz, at, half } of notes) {
    const start = Math.round(at * sampleRate);
    const decay = decayPerSample(half);
    let loudness = 1;
    for (let index = 0; start + index < total; index += 1) {
      const rise = index < attack ? index / attack : 1;
      let value = 0;
      for (const [multiple, strength] of partials) value += strength * sine((hertz * multiple * index) / sampleRate);
      mix[start + index] += value * loudness * rise;
      loudness *= decay;
    }
  }
  for (let index = 0; index < release; index += 1) mix[total - 1 - index] *= index / release;
  let loudest = 0;
  for (const value of mix) loudest = Math.max(loudest, value < 0 ? -value : value);
  return mix.map((value) => Math.round((value / (loudest || 1)) * peak * 32_767));
}

/** RIFF WAVE, one channel of 16-bit samples. */
function toWav(samples) {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length * 2, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length * 2, 40);
  const body = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => body.writeInt16LE(sample, index * 2));
  return Buffer.concat([header, body]);
}

const folder = process.argv[2] ?? join(import.meta.dirname, "../../sounds");
mkdirSync(folder, { recursive: true });
for (const [name, sound] of Object.entries(sounds))
  writeFileSync(join(folder, `${name}.wav`), toWav(synthesize(sound)));
