// How the hooks of the agents in rows.ts are set up.
import type { Payload } from "../dialect/agent.ts";
import { type HookedEvent, type HookSetup } from "../hook-setup.ts";
import { claudeCodeHookSetup } from "../known/claude-code/hook-setup.ts";
import { geminiCliHookSetup } from "../known/gemini-cli/hook-setup.ts";
import type { AgentSample } from "../sample.ts";
import { familyRows, type FamilyId, type FamilyRow } from "./rows.ts";

const forms: Readonly<Record<FamilyRow["form"], HookSetup>> = {
  "claude-code": claudeCodeHookSetup,
  "gemini-cli": geminiCliHookSetup,
};

export const familyHookSetups = Object.fromEntries(
  Object.entries<FamilyRow>(familyRows).map(([id, row]) => [id, hookSetupOf(row)]),
) as Record<FamilyId, HookSetup>;

function hookSetupOf(row: FamilyRow): HookSetup {
  const { programs, folder, file, required, off, events, timeout, shell, shellOnWindows, imports, nextStep } = row;
  const form = forms[row.form];
  return {
    programs,
    isUntried: true,
    folders: [folder],
    files: [
      {
        name: file,
        shape: "wrapped",
        ...(required && { required }),
        ...(off && { offSwitch: off.member, offValue: off.value }),
      },
    ],
    defaultFile: file,
    ...(off?.member[0] === "hooks" ? { takesOtherMembers: true } : {}),
    events: Object.fromEntries(events.map((name) => [name, hookedEvent(form, row, name)])),
    entry: {
      layout: "grouped",
      hasType: true,
      commandKey: "command",
      timeout: { key: "timeout", unit: timeout },
      ...(shell && { shell }),
      ...(shellOnWindows && { shellOnWindows }),
    },
    sample: sampleOf(form, row),
    ...(imports && { imports }),
    nextStep,
  };
}

/** As in the form that it has, but for answers: what each agent takes for one is not known. */
function hookedEvent(form: HookSetup, { eventNames = {} }: FamilyRow, name: string): HookedEvent {
  const meaning = eventNames[name] ?? name;
  const { isAnswerable: _, ...event } = form.events[meaning] ?? { mapsTo: [meaning], isOnlyIfNamed: true as const };
  return event;
}

function sampleOf(form: HookSetup, { isCamelCase, fields = {}, projectVariables = [] }: FamilyRow): AgentSample {
  const named = (payload: Payload): Payload =>
    Object.fromEntries(
      Object.entries(payload).map(([ours, value]) => {
        const [theirs = ours] = fields[ours] ?? [];
        return isCamelCase
          ? [camelCase(theirs), ours === "hook_event_name" ? snakeCase(value) : value]
          : [theirs, value];
      }),
    );
  return { payload: (call) => named(form.sample.payload(call)), projectVariables };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: unknown): string {
  return String(name)
    .replace(/(?<=[a-z])[A-Z]/g, "_$&")
    .toLowerCase();
}
