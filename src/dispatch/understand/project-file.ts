// The file of an event's repository, as far as the user's rules allow one.
import type { AgentEvent } from "../../model/event.ts";
import { type ProjectFile, type ProjectFileReading, readProjectFile } from "../../rules/project-file.ts";
import type { Dispatcher } from "../dispatcher.ts";

export function projectFileOf(
  { rules, tools }: Pick<Dispatcher, "rules" | "tools">,
  cwd: string,
): ProjectFileReading | undefined {
  return rules().rules.projectFiles === false ? undefined : readProjectFile(cwd, tools.home);
}

/** A broken file counts for nothing. */
export function goodFile(reading: ProjectFileReading | undefined): ProjectFile | undefined {
  return reading?.status === "good" ? reading.file : undefined;
}

export function labelled(event: AgentEvent, project: ProjectFile | undefined): AgentEvent {
  return project?.label === undefined ? event : { ...event, label: project.label };
}
