// The platform's document as data: each resource with its fields, whether they are required, and values that they may have.

export interface Field {
  name: string;
  isOptional: boolean;
  /** Values that the document allows: each listed one, or one of the type. */
  values: readonly unknown[];
  isOfType(value: unknown): boolean;
}

export interface Resource {
  name: string;
  fields: readonly Field[];
  /** The document allows no other fields. */
  isClosed: boolean;
}

export const day = "2026-03-01";
const uuid = "3e0a6f3c-5d2b-4a86-8f0e-9d3f1c2b4a5d";

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isMap = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

/** By the words of the tables below. */
const types: Record<string, Pick<Field, "values" | "isOfType">> = {
  string: { values: ["a text"], isOfType: isText },
  "string|null": { values: ["a text", null], isOfType: (value) => value === null || isText(value) },
  uuid: { values: [uuid], isOfType: (value) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value)) },
  uri: { values: ["wss://relay.example.com/x"], isOfType: (value) => URL.canParse(String(value)) },
  date: { values: [day], isOfType: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) },
  number: { values: [3, 0, 2.5], isOfType: isNumber },
  milliseconds: { values: [1_772_323_200_000], isOfType: isNumber },
  boolean: { values: [true, false], isOfType: (value) => typeof value === "boolean" },
  strings: { values: [["Go"], []], isOfType: (value) => Array.isArray(value) && value.every(isText) },
  anything: { values: [[], [{ x: 1 }]], isOfType: Array.isArray },
  object: { values: [{ x: { y: 1 } }], isOfType: isMap },
};

/** `name:type`, `name?:type` for an optional one; `a/b` and `'a'` are listed values, `[x]` a list and `{x}` a map of a resource's. */
const tables = {
  step: "id:string name:string status:string error?:string startedAt?:number completedAt?:number installSessionId?:string",
  templateSource: "kind:'template' templateId:string",
  computerSource: "kind:'computer' computerId:string",
  computer:
    "id:string hostId?:uuid name:string hostname?:string providerType:byom/e2b status?:provisioning/active/error createdAt:number " +
    "provisioningSteps?:[step] relayClientUrl?:uri relayAgentUrl?:uri remoteUser?:string ownerPrincipalKind?:string ownerId?:string",
  computerError: "detail:string status:number title:string metadata?:object",
  meta: "org_id:string start_date:date end_date:date",
  usersMeta: "org_id:string start_date:date end_date:date has_more:boolean",
  tokensModel: "model_id:string model_tier:string billable_tokens:number input_tokens:number output_tokens:number",
  tokensUser: "user_id:string user_email:string billable_tokens:number by_model:anything",
  tokens:
    "date:date billable_tokens:number input_tokens:number output_tokens:number cache_read_tokens:number cache_write_tokens:number " +
    "by_model:[tokensModel] by_user:[tokensUser]",
  tokensByModel: "date:date group_key:string billable_tokens:number input_tokens:number output_tokens:number",
  tool: "tool:string invocations:number",
  mcpServer: "server:string invocations:number",
  named: "name:string count:number",
  hook: "event:string matcher:string command:string count:number",
  levels: "auto_high:number auto_medium:number auto_low:number manual:number",
  tools:
    "date:date tool_calls:number by_tool:[tool] mcp_users_with_mcp:number mcp_by_server:[mcpServer] skills_invocations:number " +
    "skills_by_name:[named] slash_commands_invocations:number slash_commands_by_name:[named] hooks_invocations:number hooks_by_event:[hook] " +
    "web_users:number autonomy_ratio_avg:number autonomy_ratio_p50:number autonomy_ratio_p90:number tool_calls_per_session_avg:number " +
    "user_turns_per_session_avg:number tool_autonomy_level_ratio:levels",
  toolsByName: "date:date group_key:string tool_calls:number",
  clients: "terminal-ui:number web:number non-interactive-cli:number",
  activity:
    "date:date daily_active_users:number weekly_active_users:number monthly_active_users:number daily_active_users_by_client:clients " +
    "sessions:number messages:number user_messages:number",
  activityByClient: "date:date group_key:terminal-ui/web/non-interactive-cli daily_active_users:number",
  extension: "extension:string count:number",
  language: "language:string count:number",
  productivity:
    "date:date files_created:number files_edited:number by_extension:[extension] by_language:[language] git_commits:number git_prs_created:number",
  users:
    "user_id:string user_email:string|null date:date tool_calls:number billable_tokens:number primary_model:string " +
    "primary_model_tier:standard/thinking files_created:number files_edited:number git_commits:number git_prs_created:number mcp_calls:number " +
    "skill_calls:number slash_commands:number hooks:number sessions:number messages:number user_messages:number assistant_messages:number " +
    "autonomy_ratio:number delegation_level:auto-high/auto-medium/auto-low/spec/manual languages:strings",
  analyticsError: "title:string detail:string status:number requestId:string",
  app: "description:string",
  criterion: "numerator:number denominator:number rationale:string",
  model: "id:string reasoningEffort:low/medium/high/off",
  report:
    "reportId:uuid createdAt:milliseconds repoUrl:string apps:{app} report:{criterion} commitHash?:string branch?:string " +
    "hasLocalChanges?:boolean hasNonRemoteCommits?:boolean modelUsed?:model agentVersion?:string",
} as const;

export type ResourceName = keyof typeof tables;

const closed: ReadonlySet<string> = new Set(["step", "templateSource", "computerSource", "computer", "computerError"]);

export function resource(name: ResourceName): Resource {
  return { name, fields: tables[name].split(" ").map(fieldOf), isClosed: closed.has(name) };
}

function fieldOf(text: string): Field {
  const at = text.search(/\??:/);
  const type = text.slice(text.indexOf(":", at) + 1);
  const inner = /^[[{](\w+)[\]}]$/.exec(type)?.[1] ?? type;
  const base = { name: text.slice(0, at), isOptional: text[at] === "?" };
  const known = Object.hasOwn(types, type) ? types[type] : undefined;
  if (known !== undefined) return { ...base, ...known };
  if (!Object.hasOwn(tables, inner)) {
    const listed: unknown[] = type.replaceAll("'", "").split("/");
    return { ...base, values: listed, isOfType: (value) => listed.includes(value) };
  }
  const item = least(inner as ResourceName);
  const fits = (value: unknown): boolean => problemsOf(inner as ResourceName, value).length === 0;
  if (type.startsWith("[")) {
    return { ...base, values: [[item], []], isOfType: (value) => Array.isArray(value) && value.every(fits) };
  }
  if (type.startsWith("{")) {
    const isMapOf = (value: unknown): boolean => isMap(value) && Object.values(value).every(fits);
    return { ...base, values: [{ "apps/web": item }], isOfType: isMapOf };
  }
  return { ...base, values: [item], isOfType: fits };
}

/** With the required fields alone. */
export function least(name: ResourceName): Record<string, unknown> {
  const required = resource(name).fields.filter(({ isOptional }) => !isOptional);
  // A share has a numerator of at most its denominator.
  const usual = { numerator: 1, denominator: 2 };
  const values = required.map((field) => [field.name, field.values[0]]);
  return { ...Object.fromEntries(values), ...(name === "criterion" ? usual : {}) };
}

/** What is not as the document says; client types and levels without a user may be absent. */
export function problemsOf(name: ResourceName, value: unknown): string[] {
  if (!isMap(value)) return [`${name}: no object`];
  const { fields, isClosed } = resource(name);
  const members = new Map<string, unknown>(Object.entries(value));
  const mayBeAbsent = name === "clients" || name === "levels";
  const wrong = fields.filter((field) => {
    const given = members.get(field.name);
    return given === undefined ? !field.isOptional && !mayBeAbsent : !field.isOfType(given);
  });
  const known = new Set(fields.map((field) => field.name));
  const further = isClosed
    ? [...members.keys()].filter((member) => !known.has(member) && member !== "computerSource")
    : [];
  return [
    ...wrong.map((field) => `${name}.${field.name}`),
    ...further.map((member) => `${name}.${member}: not listed`),
  ];
}
