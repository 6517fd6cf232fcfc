// Bodies with every field that the platform's document names, written by hand from its tables.

export const exampleComputer = {
  id: "cmp_1",
  hostId: "7f8a2c64-1d0b-4c56-9a71-0d5f3f3f8a10",
  name: "build box",
  hostname: "build-1",
  providerType: "e2b",
  status: "provisioning",
  createdAt: 1_767_225_600_000,
  provisioningSteps: [
    { id: "clone", name: "Clone", status: "Done", startedAt: 1, completedAt: 2 },
    {
      id: "install-deps",
      name: "Install dependencies",
      status: "Running",
      error: "the last one failed",
      startedAt: 3,
      completedAt: 4,
      installSessionId: "ses_1",
    },
  ],
  relayClientUrl: "wss://relay.example.com/client",
  relayAgentUrl: "wss://relay.example.com/agent",
  remoteUser: "dev",
  ownerPrincipalKind: "user",
  ownerId: "usr_1",
  computerSource: { kind: "template", templateId: "tpl_1" },
};

export const exampleComputerError = {
  detail: "An install session is already running",
  status: 409,
  title: "Conflict",
  metadata: { sessionId: "ses_1" },
};

export const exampleTokensRow = {
  date: "2026-03-01",
  billable_tokens: 1000,
  input_tokens: 5000,
  output_tokens: 700,
  cache_read_tokens: 4000,
  cache_write_tokens: 300,
  by_model: [
    { model_id: "large", model_tier: "thinking", billable_tokens: 800, input_tokens: 4000, output_tokens: 500 },
    { model_id: "small", model_tier: "standard", billable_tokens: 200, input_tokens: 1000, output_tokens: 200 },
  ],
  by_user: [
    { user_id: "usr_1", user_email: "ann@example.com", billable_tokens: 900, by_model: [{ anything: true }] },
    { user_id: "usr_2", user_email: "bob@example.com", billable_tokens: 100, by_model: [] },
  ],
};

export const exampleTokensByModelRow = {
  date: "2026-03-01",
  group_key: "large",
  billable_tokens: 800,
  input_tokens: 4000,
  output_tokens: 500,
};

export const exampleToolsRow = {
  date: "2026-03-01",
  tool_calls: 50,
  by_tool: [
    { tool: "Bash", invocations: 30 },
    { tool: "Read", invocations: 20 },
  ],
  mcp_users_with_mcp: 2,
  mcp_by_server: [
    { server: "GitHub", invocations: 5 },
    { server: "github", invocations: 7 },
  ],
  skills_invocations: 3,
  skills_by_name: [{ name: "release", count: 3 }],
  slash_commands_invocations: 4,
  slash_commands_by_name: [{ name: "review", count: 4 }],
  hooks_invocations: 6,
  hooks_by_event: [{ event: "Stop", matcher: "*", command: "hookbell", count: 6 }],
  web_users: 1,
  autonomy_ratio_avg: 4.5,
  autonomy_ratio_p50: 4,
  autonomy_ratio_p90: 9,
  tool_calls_per_session_avg: 12.5,
  user_turns_per_session_avg: 2.8,
  tool_autonomy_level_ratio: { auto_high: 0.5, auto_medium: 0.25, auto_low: 0.15, manual: 0.1 },
};

export const exampleToolsByNameRow = { date: "2026-03-01", group_key: "Bash", tool_calls: 30 };

export const exampleActivityRow = {
  date: "2026-03-01",
  daily_active_users: 3,
  weekly_active_users: 5,
  monthly_active_users: 8,
  daily_active_users_by_client: { "terminal-ui": 2, web: 1, "non-interactive-cli": 1 },
  sessions: 9,
  messages: 120,
  user_messages: 40,
};

export const exampleActivityByClientRow = { date: "2026-03-01", group_key: "terminal-ui", daily_active_users: 2 };

export const exampleProductivityRow = {
  date: "2026-03-01",
  files_created: 4,
  files_edited: 21,
  by_extension: [{ extension: ".ts", count: 20 }],
  by_language: [{ language: "TypeScript", count: 20 }],
  git_commits: 7,
  git_prs_created: 2,
};

export const exampleUsersRow = {
  user_id: "usr_1",
  user_email: "ann@example.com",
  date: "2026-03-01",
  tool_calls: 30,
  billable_tokens: 900,
  primary_model: "large",
  primary_model_tier: "thinking",
  files_created: 2,
  files_edited: 11,
  git_commits: 4,
  git_prs_created: 1,
  mcp_calls: 5,
  skill_calls: 1,
  slash_commands: 2,
  hooks: 3,
  sessions: 4,
  messages: 60,
  user_messages: 20,
  assistant_messages: 40,
  autonomy_ratio: 1.5,
  delegation_level: "auto-high",
  languages: ["TypeScript", "Go"],
};

export const exampleMeta = { org_id: "org_1", start_date: "2026-03-01", end_date: "2026-03-01" };

export const exampleAnalyticsError = {
  title: "Bad Request",
  detail: "endDate includes today",
  status: 400,
  requestId: "req_1",
};

export const exampleReadinessReport = {
  reportId: "3e0a6f3c-5d2b-4a86-8f0e-9d3f1c2b4a5d",
  createdAt: 1_772_323_200_000,
  repoUrl: "https://git.example.com/acme/shop",
  apps: { "apps/web": { description: "The shop's web site" } },
  report: {
    "has-tests": { numerator: 1, denominator: 2, rationale: "apps/web has none" },
    "has-linter": { numerator: 2, denominator: 2, rationale: "both do" },
  },
  commitHash: "0123456789abcdef0123456789abcdef01234567",
  branch: "main",
  hasLocalChanges: false,
  hasNonRemoteCommits: true,
  modelUsed: { id: "large", reasoningEffort: "high" },
  agentVersion: "1.2.3",
};
