// The files that GitHub reads: forms for issues, the template for pull requests, and where to report what is private.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const folder = ".github/ISSUE_TEMPLATE";
const forms = readdirSync(new URL(folder, root)).filter((name) => name !== "config.yml");

const text = z.string().min(1);
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1).refine(isUnique, { message: "one of them comes twice" });
const asked = { label: text, description: text.optional() };
const prefilled = { placeholder: text.optional(), value: text.optional() };
const common = {
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  validations: z.strictObject({ required: z.boolean().optional() }).optional(),
};

/** https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema */
const element = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: text }) }),
  z.strictObject({ type: z.literal("input"), ...common, attributes: z.strictObject({ ...asked, ...prefilled }) }),
  z.strictObject({
    type: z.literal("textarea"),
    ...common,
    attributes: z.strictObject({ ...asked, ...prefilled, render: text.optional() }),
  }),
  z.strictObject({
    type: z.literal("dropdown"),
    ...common,
    attributes: z.strictObject({
      ...asked,
      multiple: z.boolean().optional(),
      options: listOf(text),
      default: z.int().optional(),
    }),
  }),
  z.strictObject({
    type: z.literal("checkboxes"),
    ...common,
    attributes: z.strictObject({
      ...asked,
      options: listOf(z.strictObject({ label: text, required: z.boolean().optional() })),
    }),
  }),
]);

/**
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms, and
 * what GitHub refuses beyond that:
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/common-validation-errors-when-creating-issue-forms
 */
const issueForm = z.strictObject({
  name: z.string().min(3),
  description: z.string().min(3),
  title: text.optional(),
  labels: listOf(text).optional(),
  assignees: listOf(text).optional(),
  projects: listOf(text).optional(),
  type: text.optional(),
  body: z
    .array(element)
    .min(1)
    .refine((body) => body.some(({ type }) => type !== "markdown"), { message: "nothing is asked" })
    .refine((body) => isUnique(body.flatMap((each) => ("id" in each ? [each.id] : []))), {
      message: "an id comes twice",
    })
    .refine((body) => isUnique(body.flatMap(({ attributes }) => ("label" in attributes ? [attributes.label] : []))), {
      message: "a label comes twice",
    }),
});

function isUnique(list: readonly unknown[]): boolean {
  return new Set(list.map((each) => JSON.stringify(each))).size === list.length;
}

const problemsOf = (form: unknown): string[] =>
  issueForm.safeParse(form).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

describe("the forms for issues", () => {
  it.each(forms)("%s is one that GitHub shows", (name) => {
    expect(problemsOf(parse(read(`${folder}/${name}`)))).toEqual([]);
  });

  it.each([
    ["an unknown attribute", { attributes: { label: "What?", hint: "x" } }],
    ["an id with a blank", { id: "a b" }],
    ["a wrong type", { type: "text" }],
    ["no label", { attributes: {} }],
  ])("are refused with %s", (_what, change) => {
    const body = [{ type: "textarea", id: "what", attributes: { label: "What?" }, ...change }];
    expect(problemsOf({ name: "A form", description: "A form", body })).not.toEqual([]);
  });

  it("ask for what doctor says, when something does not work", () => {
    const { body } = issueForm.parse(parse(read(`${folder}/fault.yml`)));
    expect(body).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ label: "hookbell doctor --json", render: "json" }),
        validations: { required: true },
      }),
    );
  });

  it("lead to the private form for a vulnerability, which SECURITY.md and the code of conduct name", () => {
    const links = z.array(z.strictObject({ name: text, url: z.url({ protocol: /^https$/ }), about: text })).min(1);
    const { contact_links: contacts } = z
      .strictObject({ blank_issues_enabled: z.boolean(), contact_links: links })
      .parse(parse(read(`${folder}/config.yml`)));
    const { homepage } = JSON.parse(read("package.json")) as { homepage: string };
    const url = `${homepage.replace(/#.*/, "")}/security/advisories/new`;
    expect(contacts.map((contact) => contact.url)).toEqual([url]);
    const [, reporting = ""] = read("SECURITY.md").split("\n## Reporting a vulnerability\n");
    expect(reporting).toContain(`<${url}>`);
    expect(read("CODE_OF_CONDUCT.md")).toContain("(SECURITY.md#reporting-a-vulnerability)");
  });
});

describe("the template for pull requests", () => {
  it("asks for the reason, a test and true documents", () => {
    const template = read(".github/pull_request_template.md");
    expect(template).toMatch(/why\*\*/);
    expect(template.match(/^- \[ \] .*/gm)).toEqual([
      expect.stringContaining("A test fails without this change"),
      expect.stringContaining("`npm run check`"),
      expect.stringContaining("CHANGELOG.md"),
    ]);
  });
});
