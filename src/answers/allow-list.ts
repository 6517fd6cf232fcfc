// The user's list of what an answer may allow: `Edit`, `Bash(npm test*)`, `mcp__github__*`.
import { textOf } from "../agents/dialect/values.ts";

/** In a command, `*` stands for no sign by which a shell starts or redirects another command. */
const inCommand = "[^;&|<>`$(){}\\\\\\p{Cc}]*";
/** A path, a URL or another text. */
const inText = "[^\\n\\r]*";

/** Whether the list allows this call of a tool. */
export function isOnList(list: readonly string[], tool: string, input: Readonly<Record<string, unknown>>): boolean {
  return list.some((entry) => {
    const [, name = "", pattern] = /^([^()]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
    if (name === "" || !globOf(name, "[\\w.-]*").test(tool)) return false;
    if (pattern === undefined) return true;
    if (input.command !== undefined) return isPlainCommand(input) && allowsCommand(pattern, textOf(input.command));
    const subjects = [input.file_path, input.path, input.url].filter((each) => each !== undefined).map(textOf);
    // `src/../../.ssh` is not below `src`.
    const allows = (text = ".."): boolean => !hasParent.test(text) && globOf(pattern, inText).test(text);
    return subjects.length > 0 && subjects.every((text) => allows(text));
  });
}

const hasParent = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** No assignment, quote or glob: `npm*` does not allow `npm=1 rm -rf ~`. */
const plainProgram = /^[\w./:@+-]+$/;

/** `*` in the first word is a part of one program's name. */
function allowsCommand(pattern: string, command = ""): boolean {
  const [program = ""] = command.split(" ", 1);
  const isNamed = !pattern.split(" ", 1)[0]?.includes("*") || (plainProgram.test(program) && !hasParent.test(program));
  return isNamed && globOf(pattern, inCommand).test(command);
}

/** Other fields may change what the command may do, such as one that leaves the sandbox. */
const plainFields: ReadonlySet<string> = new Set(["command", "description", "timeout", "run_in_background"]);

function isPlainCommand(input: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(input).every((field) => plainFields.has(field));
}

function globOf(pattern: string, star: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`^${parts.join(star)}$`, "u");
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
