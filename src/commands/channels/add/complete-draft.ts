import { exitCodes, UserError } from "../../../model/errors.ts";
import type { Rules } from "../../../rules/rules.ts";
import { settingsOf } from "../../../rules/setting-info.ts";
import type { AskMore } from "../../console/ask.ts";
import { problemsOfDraft, type ChannelDraft } from "./draft.ts";
import { askName, askSettings } from "./questions.ts";
import { paint } from "../../console/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { choiceFromOptions, notifyOptions, type NotifyChoice } from "./event-choice.ts";
import { offerToTry } from "./try-draft.ts";
import { eventWords } from "../../help/set-up.ts";

/** A channel that is to be written, and what shall notify it. */
export interface Wanted {
  draft: ChannelDraft;
  notify: NotifyChoice;
}

export const missingType = "TYPE, what the channel shall be; hookbell channels lists them";
const missingEvents = `which events shall notify it: --events (${eventWords.join(", ")}), or --rule NAME for a rule that you have`;

/** What the flags say, which has to be everything. */
export function fromFlags(draft: ChannelDraft, notify: NotifyChoice | undefined, others: readonly string[]): Wanted {
  const found = problemsOfDraft(draft);
  // What was written nearly right is not missing as well.
  const isMeant = (key: string): boolean => found.some(({ hint }) => hint === `did you mean ${JSON.stringify(key)}?`);
  const problems = found.flatMap(({ key = "", message, hint = "" }) => {
    const setting = settingsOf(draft.channelType).find((each) => each.key === key);
    const isMissing = setting !== undefined && !Object.hasOwn(draft.settings, key);
    const how = setting?.isSecret
      ? `--set ${key}=…, --set ${key}.env=NAME or --set ${key}.file=PATH`
      : `--set ${key}=…`;
    if (isMissing && isMeant(key)) return [];
    if (isMissing) return `${key}: ${how}\n  ${hint}`;
    return `${key === "" ? "" : `${key}: `}${message}${hint === "" ? "" : `; ${hint}`}`;
  });
  problems.push(...(notify === undefined ? [missingEvents] : others));
  return notify === undefined || problems.length > 0 ? complain(problems) : { draft, notify };
}

/** All that is missing or wrong, at once. */
export function complain(problems: readonly string[]): never {
  throw new UserError("usage.channels", "a channel cannot be made of this; what is missing or wrong:", {
    hint: problems.map((problem) => `- ${problem}`).join("\n"),
    exitCode: exitCodes.usage,
  });
}

/** A person fills in what the flags left open; undefined: they walked away. */
export async function fromQuestions(
  ask: AskMore,
  io: CommandIo,
  given: ChannelDraft,
  known: { notify: NotifyChoice | undefined; rules: Rules; isNamed: boolean; isTried: boolean },
): Promise<Wanted | undefined> {
  const wayOut = "Esc ends this, and nothing is kept of it; what is asked can be said beforehand, too: --help";
  io.stdout(`${given.channelType.summary}\n${paint(io, "dim", `${given.channelType.docs}\n${wayOut}`)}\n`);
  const named = known.isNamed ? given : await askName(ask, given, Object.keys(known.rules.channels));
  const filled = named && (await askSettings(ask, named));
  const draft = filled && (known.isTried ? await offerToTry(ask, io, filled) : filled);
  if (draft === undefined) return undefined;
  if (known.notify !== undefined) return { draft, notify: known.notify };
  const { options, likely } = notifyOptions(known.rules);
  const chosen = await ask.chooseAny(`Which events shall notify "${draft.name}"?`, options, likely);
  return chosen && { draft, notify: choiceFromOptions(chosen) };
}
