import fc from "fast-check";

/** Any code point but half a surrogate pair. Fast-check's own unit "binary" builds a table of all of them, for a second. */
const anySign = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

/** Well-formed text of whatever signs there are. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: anySign, ...(maxLength === undefined ? {} : { maxLength }) });
