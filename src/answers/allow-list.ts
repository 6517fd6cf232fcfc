// The user's list of what an answer may allow: `Edit`, `Bash(npm test *)`, `mcp__github__*`. Pure.
import { textOf } from "../model/json.ts";

/** What the pattern of an entry is compared with. */
interface PatternKind {
  tools: readonly string[];
  /** Each of these fields that the call has must match, and it must have one. */
  subjects: readonly string[];
  /** Fields that do not change what the call touches. A call with any other field matches no pattern. */
  harmless: readonly string[];
}

/** The tools of the agents that take answers. */
const commands: PatternKind = {
  tools: ["Bash", "bash", "shell", "run_shell_command"],
  subjects: ["command"],
  harmless: ["description", "timeout", "run_in_background", "is_background"],
};
const files: PatternKind = {
  tools: [
    "Edit",
    "Write",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "edit",
    "write",
    "read",
    "write_file",
    "replace",
    "read_file",
  ],
  subjects: ["file_path", "path", "notebook_path", "absolute_path"],
  harmless:
    "old_string new_string replace_all expected_replacements edits diff content new_source cell_id cell_type edit_mode offset limit pages".split(
      " ",
    ),
};
const pages: PatternKind = {
  tools: ["WebFetch", "webfetch", "web_fetch"],
  subjects: ["url"],
  harmless: ["prompt", "format", "timeout"],
};
const kinds = [commands, files, pages];

/** Part of one program's name: no blank, assignment, quote or glob. */
const inProgram = /^[\w./:@+-]*$/;
/** Arguments: no sign by which a shell starts or redirects another command. */
const inArguments = /^[^;&|<>`$(){}\\\p{Cc}]*$/u;
const inText = /^\P{Cc}*$/u;
const inName = /^[\w.-]*$/;

type Matcher = (text: string) => boolean;

interface Entry {
  isTool: Matcher;
  pattern?: { kind: PatternKind; matches: Matcher } | undefined;
}

/** The entry, or what is wrong with it. */
export function parseEntry(text: string): Entry | { problem: string } {
  const [, tool = "", pattern] = /^([\w.*-]+)(?:\((.+)\))?$/su.exec(text) ?? [];
  if (tool === "")
    return { problem: 'expected a tool such as "Edit", or one with a pattern such as "Bash(npm test *)"' };
  if (!/\w/.test(tool)) return { problem: `"${tool}" would allow every tool; name the tools` };
  const isTool = globMatcher([[tool, inName]]);
  if (pattern === undefined) return { isTool };
  if (/\p{Cc}/u.test(pattern)) return { problem: "a pattern has no control characters" };
  const kind = kinds.find(({ tools }) => tools.includes(tool));
  if (kind === undefined) {
    const known = kinds.flatMap(({ tools }) => tools).join(", ");
    return { problem: `${tool} takes no pattern; these tools do: ${known}` };
  }
  if (kind === pages && !/^https?:\/\/[^*/]+\//u.test(pattern)) {
    return { problem: 'expected the whole host and a slash after it, such as "https://docs.example.org/*"' };
  }
  return {
    isTool,
    pattern: { kind, matches: kind === commands ? commandMatcher(pattern) : textMatcher(pattern) },
  };
}

/** Whether the list allows this call of a tool. An entry that cannot be read allows nothing. */
export function isOnList(list: readonly string[], tool: string, input: Readonly<Record<string, unknown>>): boolean {
  return list.some((text) => {
    const entry = parseEntry(text);
    if ("problem" in entry || !entry.isTool(tool)) return false;
    return entry.pattern === undefined || matchesCall(entry.pattern, input);
  });
}

function matchesCall(
  { kind, matches }: NonNullable<Entry["pattern"]>,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const isKnown = (field: string): boolean =>
    kind.subjects.includes(field) || kind.harmless.includes(field) || isRepeated(field, input[field], subjects);
  const subjects = kind.subjects.flatMap((field) => (input[field] === undefined ? [] : [input[field]]));
  return (
    Object.keys(input).every(isKnown) &&
    subjects.length > 0 &&
    subjects.every((value) => typeof value === "string" && matches(value))
  );
}

/** opencode repeats the one path, relative to the project, or page. Any other pattern is more than the subject. */
function isRepeated(field: string, value: unknown, [subject]: readonly unknown[]): boolean {
  if (field !== "patterns" || !Array.isArray(value) || value.length !== 1) return false;
  const [pattern] = value as unknown[];
  return (
    typeof pattern === "string" &&
    typeof subject === "string" &&
    pattern !== "" &&
    (subject === pattern || subject.endsWith(`/${pattern}`))
  );
}

function commandMatcher(pattern: string): Matcher {
  const [program = ""] = pattern.split(" ", 1);
  const matches = globMatcher([
    [program, inProgram],
    [pattern.slice(program.length), inArguments],
  ]);
  const isExact = !program.includes("*");
  return (command) => matches(command) && (isExact || !hasParent.test(command.split(" ", 1)[0] ?? ""));
}

function textMatcher(pattern: string): Matcher {
  const matches = globMatcher([[pattern, inText]]);
  // `src/../../.ssh` is not below `src`.
  return (text) => !hasParent.test(text) && matches(text);
}

/** A page's address may also escape the dots, and go on with a query. */
const hasParent = /(?:^|[\\/])(?:\.|%2e){2}(?:[\\/?#]|$)/i;

/**
 * Matches the whole text with the parts one after another; what a `*` stands for must match its part's expression. The first
 * place of each word between stars is the only one that is tried: a later one would leave more to the star before it. So
 * time grows with the text's length, however many stars there are. The expressions of later parts allow all that earlier
 * ones do.
 */
function globMatcher(parts: readonly (readonly [pattern: string, inStar: RegExp])[]): Matcher {
  const words = [""];
  const stars: RegExp[] = [];
  for (const [pattern, inStar] of parts) {
    const [first = "", ...others] = pattern.split("*");
    words.push(`${words.pop() ?? ""}${first}`, ...others);
    stars.push(...others.map(() => inStar));
  }
  const [first = "", ...others] = words;
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const [index, word] of [...others, last].entries()) {
      const found = index < others.length ? text.indexOf(word, at) : text.length - last.length;
      if (found < at || stars[index]?.test(text.slice(at, found)) !== true) return false;
      at = found + word.length;
    }
    return text.endsWith(last);
  };
}

/**
 * The agent's own suggestion that allows such calls for the session, where it allows no more than the list: rules for a
 * tool that is listed whole, or in the list's own words. Never a change of the mode, never for longer than the session.
 */
export function sessionSuggestion(list: readonly string[], suggestions: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(suggestions)) return undefined;
  for (const each of suggestions as readonly Record<string, unknown>[]) {
    if (each?.type !== "addRules" || each.behavior !== "allow" || !Array.isArray(each.rules)) continue;
    const rules = each.rules as readonly Record<string, unknown>[];
    const isCovered = rules.every((rule) => {
      const tool = textOf(rule?.toolName);
      const content = textOf(rule?.ruleContent);
      if (tool === undefined) return false;
      return list.includes(tool) || (content !== undefined && list.includes(`${tool}(${content})`));
    });
    if (rules.length === 0 || !isCovered) continue;
    const words = rules.map(({ toolName, ruleContent }) => ({ toolName, ruleContent }));
    return { type: "addRules", rules: words, behavior: "allow", destination: "session" };
  }
  return undefined;
}
