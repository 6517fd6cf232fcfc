// Characters that a person cannot see, or that reorder what they see; and words of people that need such characters.

const signs = [
  "\u200B\uFFFC\u3164\u115F\u1160\uFFA0\u00AD\u034F\u061C\u17B4\u17B5\u180B\u180E\uFE00\uFE0F\u200C\u200D\u200E\u200F",
  "\u202A\u202D\u202E\u2060\u2062\u2063\u2064\u2066\u2069\u206F\uFEFF\uFFF9\u{1BCA0}\u{1D159}\u{1D173}\u{13430}",
  "\u{E0001}\u{E0041}\u{E007F}\u{E0100}\u{E0FFF}\u2800",
].flatMap((some) => Array.from(some));
const runs = ["\u2800".repeat(36), "\u3164\u2800".repeat(20), "\u{E0072}\u{E006D}"];

/** One of each kind, in a command that it changes. */
export const unseenTexts: readonly string[] = [...signs, ...runs].map((sign) => `rm${sign}x -rf`);

/** Whatever stands for it, it does not stand there itself. */
export const rawUnseen = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC\u2800\u{1D159}\u{13430}-\u{1343F}]/u;

/** These stay as people write them. */
export const meantTexts: readonly string[] = [
  "می‌خواهم نامه‌ای بنویسم", // Persian, with U+200C
  "क्‍ष और श्री‌मान", // Hindi, with U+200D and U+200C
  "ශ්‍රී ලංකාව", // Sinhala, with U+200D
  "ന്‍ മലയാളം", // Malayalam, with U+200D at a word's end
  "שלום עולם", // Hebrew
  "مرحبا بالعالم", // Arabic
  "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️ ☎︎ 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👁️‍🗨️ 🇩🇪",
  "⠀⠀⣀⣀⠀⠠⠞", // A chart of Braille dots
];
