// How the payloads of the agents in rows.ts are read.
import type { Agent, Payload, PayloadFacts } from "../dialect/agent.ts";
import { claudeFacts } from "../dialect/claude-facts.ts";
import { commonTypes } from "../dialect/generic.ts";
import type { ToolReaders } from "../dialect/tool-line.ts";
import { bareName, isOfSubagent } from "../dialect/values.ts";
import { claudeTools } from "../known/claude-code/payload.ts";
import { geminiCli } from "../known/gemini-cli/payload.ts";
import { textOf } from "../../model/json.ts";
import { familyRows, type FamilyRow } from "./rows.ts";

export const familyAgents: readonly Agent[] = Object.entries<FamilyRow>(familyRows).map(([id, row]) =>
  row.form === "gemini-cli" ? { ...geminiCli, ...ofRow(id, row) } : { ...inClaudesForm(row), ...ofRow(id, row) },
);

type Described = Pick<Agent, "id" | "name" | "docs" | "variables" | "isAuthor" | "alsoRuns">;

function ofRow(id: string, { name, docs, hookVariables = [], isAuthor, imports }: FamilyRow): Described {
  return {
    id,
    name,
    docs,
    variables: { ofHooks: hookVariables, ofCommands: [] },
    ...(isAuthor && { isAuthor }),
    ...(imports && { alsoRuns: imports }),
  };
}

type ClaudesForm = Omit<Agent, keyof Described>;

function inClaudesForm({ fields = {}, exceptions = [], eventNames = {} }: FamilyRow): ClaudesForm {
  const exceptionOf = (payload: Payload) =>
    exceptions.find(
      ({ event, field, values }) =>
        bareName(event) === bareName(textOf(payload.hook_event_name) ?? "") &&
        values.some((value) => value === payload[field]),
    );
  return {
    withCommonNames: (payload) => withOurNames(payload, fields),
    types: { ...commonTypes, cwd: "string", error: "string", tool_name: "string", prompt_id: "string" },
    eventNames,
    eventName: (_native, payload) => exceptionOf(payload)?.name,
    ignores(eventName, payload) {
      if (exceptionOf(payload)?.isByUser === true) return "the user stopped the turn";
      return eventName === "UserPromptSubmit" && isOfSubagent(payload) ? "a subagent's prompt" : undefined;
    },
    facts(payload, eventName): PayloadFacts {
      const facts = claudeFacts(familyTools, payload, eventName);
      return exceptionOf(payload)?.isByUser === true ? { ...facts, means: "interrupted" } : facts;
    },
  };
}

function withOurNames(payload: Payload, fields: NonNullable<FamilyRow["fields"]>): Payload {
  const { prompt } = payload;
  const renamed = Object.entries(fields).map(([ours, theirs]) => {
    const value = theirs.map((name) => payload[name]).find((each) => each !== undefined && each !== null);
    return [ours, value ?? (theirs.length === 0 ? undefined : payload[ours])] as const;
  });
  const words = wordsInTag(textOf(prompt));
  return { ...payload, ...Object.fromEntries(renamed), ...(words === undefined ? {} : { prompt: words }) };
}

/** Grok Build puts the user's words into a tag. */
function wordsInTag(prompt = ""): string | undefined {
  const [start, end] = ["<user_query>", "</user_query>"] as const;
  return prompt.startsWith(start) && prompt.endsWith(end) ? prompt.slice(start.length, -end.length).trim() : undefined;
}

/** No two of them mean different things by one name. */
const familyTools: ToolReaders = {
  ...claudeTools,
  exec: "runs",
  run_terminal_command: "runs",
  run_shell_command: "runs",
  edit: "edits",
  replace: "edits",
  search_replace: "edits",
  notebook_edit: "edits",
  write: "writes",
  write_file: "writes",
  read: "reads",
  read_file: "reads",
  webfetch: "fetches",
  web_fetch: "fetches",
  web_search: "searches",
  spawn_subagent: "startsSubagent",
};
