// What the manuals of macOS say of the programs that hookbell calls there. No test runs on macOS, so this is what its command lines are held against.

/** How a program reads its arguments. */
export interface Manual {
  page: string;
  /** How many words follow each option. */
  options: Readonly<Record<string, 0 | 1>>;
  /** Whether `-ab` is `-a -b`. */
  clusters?: boolean;
  /** How many other words it takes. */
  operands: readonly [fewest: number, most: number];
}

const letters = (flags: string, withValue: string): Manual["options"] => ({
  ...Object.fromEntries([...flags].map((letter) => [`-${letter}`, 0 as const])),
  ...Object.fromEntries([...withValue].map((letter) => [`-${letter}`, 1 as const])),
});

const apple = "https://github.com/apple-oss-distributions";

export const manuals = {
  ps: {
    page: `${apple}/adv_cmds/blob/main/ps/ps.1`,
    options: letters("AaCcEefhjlMmrSTvwXx", "OoGgupUt"),
    clusters: true,
    operands: [0, 0],
  },
  lsof: {
    page: "https://github.com/lsof-org/lsof/blob/master/Lsof.8",
    options: letters("abChKlnNOPRtUvVX", "AcdDefFgikmopsSTuwxz"),
    operands: [0, 1],
  },
  ioreg: {
    page: `${apple}/IOKitTools/blob/main/ioreg.tproj/ioreg.8`,
    options: letters("abfilrtxy", "cdknpw"),
    clusters: true,
    operands: [0, 0],
  },
  // In front of its options stands one of its commands.
  "lsappinfo front": {
    page: "https://keith.github.io/xcode-man-pages/lsappinfo.8.html",
    options: {},
    operands: [0, 0],
  },
  "lsappinfo info": {
    page: "https://keith.github.io/xcode-man-pages/lsappinfo.8.html",
    options: { "-only": 1, "-app": 1, "-long": 0 },
    operands: [0, 1],
  },
  // Its manual has no options; `afplay -h` has.
  afplay: {
    page: "https://jonasbn.github.io/til/afplay/rtfm.html",
    options: { ...letters("hd", "vtrq"), "--leaks": 0 },
    operands: [1, 1],
  },
  say: {
    page: "https://keith.github.io/xcode-man-pages/say.1.html",
    options: { ...letters("i", "vronaf"), "--progress": 0 },
    operands: [0, 0],
  },
  open: {
    page: "https://keith.github.io/xcode-man-pages/open.1.html",
    options: letters("etfFWRnghj", "abosu"),
    operands: [1, 1],
  },
  // The one of node-notifier 10, by the help in its program; each option is followed by its value.
  "terminal-notifier": {
    page: "https://github.com/julienXX/terminal-notifier/blob/2.0.0/README.markdown",
    options: Object.fromEntries(
      "message title subtitle sound group activate sender appIcon contentImage open timeout json"
        .split(" ")
        .map((name) => [`-${name}`, 1]),
    ),
    operands: [0, 0],
  },
} as const satisfies Record<string, Manual>;

/** The columns of `ps -o`, as keyword.c beside the manual has them; FreeBSD, OpenBSD and NetBSD have them as well. */
export const psColumns: ReadonlySet<string> = new Set([
  "pid",
  "ppid",
  "pgid",
  "stat",
  "tty",
  "lstart",
  "comm",
  "args",
  "time",
]);

/** https://github.com/apple-oss-distributions/launchd/blob/main/man/launchd.plist.5 */
export const launchdKeys = {
  Label: "string",
  ProgramArguments: "array of strings",
  EnvironmentVariables: "dictionary of strings",
  RunAtLoad: "boolean",
} as const;

/** What of the words the program would not understand, as its manual has it; nothing if it understands all. */
export function misunderstood(manual: Manual, words: readonly string[]): string[] {
  const problems: string[] = [];
  let operands = 0;
  let isOver = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isOver || word === "-" || !word.startsWith("-")) operands += 1;
    else if (word === "--") isOver = true;
    else {
      const split =
        manual.clusters === true && !word.startsWith("--") ? Array.from(word.slice(1), (each) => `-${each}`) : [word];
      for (const [index, option] of split.entries()) {
        const values = manual.options[option];
        if (values === undefined) problems.push(`${option} is no option`);
        else if (values === 1 && index < split.length - 1) problems.push(`${option} takes a value`);
        else if (values === 1 && (at += 1) >= words.length) problems.push(`${option} lacks its value`);
      }
    }
  }
  const [fewest, most] = manual.operands;
  if (operands < fewest || operands > most) problems.push(`${operands} words are no options`);
  return problems;
}
