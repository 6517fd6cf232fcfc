// Compiles the templates of titles and bodies: text with {name} in it.
import { nearest } from "../nearest.ts";

/** The names in `{name}`, with their meaning for the JSON Schema. */
export const templateNames = {
  event: "the event's name",
  headline: "what happened, in a few words such as asks to run a command",
  agent: "the agent's display name",
  session: "the session's id",
  project: "the repository, else the last part of the project folder's path",
  branch: "the branch of git",
  worktree: "the folder of a linked work tree of git",
  label: "what the repository's .hookbell.jsonc calls itself",
  folder: "the last part of the folder that the agent is in",
  sessionName: "the branch or work tree and, where sessions share it, what else tells them apart",
  cwd: "the folder that the agent is in",
  host: "this machine's name",
  message: "what the agent said",
  reason: "why the session or turn ended",
  title: "the title that the agent gave",
  level: "info, success, attention or error",
  duration: "how long the turn or the tool call took",
  effort: "how hard the model was told to think",
  link: "the page that opens the session elsewhere",
  time: "when it happened, HH:MM",
} as const;
export type TemplateName = keyof typeof templateNames;

export interface Template {
  parts: (string | { name: TemplateName } | { payloadPath: string[] })[];
}

/** `index` and `length` count in UTF-16 units of the template. */
export interface TemplateProblem {
  message: string;
  hint?: string;
  index: number;
  length: number;
}

/** UTF-16 units. */
export const maxTemplateLength = 4000;

const payloadPath = /^payload(?:\.[^.[\]]+|\[\d+\])+$/;

/** `{name}` is filled in, `{{` is one brace, everything else is literal. Reports every problem. */
export function compileTemplate(text: string): { template: Template; problems: TemplateProblem[] } {
  const parts: Template["parts"] = [];
  const problems: TemplateProblem[] = [];
  let literal = "";
  let index = 0;
  while (index < text.length) {
    if (text[index] !== "{") {
      literal += text[index];
      index += 1;
    } else if (text[index + 1] === "{") {
      literal += "{";
      index += 2;
    } else {
      const end = /[{}]/.exec(text.slice(index + 1));
      if (end === null || end[0] === "{") {
        problems.push({
          message: 'this "{" is not closed',
          hint: 'for a literal brace, write "{{"',
          index,
          length: 1,
        });
        index += 1;
        continue;
      }
      const name = text.slice(index + 1, index + 1 + end.index);
      const part = readName(name.trim());
      if ("message" in part) problems.push({ ...part, index: index + 1, length: Math.max(1, name.length) });
      else parts.push(literal, part);
      literal = "";
      index += name.length + 2;
    }
  }
  parts.push(literal);
  return { template: { parts: parts.filter((part) => part !== "") }, problems };
}

function readName(
  name: string,
): { name: TemplateName } | { payloadPath: string[] } | { message: string; hint: string } {
  if (Object.hasOwn(templateNames, name)) return { name: name as TemplateName };
  if (payloadPath.test(name)) return { payloadPath: name.match(/[^.[\]]+/g)?.slice(1) ?? [] };
  if (name === "payload" || /^payload[.[]/.test(name)) {
    return { message: "expected the path of a field of the payload", hint: "such as {payload.tool_name}" };
  }
  const known = Object.keys(templateNames);
  const meant = nearest(name, known);
  const message = name === "" ? "the name between the braces is missing" : `there is no {${name}}`;
  const names = `names: ${known.join(", ")} and payload.FIELD`;
  return { message, hint: meant === undefined ? names : `did you mean {${meant}}?` };
}

/** Finds each `{{name}}`: other template languages fill it in, this one does not. */
export function findDoubledNames(text: string): { name: string; index: number; length: number }[] {
  return [...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)]
    .map((match) => ({ name: match[1] ?? "", index: match.index, length: match[0].length }))
    .filter(({ name }) => Object.hasOwn(templateNames, name) || payloadPath.test(name));
}
