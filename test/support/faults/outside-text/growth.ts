// Measures how the time of a parser grows with the length of its text, and ends a parser that does not end by itself.
import { runInThisContext } from "node:vm";

/** Milliseconds on the clock: no parser of this project needs so long on a machine that is twenty times busier than usual. */
const longestMs = 20_000;
/** Less than so many milliseconds of the processor says nothing about growth. */
const leastMs = 400;
/** Milliseconds of the processor that no text of a test may take, also if its time is linear: a dispatcher that is busy for longer looks hung. */
const mostMs = 6000;
/** Time that is linear grows fourfold from a quarter of a text to the whole, time that is quadratic sixteenfold. */
const mostGrowth = 9;

const held = globalThis as { hookbellMeasured?: (() => void) | undefined };

/** Milliseconds of the processor, or `endless`. An error counts as an end. A loop without an end is ended by V8's own watchdog thread. */
export function timeOf(read: (text: string) => unknown, text: string): number | "endless" {
  let isTooLate = true;
  held.hookbellMeasured = () => {
    try {
      read(text);
    } catch {
      // What is refused is read, too.
    }
    isTooLate = false;
  };
  const before = process.cpuUsage();
  try {
    runInThisContext("hookbellMeasured()", { timeout: longestMs });
  } catch (error) {
    if (isTooLate) return "endless";
    throw error;
  } finally {
    held.hookbellMeasured = undefined;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What is wrong with the time that a parser takes for texts of this form; undefined if it is in proportion. `make` gets a length. */
export function growthProblem(
  read: (text: string) => unknown,
  make: (length: number) => string,
  length: number,
): string | undefined {
  // Only what is slow three times is: a compiler or a collector may have been at work.
  for (let tries = 3; ; tries -= 1) {
    const whole = timeOf(read, make(length));
    if (whole === "endless") return `does not end for ${length} characters`;
    if (whole < leastMs) return undefined;
    const quarter = timeOf(read, make(length / 4));
    if (quarter !== "endless" && whole < mostGrowth * quarter && whole < mostMs) return undefined;
    if (tries === 1) return `takes ${quarter} ms for ${length / 4} characters and ${whole} ms for ${length}`;
  }
}

/** The units that hostile texts repeat. */
export const units: readonly string[] = [
  ["/*", "/", "//\n", "[", "{", "]", "}", '{"a":', '"a":1,', '{"a":1},', "[],", '"",', ",", ":", "x /*", '"a', "'a' "],
  ["x ", "x", "x\n", '"', "'", '"""', "'''", "\\", '\\"', "\\u", "\\u0041", "#", "# ", "\0", "\uFEFF", "\uD800"],
  ["[[a]]\n", "[[hooks]]\nevent='x'\ncommand='hookbell hook'\n", "a.b.", "a.b=1\n", "[a.b]\n", "a={b=", "a=[1,"],
  ["é", "👩‍👩‍👧", "e\u0301", "\u0301", "🇦", "\u1100", "аa", "\u200B", "\u2800", "\u202E", "\u001B[", "\u001B]"],
  [
    "<",
    "<a>",
    "<!--",
    "*",
    "**a ",
    "_a ",
    "`",
    "``` ",
    "~",
    "![",
    "[a](",
    "[a]: b\n",
    "[a][",
    "> ",
    "* a\n",
    "|",
    "|-|\n",
  ],
  [
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u00A0",
    "?",
    "A. ",
    "http://a ",
    "a@b.",
    "&amp;",
    "%25",
    "$(",
    "(",
    ";",
    "|| ",
    "{{a}}",
  ],
  [
    "password=",
    "token: ",
    "mysql -p x ",
    "Bearer ",
    "eyJ",
    "AKIA",
    "aB3",
    "a/b/",
    "../",
    "-----BEGIN RSA PRIVATE KEY-----\n",
  ],
  ["git commit;", "<<a\n", "sh -c '", "*** Add File: a\n", "+++ b/a\n", '{"at":"'],
].flat();

export const repeated =
  (unit: string, [before, after]: readonly [string, string] = ["", ""]) =>
  (length: number): string =>
    before + unit.repeat(Math.ceil(length / unit.length)) + after;
