// Which agents record how long their hooks took, and how a line of theirs is read. All others were run and keep no such times unless
// a person switches their telemetry on; docs/reference/GUARD.md has the list.
import type { FolderPlace } from "../../../agents/dialect/agent.ts";
import { transcripts } from "../../../agents/transcripts.ts";
import { objectOf, objectsOf, textOf } from "../../../model/json.ts";

/** One time that an agent waited for hooks. */
export interface RecordedCall {
  event: string;
  /** Several that ran together; none where the agent does not say which. */
  commands: readonly string[];
  /** Undefined where the agent keeps no time of a hook that ran. */
  ms: number | undefined;
  at: number;
}

type Line = Readonly<Record<string, unknown>>;

export interface HookRecords {
  folders: readonly FolderPlace[];
  /** Each line about a hook has one of these texts. */
  marks: readonly string[];
  /** Makes the reader of one file, whose lines come in order. */
  reader(): (line: Line) => RecordedCall[];
}

/** A file has at most so many hooks that have begun and not ended. */
const maxBegun = 1000;
const maxTogether = 50;

/** Claude Code 2.1.332 records `␤` for a line break in a command, `␀` to `␟` and `␡` for controls, and such as `\\u{202E}` for what cannot be seen. */
const sign = /[\u2400-\u241F\u2421\u2424]|\\u\{([0-9A-F]{1,5})\}/g;

function withoutSigns(command: string): string {
  return command.replace(sign, (whole, code?: string) => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    if (whole === "\u2424") return "\n";
    return whole === "\u2421" ? "\u007F" : String.fromCharCode(whole.charCodeAt(0) - 0x2400);
  });
}

export const hookRecords: Readonly<Record<string, HookRecords>> = {
  // It records each hook at the end of a turn, and others that said something. https://code.claude.com/docs/en/hooks
  "claude-code": {
    folders: transcripts["claude-code"]?.folders ?? [],
    marks: ['"hookInfos"', '"type":"hook_'],
    reader() {
      const isRepeated = repeats();
      return (line) => {
        const at = timeOf(line.timestamp);
        const attachment = objectOf(line.attachment);
        const isSummary = line.subtype === "stop_hook_summary";
        const isSingle = textOf(attachment.type)?.startsWith("hook_") === true;
        const told = isSummary ? objectsOf(line.hookInfos) : isSingle ? [attachment] : [];
        const use = textOf(isSummary ? line.toolUseID : attachment.toolUseID);
        return told.flatMap(({ hookEvent, command, durationMs }) => {
          const call = {
            event: textOf(hookEvent) ?? (isSummary ? "Stop" : ""),
            commands: [withoutSigns(textOf(command) ?? "")],
            // The summary has no time of a hook that kept the agent at work (exit code 2).
            ms: isSummary && durationMs === undefined ? undefined : numberOf(durationMs),
            at,
          };
          return !isWhole(call) || isRepeated(use, call.commands, isSummary) ? [] : [call];
        });
      };
    },
  },
  // All hooks of an event run at once, and it keeps when the first began and the last ended.
  droid: {
    folders: transcripts.droid?.folders ?? [],
    marks: ['"hookEndTime"'],
    reader: () => (line) => {
      const { hookEventName, hookCommands, hookStartTime, hookEndTime } = objectOf(line.message);
      const at = numberOf(hookEndTime);
      const commands = objectsOf(hookCommands).map(({ command }) => textOf(command) ?? "");
      return [{ event: textOf(hookEventName) ?? "", commands, ms: at - numberOf(hookStartTime), at }];
    },
  },
  // All hooks of an event run one after the other, and it does not say which.
  "copilot-cli": {
    folders: [{ path: ".copilot/session-state", moved: { env: "COPILOT_HOME", into: "session-state" } }],
    marks: ['"hook.start"', '"hook.end"'],
    reader() {
      const begun = new Map<string, number>();
      return ({ type, data, timestamp }) => {
        const { hookInvocationId, hookType } = objectOf(data);
        const id = textOf(hookInvocationId) ?? "";
        const at = timeOf(timestamp);
        const began = begun.get(id);
        begun.delete(id);
        if (type === "hook.end" && began !== undefined)
          return [{ event: textOf(hookType) ?? "", commands: [], ms: at - began, at }];
        if (type === "hook.start" && begun.size < maxBegun) begun.set(id, at);
        return [];
      };
    },
  },
};

/**
 * Whether Claude Code has told of this call before: of a hook that printed something at the end of a turn, both the summary and a line of
 * its own tell. Two calls that are told of in the same way are two, also of the same command.
 */
function repeats(): (use: string | undefined, commands: readonly string[], isSummary: boolean) => boolean {
  const told = new Map<string, { summary: number; single: number }>();
  return (use, commands, isSummary) => {
    if (use === undefined) return false;
    const key = JSON.stringify([use, ...commands]);
    const calls = told.get(key) ?? { summary: 0, single: 0 };
    const same = isSummary ? "summary" : "single";
    calls[same] += 1;
    told.set(key, calls);
    const [oldest] = told.keys();
    if (told.size > maxBegun && oldest !== undefined) told.delete(oldest);
    return calls[same] <= calls[isSummary ? "single" : "summary"];
  };
}

/** Whether a line had all that a call has. */
export function isWhole({ event, commands, ms, at }: RecordedCall): boolean {
  return (
    (ms === undefined || ms >= 0) && at >= 0 && event !== "" && commands.length <= maxTogether && !commands.includes("")
  );
}

function timeOf(value: unknown): number {
  return Date.parse(textOf(value) ?? "");
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}
