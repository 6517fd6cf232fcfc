// Writes the files that are made from others: config/*.schema.json from the schemas, src/rules/default-rules.ts from
// config/rules.default.jsonc, the plug-ins of opencode and pi as texts, src/agents/hook-setups.ts, transcripts.ts and signs-of-agents.ts from the agents' folders,
// the tables in docs/reference/AGENTS.md from their hook setups, docs/reference/GALLERY.md from captured payloads, docs/reference/CHANNELS.md from the registry of channels, and the table in docs/background/COMPARISON.md from the
// bench's results. With --check it writes nothing, and fails when one of them is out of date.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withAgentTables } from "./tables/agent-tables.mjs";
import { withHookPlaces } from "./tables/hook-places.mjs";
import { galleryDocument } from "./tables/gallery.mjs";
import { channelsDocument } from "./tables/channel-tables.mjs";
import { withDelaysTable, withLooksTable } from "./tables/live-tables.mjs";
import { withPeersTable } from "./tables/peers-table.mjs";
import { withStatesTable } from "./tables/states-table.mjs";
import { confusablesText } from "./tables/confusables.mjs";
import { detectorShapesText } from "./tables/secret-detectors.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A wing that may be away. */
const guardPlaces = "src/wings/guard/launches/places.ts";
const hasGuard = existsSync(join(root, guardPlaces));
const read = (path) => readFileSync(join(root, path), "utf8");
const results = (path) => JSON.parse(read(path));

// The bundles below import these.
const imported = {
  "src/agents/hook-setups.ts": hookSetupsText(),
  "src/agents/transcripts.ts": transcriptsText(),
  "src/agents/signs-of-agents.ts": answerSignsText(),
  "src/answers/card/confusables.ts": confusablesText(),
  "src/model/privacy/detector-shapes.ts": detectorShapesText(),
  "src/agents/known/opencode/plug-in-text.ts": plugInText("opencode"),
  "src/agents/known/pi/plug-in-text.ts": plugInText("pi"),
};
if (!process.argv.includes("--check")) for (const [path, text] of Object.entries(imported)) write(path, text);

// Inside the project, so that the bundle finds its libraries.
const folder = mkdtempSync(join(root, "node_modules/.hookbell-generate-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: [
      "src/rules/json-schema.ts",
      "src/agents/index.ts",
      "src/agents/hook-setups.ts",
      "src/agents/dialect/notification-types.ts",
      "src/agents/read-payload.ts",
      "src/channels/chat/slack/message.ts",
      "src/channels/rendering/compose.ts",
      "src/channels/local/desktop/appearance.ts",
      "src/pipeline/understand/event-of.ts",
      "src/pipeline/understand/session.ts",
      "src/model/privacy/content.ts",
      "src/model/rich-text/parse-markdown.ts",
      "src/rules/apply/default-text.ts",
      "src/rules/apply/render.ts",
      "src/channels/index.ts",
      "src/model/figures/duration.ts",
      "src/rules/setting-info.ts",
      "src/cli/man-page.ts",
      ...(hasGuard ? [guardPlaces] : []),
    ],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outbase: "src",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { projectJsonSchemaText, rulesJsonSchemaText } = await load("rules/json-schema.mjs");
  const literal = read("config/rules.default.jsonc").replace(/[\\`]|\$\{/g, "\\$&");
  const comment =
    "// Made from config/rules.default.jsonc by `npm run generate`, so that no damaged installation is without rules.";
  const { agents } = await load("agents/index.mjs");
  const { findHookSetup } = await load("agents/hook-setups.mjs");
  const { notificationTypeOf } = await load("agents/dialect/notification-types.mjs");
  const { loadChannelTypes } = await load("channels/index.mjs");
  const { formatDuration } = await load("model/figures/duration.mjs");
  const settingInfo = await load("rules/setting-info.mjs");
  const { manPage } = await load("cli/man-page.mjs");
  const channelTypes = await loadChannelTypes();
  const files = {
    ...imported,
    "docs/reference/CHANNELS.md": channelsDocument({ channelTypes, formatDuration, ...settingInfo }),
    "src/agents/event-names.ts": eventNamesText(agents, findHookSetup),
    "docs/reference/AGENTS.md": withAgentTables(
      withDelaysTable(read("docs/reference/AGENTS.md"), results("test/live-agents/answers/delays.json"), agents),
      agents,
      findHookSetup,
      notificationTypeOf,
    ),
    ...(hasGuard
      ? {
          "docs/reference/HOOK-PLACES.md": withHookPlaces(
            read("docs/reference/HOOK-PLACES.md"),
            await load("wings/guard/launches/places.mjs"),
            agents,
            findHookSetup,
          ),
        }
      : {}),
    "docs/background/SESSIONS.md": withStatesTable(
      withLooksTable(read("docs/background/SESSIONS.md"), results("test/live-agents/looks/looks.json"), agents),
      results("test/recorded-runs/states.json"),
      agents,
    ),
    "docs/background/COMPARISON.md": withPeersTable(
      read("docs/background/COMPARISON.md"),
      read("bench/peers/RESULTS.md"),
    ),
    "docs/reference/GALLERY.md": galleryDocument(agents, capturedPayloads(), await galleryParts(load)),
    "man/hookbell.1": manPage(JSON.parse(read("package.json")).version),
    "config/project.schema.json": projectJsonSchemaText(),
    "config/rules.schema.json": await rulesJsonSchemaText(),
    "src/rules/default-rules.ts": `${comment}\nexport const defaultRulesText = \`${literal}\`;\n`,
  };
  if (process.argv.includes("--check")) assertCurrent(files);
  else for (const [path, text] of Object.entries(files)) write(path, text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The list of the hook setups: apart from the dialects, because the hook loads those and never these. */
/** The program alone: an agent's host needs no types. */
function plugInText(agent) {
  const source = read(`src/agents/known/${agent}/plug-in.js`);
  const program = source.slice(source.indexOf("\nimport ") + 1).replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, "");
  return `// The plug-in that ${agent} loads. Made from plug-in.js by \`npm run generate\`.
export const ${agent}PlugIn = \`${program.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\`;
`;
}

function hookSetupsText() {
  const { imports, members } = listOf("hook-setup", "HookSetup");
  return `// How agents' hooks are set up, by their ids. Made from the folders of known/ by \`npm run generate\`.
${imports.join("\n")}
import { familyHookSetups } from "./family/hook-setup.ts";
import type { HookSetup } from "./hook-setup.ts";

export const hookSetups = {
${members.join("\n")}
  ...familyHookSetups,
} satisfies Record<string, HookSetup>;

/** Undefined for an agent that the user sets up by hand. */
export function findHookSetup(id: string): HookSetup | undefined {
  return Object.hasOwn(hookSetups, id) ? hookSetups[id as keyof typeof hookSetups] : undefined;
}
`;
}

/** The names of the events that agents send: rules and payloads are checked against it without loading the hook setups. */
function eventNamesText(agents, findHookSetup) {
  const namesOf = ({ id }) => {
    const names = Object.values(findHookSetup(id)?.events ?? {}).flatMap(({ mapsTo }) => mapsTo);
    return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
  };
  const lists = agents.filter((agent) => namesOf(agent).length > 0);
  return `// The agents that are known, and the events that they send. Made from the hook setups by \`npm run generate\`.
export const eventNamesOf: Readonly<Record<string, readonly string[]>> = {
${lists.map((agent) => memberText(agent.id, namesOf(agent))).join("\n")}
};

export const agentEventNames: readonly string[] = [...new Set(Object.values(eventNamesOf).flat())].toSorted();

export const agentIds: readonly string[] = [
${agents.map(({ id }) => `  "${id}",`).join("\n")}
];
`;
}

/** A member of an object, as the formatter writes it. */
function memberText(key, names) {
  const start = `  ${/^[a-z]+$/.test(key) ? key : JSON.stringify(key)}: [`;
  const line = `${start}${names.map((name) => `"${name}"`).join(", ")}],`;
  return line.length <= 120 ? line : `${start}\n${names.map((name) => `    "${name}",\n`).join("")}  ],`;
}

/** What the gallery is drawn with: the parts that really read events and write messages. */
async function galleryParts(load) {
  const names = [
    "agents/read-payload",
    "channels/chat/slack/message",
    "channels/rendering/compose",
    "channels/local/desktop/appearance",
    "pipeline/understand/event-of",
    "pipeline/understand/session",
    "model/privacy/content",
    "model/rich-text/parse-markdown",
    "rules/apply/default-text",
    "rules/apply/render",
  ];
  const parts = Object.assign({}, ...(await Promise.all(names.map((name) => load(`${name}.mjs`)))));
  await parts.loadSummaries();
  return parts;
}

/** The payloads, keyed by agent and file name. */
function capturedPayloads() {
  const known = join(root, "test/agents/known");
  const agentsHere = readdirSync(known).filter((id) => existsSync(join(known, id, "payloads")));
  return Object.fromEntries(
    agentsHere.map((id) => {
      const names = readdirSync(join(known, id, "payloads")).toSorted((a, b) => (a < b ? -1 : 1));
      // A tool's call comes before the question about it.
      const inOrder = [
        ...names.filter((name) => /PreToolUse/.test(name)),
        ...names.filter((name) => !/PreToolUse/.test(name)),
      ];
      return [
        id,
        Object.fromEntries(
          inOrder.map((name) => [name.replace(/\.json$/, ""), read(`test/agents/known/${id}/payloads/${name}`)]),
        ),
      ];
    }),
  );
}

/** The list of the transcripts that can be read: only the server loads them. */
function transcriptsText() {
  const { imports, members } = listOf("transcript", "Transcript");
  return `// How agents' transcripts are read, by the agents' ids. Made from the folders of known/ by \`npm run generate\`.
import type { TranscriptFormat } from "./dialect/transcript.ts";
${imports.join("\n")}

export const transcripts: Readonly<Record<string, TranscriptFormat>> = {
${members.join("\n")}
};
`;
}

function answerSignsText() {
  const { imports, members } = listOf("answer-signs", "AnswerSigns");
  return `// How agents show that they were answered at their terminals, by the agents' ids. Made from the folders of known/ by
// \`npm run generate\`.
import type { AnswerSigns } from "./answer-signs.ts";
${imports.join("\n")}

export const answerSigns: Readonly<Record<string, AnswerSigns>> = {
${members.join("\n")}
};
`;
}

/** The agents whose folder has this file, as lines of a list; each file exports one thing, named after its agent. */
function listOf(file, suffix) {
  const ids = readdirSync(join(root, "src/agents/known")).filter((id) =>
    existsSync(join(root, "src/agents/known", id, `${file}.ts`)),
  );
  const nameOf = (id) => `${id.replace(/-(.)/g, (_, letter) => letter.toUpperCase())}${suffix}`;
  return {
    imports: ids.map((id) => `import { ${nameOf(id)} } from "./known/${id}/${file}.ts";`),
    members: ids.map((id) => `  ${/-/.test(id) ? `"${id}"` : id}: ${nameOf(id)},`),
  };
}

function assertCurrent(files) {
  const old = Object.entries(files).filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text);
  for (const [path] of old) console.error(`${path} is out of date: run npm run generate`);
  if (old.length > 0) process.exitCode = 1;
}

function write(path, text) {
  writeFileSync(join(root, path), text);
}
