// Kinds of settings that several channel types have. A setting's schema is the only description of it.
import { isAbsolute } from "node:path";
import * as z from "zod";
import { parseDuration } from "../model/figures/duration.ts";
import { Secret, type SecretSource } from "../model/privacy/secret.ts";
import { urlProblem } from "../system/network/destination.ts";

// Compiling a parser takes longer than it saves: a process reads few objects.
z.config({ jitless: true });

const sourceForms = 'a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }';

export const expectedPath = "expected an absolute path, or one that starts with ~/";

/** An optional setting whose schema is made when a file has it. */
export function optionalSetting<Schema extends z.ZodType>(make: () => Schema): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make);
  // zod would make it to learn whether it has a default.
  schema._zod.optin = undefined;
  return schema.optional();
}

/** The same file in every folder. */
export function isWholePath(path: string): boolean {
  return isAbsolute(path) || /^~(?:[\\/]|$)/.test(path);
}

/** `./notify` would run a program from the agent's folder. */
export function programSetting(): z.ZodType<string> {
  const isFindable = (program: string): boolean => isWholePath(program) || !/[\\/]/.test(program);
  return z.string().min(1).refine(isFindable, { error: "expected a name on PATH, an absolute path or ~/..." });
}

/** The mark tells a source from any other object in the settings. */
function source(value: SecretSource): SecretSource {
  return Object.freeze(value);
}

/** Shared, since a schema takes time to make. */
const secretForms = z.lazy(() =>
  z.union(
    [
      z.string().min(1),
      z.strictObject({ env: z.string().min(1) }),
      z.strictObject({ file: z.string().min(1).refine(isWholePath, { error: expectedPath }) }),
      z.strictObject({ command: z.tuple([programSetting()], z.string()) }),
    ],
    { error: `expected ${sourceForms}` },
  ),
);

/**
 * A URL, token or password: the text itself, or where to get it when sending. Never stored in the outbox or journal.
 * `problemOf` checks a text that is in the rules file; a text from elsewhere is checked when it is used.
 */
export function secretSetting(
  description: string,
  problemOf: (text: string) => string | undefined = () => undefined,
): z.ZodType<SecretSource> {
  return secretForms
    .describe(description)
    .transform((value): SecretSource => {
      if (typeof value === "string") return source({ from: "literal", value: new Secret(value) });
      if ("env" in value) return source({ from: "env", name: value.env });
      if ("file" in value) return source({ from: "file", path: value.file });
      return source({ from: "command", argv: value.command });
    })
    .superRefine((value, context) => {
      const problem = value.from === "literal" ? problemOf(value.value.reveal()) : undefined;
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    });
}

const durationText = z
  .string()
  .regex(/^(\d+(ms|s|m|h|d))+$/, { error: "expected a duration such as 30s, 10m, 1h30m or 2d" });

/** Milliseconds after parsing. */
export function durationSetting(description: string): z.ZodType<number> {
  return durationText.describe(description).transform((text) => parseDuration(text) ?? 0);
}

const headerNames = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function headersSetting(description: string): z.ZodType<Record<string, SecretSource>> {
  return z
    .record(z.string().regex(headerNames, { error: "expected a header name" }), secretSetting("the header's value"))
    .describe(description);
}

/** Explains what is wrong with a URL for this vendor. */
export function urlSetting(
  description: string,
  explain: (url: string) => string | undefined = () => undefined,
): z.ZodType<SecretSource> {
  return secretSetting(description, (url) => {
    const problem = urlProblem(url) ?? explain(url);
    return problem === undefined ? undefined : `the URL ${problem}`;
  });
}

export function allowHttpSetting(): z.ZodType<boolean | undefined> {
  return z
    .boolean()
    .optional()
    .describe("Allow http:// to other machines; others in the network can then read and change the message");
}

/** Use it in `.meta({ anyOf: [...] })`: editors and `channels add` read it. */
export function alternative(title: string, required: readonly string[], optional: readonly string[] = []): object {
  const forms = required.map((name) => [name, { type: ["string", "object"] }] as const);
  const others = optional.map((name) => [name, {}] as const);
  return { title, type: "object", required, properties: Object.fromEntries([...forms, ...others]) };
}
