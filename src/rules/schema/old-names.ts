// Names of 1.0.0-rc.1 that rules files and held deliveries may still have: they work through 1.x, and `check` says the new ones.
import type { Node } from "jsonc-parser";
import { entriesOf, itemsOf, memberOf } from "../../jsonc/nodes.ts";
import type { Problem } from "../../model/errors.ts";
import type { JsonSchema } from "./known-keys.ts";

type Place = "rule" | "when" | "defaults";

/** Settings, and in which objects they stand. */
const settings: readonly { old: string; now: string; places: readonly Place[] }[] = [
  { old: "whileHelpersRun", now: "whileSubagentsRun", places: ["rule", "defaults"] },
  { old: "runningHelpers", now: "runningSubagents", places: ["when"] },
];

/** Values of settings. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  whileSubagentsRun: { hold: "defer", tell: "notify" },
};

/** Rules of hookbell's own, by their old names. */
const builtInRules: Readonly<Record<string, string>> = { "broke off": "failed", "session broke": "session failed" };

/** Gives the tree the new names, so that nothing else knows of the old ones. Says each use, by its place in the file. */
export function renameSettings(root: Node): Problem[] {
  const rules = itemsOf(memberOf(root, "rules")).map((rule, index) => [rule, `rules.${index}`] as const);
  return [
    ...renameIn("defaults", memberOf(root, "defaults"), "defaults"),
    ...rules.flatMap(([rule, path]) => [
      ...renameIn("rule", rule, path),
      ...renameIn("when", memberOf(rule, "when"), `${path}.when`),
    ]),
  ];
}

function renameIn(place: Place, object: Node | undefined, path: string): Problem[] {
  const found = renameKeys(place, object, path);
  return [...found, ...renameValues(object, path)];
}

function renameKeys(place: Place, object: Node | undefined, path: string): Problem[] {
  return settings.flatMap(({ old, now, places }): Problem[] => {
    const property = entriesOf(object).find(({ name }) => name === old)?.property;
    const key = property?.children?.[0];
    if (property === undefined || key === undefined || !places.includes(place)) return [];
    const found = { path: `${path}.${old}`, offset: key.offset, length: key.length };
    if (memberOf(object, now) !== undefined) {
      object?.children?.splice(object.children.indexOf(property), 1);
      return [{ ...found, message: `"${old}" is the old name of "${now}", which is here, too`, hint: `keep "${now}"` }];
    }
    property.children?.splice(0, 1, { ...key, value: now });
    return [{ ...found, severity: "warning", message: `"${old}" is called "${now}" now` }];
  });
}

function renameValues(object: Node | undefined, path: string): Problem[] {
  return entriesOf(object).flatMap(({ name, property }): Problem[] => {
    const value = property.children?.[1];
    const now =
      Object.hasOwn(values, name) && typeof value?.value === "string" ? values[name]?.[value.value] : undefined;
    if (value === undefined || now === undefined) return [];
    property.children?.splice(1, 1, { ...value, value: now });
    const message = `"${String(value.value)}" is called "${now}" now`;
    return [{ path: `${path}.${name}`, offset: value.offset, length: value.length, severity: "warning", message }];
  });
}

/** The object's schema for editors, which mark an old name as outdated. */
export function withOldSettings(schema: JsonSchema, place: Place): JsonSchema {
  const outdated = settings.flatMap(({ old, now, places }) => {
    const form = schema.properties?.[now];
    const description = `the old name of ${now}`;
    return form === undefined || !places.includes(place) ? [] : [[old, { ...form, description, deprecated: true }]];
  });
  const properties = { ...schema.properties, ...(Object.fromEntries(outdated) as JsonSchema["properties"]) };
  const withValues = Object.entries(properties).map(([name, form]) => [name, withOldValues(form, name)]);
  return { ...schema, properties: Object.fromEntries(withValues) as JsonSchema["properties"] };
}

function withOldValues(form: JsonSchema, name: string): JsonSchema {
  const old = values[settings.find((each) => each.old === name)?.now ?? name];
  if (old === undefined) return form;
  const { type, enum: now, ...others } = form;
  const outdated = { enum: Object.keys(old), description: "the old names", deprecated: true };
  return { ...others, anyOf: [{ type, enum: now }, outdated] };
}

/** The rules of this name; where there are none, those that had it before. */
export function rulesNamed<Rule extends { name: string }>(rules: readonly Rule[], name: string): Rule[] {
  const named = rules.filter((rule) => rule.name === name);
  const now = Object.hasOwn(builtInRules, name) ? builtInRules[name] : undefined;
  return named.length > 0 || now === undefined ? named : rules.filter((rule) => rule.name === now);
}
