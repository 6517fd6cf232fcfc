// Makes src/model/privacy/detector-shapes.ts from the rules of betterleaks, a scanner for leaked credentials. The data file
// holds names and expressions only. `node scripts/tables/secret-detectors.mjs betterleaks.toml 1.7.0` takes over another version; its licence is
// beside it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";

const dataFile = fileURLToPath(new URL("secret-detectors.json", import.meta.url));

/** Names of accounts and hosts are no secrets, nor are public keys; the others have expressions of their own. */
const leftOut =
  /-(?:id|url|host|name|domain|email|dsn)$|-pub(?:lic|lishable)?-|^(?:jwt|private-key|posthog-project|scalr|atlassian|temporal|clerk|highnote)/;
/** Beginnings that ordinary names have as well. */
const common = /^(?:(?:live|test)_(?:pub_)?|(?:pub)?key[_-]|(?:na|eu)1\.|EAAA)$/i;
/** So many random characters tell a token from a word, and a token that was cut is still recognised. */
const enoughCharacters = 20;
const minFixedLength = 10;
const maxAlternatives = 24;
/** A group that is repeated more often takes too long to search for. */
const maxNested = 4;

export function detectorShapesText() {
  const { name, version, licence, source, rules } = JSON.parse(readFileSync(dataFile, "utf8"));
  const shapes = new Map();
  for (const { id, expression } of rules) {
    for (const { prefix, rest, ...shape } of shapesOf(id.replace(/\.\d+$/, ""), expression)) {
      const key = JSON.stringify(shape);
      const { starts } = shapes.get(key) ?? shapes.set(key, { ...shape, starts: {} }).get(key);
      starts[prefix] = starts[prefix] === undefined || starts[prefix] === rest ? rest : `(?:${starts[prefix]}|${rest})`;
    }
  }
  return [
    "// `npm run generate` makes this file from scripts/tables/secret-detectors.json, which names the version and the licence.",
    `// ${name} ${version} (${licence}), ${source}`,
    'import type { DetectorShape } from "./detector-pass.ts";',
    "",
    "// oxfmt-ignore",
    "export const detectorShapes: readonly DetectorShape[] = [",
    ...[...shapes.values()].map((shape) => `  ${JSON.stringify(shape)},`),
    "];",
    "",
  ].join("\n");
}

function shapesOf(id, expression) {
  const nodes = leftOut.test(id) ? undefined : parse(expression);
  if (nodes === undefined) return [];
  // The token is the rule's only group, or the whole expression.
  const at = nodes.findIndex((node) => node.type === "group" && node.isCaptured);
  const before = nodes.slice(0, Math.max(at, 0)).filter((node) => !isEdge(node));
  const about = { needsContext: before.length > 0, hasEdge: nodes[0]?.type === "edge" };
  return alternativesOf(at === -1 ? nodes : [nodes[at]]).flatMap((each) => shapeOf(id, each, about) ?? []);
}

/** Such as `(?:^|[\s"'])`. */
function isEdge(node) {
  if (node.type === "edge") return true;
  return node.type === "group" && node.alternatives.some((nodes) => nodes.length === 1 && nodes[0].type === "edge");
}

/** With the groups at the beginning written out, as far as they hold fixed characters. */
function alternativesOf(nodes) {
  const at = nodes.findIndex((node) => node.type !== "text");
  if (at === -1 || nodes[at].type !== "group") return [nodes];
  const { alternatives } = nodes[at];
  if (alternatives.length > maxAlternatives) return [nodes];
  return alternatives.flatMap((each) => alternativesOf([...nodes.slice(0, at), ...each, ...nodes.slice(at + 1)]));
}

function shapeOf(id, nodes, { needsContext, hasEdge }) {
  const flat = nodes.filter((node) => node.type !== "edge");
  const first = flat.findIndex((node) => node.type !== "text");
  if (first <= 0) return undefined;
  const prefix = flat
    .slice(0, first)
    .map(({ text }) => text)
    .join("");
  const isMarked = /[_.~!$-]/.test(prefix.slice(1));
  if (prefix.length < (needsContext ? 4 : 3) || common.test(prefix) || (needsContext && !isMarked)) return undefined;
  const name = nameOf(id);
  if (!isMarked) {
    const source = flat.map(sourceOf).join("");
    if (leastLength(flat) < enoughCharacters || hasUnknown(flat) || source.includes("\\s")) return undefined;
    return { name, isWord: true, prefix, rest: `${flat.slice(first).map(sourceOf).join("")}(?![\\w-])` };
  }
  const end = endOfBeginning(flat, first);
  const rest = flat
    .slice(first, end)
    .map((node) => sourceOf(shortened(node)))
    .join("");
  if (end === 0 || hasUnknown(flat.slice(0, end))) return undefined;
  const others = [
    ...new Set(
      flat
        .slice(end - 1)
        .flatMap(charactersOf)
        .join("")
        .replace(/[\w-]/g, ""),
    ),
  ].join("");
  const isWord = hasEdge && prefix.length < 6;
  return { name, ...(isWord ? { isWord } : {}), isVague: true, goesOnWith: `\\w${others}-`, prefix, rest };
}

/** Zero if the token is too short. */
function endOfBeginning(flat, first) {
  for (let end = first, length = 0; end < flat.length; end += 1) {
    length += leastLength([shortened(flat[end])]);
    if (length >= minFixedLength) return end + 1;
  }
  return 0;
}

function shortened(node) {
  if (node.type !== "class" || node.least <= enoughCharacters) return node;
  return { ...node, least: enoughCharacters, most: enoughCharacters };
}

function hasUnknown(nodes) {
  return nodes.some((node) => node.isUnknown || (node.type === "group" && node.alternatives.some(hasUnknown)));
}

function leastLength(nodes) {
  return nodes.reduce((sum, node) => {
    if (node.type === "edge") return sum;
    if (node.type === "text") return sum + node.least;
    if (node.type === "class") return sum + node.least;
    return sum + node.least * Math.min(...node.alternatives.map(leastLength));
  }, 0);
}

/** The characters other than words' of what can follow. */
function charactersOf(node) {
  if (node.type === "group") return node.alternatives.flat().flatMap(charactersOf);
  if (node.type === "edge" || node.isUnknown) return [];
  if (node.type === "text") return [node.text];
  return [...node.inside.replaceAll(/\\[wdsSWD]|.-./g, "").replaceAll("\\", "")];
}

function sourceOf(node) {
  if (node.type === "edge") return "";
  if (node.type === "text") return escaped(node.text) + times(node);
  if (node.type === "class") return `[${node.inside}]${times(node)}`;
  return `(?:${node.alternatives.map((nodes) => nodes.map(sourceOf).join("")).join("|")})${times(node)}`;
}

function times({ least, most }) {
  if (least === 1 && most === 1) return "";
  if (least === 0 && most === 1) return "?";
  return least === most ? `{${least}}` : `{${least},${Math.min(most, 400)}}`;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const vendors = {
  "1password": "1Password",
  aikido: "Aikido",
  apify: "Apify",
  aws: "AWS",
  circleci: "CircleCI",
  clickhouse: "ClickHouse",
  cockroachlabs: "Cockroach Labs",
  configcat: "ConfigCat",
  datastax: "DataStax",
  digitalocean: "DigitalOcean",
  docker: "Docker",
  dockerhub: "Docker",
  easypost: "EasyPost",
  ebay: "eBay",
  flyio: "Fly.io",
  gcp: "Google",
  github: "GitHub",
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  langchain: "LangSmith",
  mongodb: "MongoDB",
  "new-relic": "New Relic",
  npm: "npm",
  onesignal: "OneSignal",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  planetscale: "PlanetScale",
  posthog: "PostHog",
  pypi: "PyPI",
  rubygems: "RubyGems",
  runpod: "RunPod",
  sendgrid: "SendGrid",
  settlemint: "SettleMint",
  togetherai: "Together AI",
  upcloud: "UpCloud",
  "val-town": "Val Town",
  vault: "HashiCorp",
  "weights-and-biases": "Weights & Biases",
  xai: "xAI",
};

/** `circleci-personal-token` is a "CircleCI token". */
function nameOf(id) {
  const [first] = id.split("-");
  const vendor = Object.keys(vendors).find((each) => id.startsWith(`${each}-`));
  const kind = id.slice((vendor ?? first).length);
  const noun = kind.includes("token") ? "token" : /-(key|secret|password|cookie)/.exec(kind)?.[1];
  return `${vendors[vendor] ?? first.charAt(0).toUpperCase() + first.slice(1)} ${noun ?? "token"}`;
}

/** The nodes of a Go expression; a node that is of no use here is marked as unknown. */
function parse(expression) {
  let at = 0;
  const list = alternatives(false);
  if (at < expression.length) return undefined;
  return list.length === 1 ? list[0] : [{ type: "group", isCaptured: false, alternatives: list, least: 1, most: 1 }];

  function alternatives(isCaselessOutside) {
    let isCaseless = isCaselessOutside;
    const list = [[]];
    while (at < expression.length && expression[at] !== ")") {
      if (expression[at] === "|") {
        at += 1;
        list.push([]);
        continue;
      }
      const flags = /^\(\?(-?)i\)/.exec(expression.slice(at));
      if (flags !== null) {
        isCaseless = flags[1] === "";
        at += flags[0].length;
        continue;
      }
      list.at(-1).push(repeated(atom(isCaseless)));
    }
    return list;
  }

  function atom(isCaseless) {
    const rest = expression.slice(at);
    const character = rest[0];
    if (character === "(") return group(isCaseless);
    if (character === "[") return characterClass(isCaseless);
    if (character === "^" || character === "$" || /^\\[bzA]/.test(rest)) {
      at += character === "\\" ? 2 : 1;
      return { type: "edge" };
    }
    at += 1;
    if (character === ".") return { type: "class", inside: "", isUnknown: true };
    if (character !== "\\") return text(character);
    const kind = rest[1];
    at += 1;
    if (kind === "x") {
      at += 2;
      return text(String.fromCharCode(Number.parseInt(rest.slice(2, 4), 16)));
    }
    return /[wds]/.test(kind) ? { type: "class", inside: `\\${kind}` } : text(kind);
  }

  function text(character) {
    return { type: "text", text: character };
  }

  function group(isCaseless) {
    const opening = /^\((?:\?(?:P<\w+>|(-?i|s)?:))?/.exec(expression.slice(at));
    at += opening[0].length;
    const isInside = opening[1] === "i" || (opening[1] !== "-i" && isCaseless);
    const list = alternatives(isInside);
    at += 1;
    return { type: "group", isCaptured: opening[0] === "(" || opening[0].includes("P<"), alternatives: list };
  }

  function characterClass(isCaseless) {
    const [whole, written] = /^\[((?:\[:\w+:\]|\\.|[^\]\\])+)\]/.exec(expression.slice(at));
    at += whole.length;
    let inside = written.replaceAll("[:alnum:]", "A-Za-z\\d").replaceAll("0-9", "\\d").replaceAll("\\x60", "`");
    const isUnknown = inside.startsWith("^");
    if (isCaseless)
      inside = inside
        .replace(/a-z|A-Z/, "A-Za-z")
        .replace(/a-f(?!A)/, "a-fA-F")
        .replace(/a-h(?!A)/, "a-hA-H");
    return { type: "class", inside: inside.replace("A-Za-za-z", "A-Za-z").replace("A-Za-zA-Z", "A-Za-z"), isUnknown };
  }

  function repeated(node) {
    if (node.type === "edge") return node;
    const quantifier = /^(?:\{(\d+)(,)?(\d*)\}|[*+?])\??/.exec(expression.slice(at));
    if (quantifier === null) return { ...node, least: 1, most: 1 };
    at += quantifier[0].length;
    const sign = quantifier[0][0];
    const least = sign === "{" ? Number(quantifier[1]) : sign === "+" ? 1 : 0;
    const endless = 400;
    const given = quantifier[2] === undefined ? least : quantifier[3] === "" ? endless : Number(quantifier[3]);
    const most = sign === "{" ? given : sign === "?" ? 1 : endless;
    const isNested = node.type === "group" && most > maxNested;
    return { ...node, least, most, isUnknown: node.isUnknown || isNested };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file, version] = process.argv;
  const { rules } = getStaticTOMLValue(parseTOML(readFileSync(file, "utf8")));
  const data = {
    name: "betterleaks",
    version,
    licence: "MIT",
    source: "https://github.com/betterleaks/betterleaks/blob/main/config/betterleaks.toml",
    rules: rules.flatMap(({ id, regex }) => (regex === undefined ? [] : [{ id, expression: regex }])),
  };
  writeFileSync(dataFile, `${JSON.stringify(data, null, 2)}\n`);
}
