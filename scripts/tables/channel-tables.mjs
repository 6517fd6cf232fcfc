// docs/reference/CHANNELS.md: every channel type with its settings and limits, made from the registry and the settings' schemas.
import { table } from "./agent-tables.mjs";

const content = {
  none: "none of the agent's words",
  summary: "a summary of the agent's words",
  full: "all of the agent's words",
};
const units = { utf16: "UTF-16 units", codePoints: "characters", bytes: "bytes", items: "", milliseconds: "ms" };

/** The whole document. */
export function channelsDocument({ channelTypes, settingsOf, alternativesOf, formatDuration }) {
  const [first] = channelTypes;
  const common = settingsOf(first).filter(({ isCommon }) => isCommon);
  const overview = channelTypes.map((type) => [
    `[\`${type.type}\`](#${type.type})`,
    type.summary,
    neededSettings(type, settingsOf, alternativesOf),
    formatDuration(type.expiresAfterMs),
  ]);
  return `# Channels

<!-- Made by \`npm run generate\`. -->

A channel of the rules file has a type and the type's settings. \`hookbell channels add TYPE\` asks for them, sends a test and writes the
rules file; \`hookbell channels TYPE\` shows them in the terminal.

${table(["type", "what it is", "needs", "a message waits at most"], overview)}
A setting whose value is "a text, or where to get it" may be a string, \`{ "env": NAME }\`, \`{ "file": PATH }\` or
\`{ "command": [PROGRAM, ...] }\`. hookbell gets the value when it sends, and never stores it in its queue or its journal.

## Settings of every channel

${settingsTable(common)}
${channelTypes.map((type) => section(type, settingsOf, alternativesOf)).join("\n")}`;
}

function neededSettings(type, settingsOf, alternativesOf) {
  const needed = settingsOf(type).filter(({ isRequired }) => isRequired);
  const ways = alternativesOf(type).map((way) => (Array.isArray(way) ? way : way.required));
  const named = (keys) => keys.map((key) => `\`${key}\``).join(", ");
  return ways.length > 1 ? ways.map(named).join(" or ") : named(needed.map(({ key }) => key)) || "nothing";
}

function section(type, settingsOf, alternativesOf) {
  const own = settingsOf(type).filter(({ isCommon }) => !isCommon);
  const needs = alternativesOf(type).length > 1 ? `Needs ${neededSettings(type, settingsOf, alternativesOf)}. ` : "";
  const texts = type.limits.filter(({ unit }) => unit !== "milliseconds");
  return `## ${type.type}

${type.summary}. ${needs}It passes on ${content[type.content]} by default.${linked(type.docs)}

${own.length === 0 ? "It has no settings of its own.\n" : settingsTable(own)}${
    texts.length === 0 ? "" : `\nLimits: ${texts.map(limitText).join("; ")}.\n`
  }`;
}

function linked(docs) {
  return docs.startsWith("https:") ? ` See <${docs}>.` : "";
}

function limitText({ what, most, unit }) {
  return [what, most.toLocaleString("en"), units[unit]].filter((part) => part !== "").join(" ");
}

function settingsTable(settings) {
  const rows = settings.map(({ key, form, isRequired, meaning, default: usual }) => [
    `\`${key}\``,
    form,
    isRequired ? "yes" : "",
    meaning + (usual === undefined ? "" : `; default: \`${JSON.stringify(usual)}\``),
  ]);
  return table(["setting", "value", "required", "meaning"], rows);
}
