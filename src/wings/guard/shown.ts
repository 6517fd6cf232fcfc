// What people see of a launch: on one line, with what is hidden in it, and without credentials.
import { listOf, parseJson } from "../../model/json.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { oneLine, shortenMiddle } from "../../model/text.ts";
import type { Launch, LaunchInFile } from "./launches/launch.ts";
import { maskedCommand, maskedMembers } from "./masked.ts";

/** What a terminal obeys, or shows as nothing: letters could be hidden behind it. */
const unseen = /(?!\r\n)[^\P{C}\n\t]|[\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2028\u2029\u3164\uFFA0]/gu;

function named(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** UTF-16 units: shorter values are replaced only where they stand in quotes. */
const leastAlone = 6;

/** A file's text as people may see it: without credentials, also those that only the launches in it tell, and with a mark for each character that is not seen. */
export function shownFile(text: string, launches: readonly LaunchInFile[]): string {
  const found = new Set<string>();
  let shown = text;
  const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
  for (const { command, around } of launches) {
    const masked = maskedCommand(command, found);
    if (masked !== command) shown = shown.replaceAll(inJson(command), inJson(masked));
    for (const [name, value] of membersOf(around)) maskedMembers(name, value, found);
  }
  const longestFirst = [...found].toSorted((one, other) => other.length - one.length);
  for (const value of longestFirst.flatMap((each) => [...new Set([each, inJson(each)])])) {
    if (value.length >= leastAlone) shown = shown.replaceAll(value, () => "[redacted: secret]");
    else
      for (const quote of ['"', "'"])
        shown = shown.replaceAll(`${quote}${value}${quote}`, `${quote}[redacted: secret]${quote}`);
  }
  return marked(scrub(shown).text);
}

function marked(text: string): string {
  return text.replace(unseen, named);
}

/** A command as people may see it: without credentials, on one line, which shows where the command has several. A long one is cut in its middle. */
export function shownCommand(command: string, most = Infinity): string {
  const lines = marked(maskedCommand(scrub(command).text))
    .split(/\r?\n/)
    .flatMap((line) => oneLine(line) || []);
  return shortenMiddle(lines.join(" ⏎ "), most);
}

/** Variables and folders that decide what a command does, without credentials; undefined where there are none. */
export function shownAround({ around, kind }: Pick<Launch, "around" | "kind">, most = Infinity): string | undefined {
  if (around === undefined || kind === "code") return undefined;
  const parts = membersOf(around).map(([name, value]) => `${name} ${maskedMembers(name, value)}`);
  return parts.length === 0 ? undefined : shownCommand(parts.join(", "), most);
}

function membersOf(around = "[]"): [name: string, value: unknown][] {
  return listOf(parseJson(around)).map((each) => {
    const [name, value] = listOf(each);
    return [String(name), value];
  });
}

export const maxName = 200;

/** What starts it: an event, a name, a setting. */
export function startedBy({ kind, name, matcher, at }: Pick<Launch, "kind" | "name" | "matcher" | "at">): string {
  if (kind === "code") return "loaded at each start";
  const shown = shownCommand(name, maxName);
  // One file of Claude Code's has the servers of each of its projects.
  const project = at[0] === "projects" ? ` for ${shownCommand(String(at[1]), maxName)}` : "";
  if (kind === "server") return `server ${shown}${project}`;
  return matcher === undefined ? shown : `${shown} (${shownCommand(matcher, maxName)})`;
}

/** UTF-16 units: of what a launch was, as much as a person needs to know it again. */
const maxLaunch = 400;

/** On one line: what it runs and when, whichever of it changes. */
export function shownLaunch(launch: LaunchInFile): string {
  const around = shownAround(launch, maxLaunch);
  const what = `${shownCommand(launch.command, maxLaunch)}${around === undefined ? "" : ` with ${around}`}`;
  return shortenMiddle(`${what} (${startedBy(launch)}${launch.isOff === true ? ", switched off" : ""})`, maxLaunch);
}

/** The words of a launch that `shownLaunch` masks or cuts. */
export function hiddenOf(launch: LaunchInFile): string {
  const shown = shownLaunch(launch);
  const { command, around = "", kind } = launch;
  const words = `${command} ${kind === "code" ? "" : around}`.split(/[\s"'=,;[\]\\]+/);
  return words.filter((word) => !shown.includes(word)).join(" ");
}
