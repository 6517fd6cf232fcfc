// What becomes of an answer that differs from the document: what is kept, what is left out, and what is noted.
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../../../src/wings/platform/client/read-answer.ts";
import { computerSchema } from "../../../../src/wings/platform/contract/computers.ts";
import { endpoints } from "../../../../src/wings/platform/contract/endpoints.ts";
import { readinessListSchema } from "../../../../src/wings/platform/contract/readiness.ts";
import * as examples from "../../../support/usage/examples.ts";

const report = examples.exampleReadinessReport;
const criterion = { numerator: 1, denominator: 2, rationale: "" };
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe("what the document does not list, and lets pass", () => {
  it("is kept and noted once for all rows, criteria and reports", () => {
    const odd = { ...criterion, weight: 2 };
    const given = { reports: [1, 2].map(() => ({ ...report, report: { a: odd, b: odd }, oddField: 1 })) };
    expect(readAnswer(copy(given), readinessListSchema, "records")).toEqual({
      value: given,
      notes: [
        'reports.*: the document has no "oddField"; kept (2 times)',
        'reports.*.report.*: the document has no "weight"; kept (4 times)',
      ],
    });
  });

  it("is no note where hookbell's own server says so", () => {
    const { body } = endpoints.getTokens.success;
    const meta = { org_id: "local", start_date: "2026-03-01", end_date: "2026-03-01", so_far: "2026-03-01" };
    const answer = { data: [], meta: { ...meta, counted_since: "2026-03-01T00:00:00Z" } };
    expect(readAnswer(copy(answer), body, "figures")).toEqual({ value: answer, notes: [] });
  });
});

describe("a readiness report", () => {
  const read = (...reports: unknown[]): ReturnType<typeof readAnswer> =>
    readAnswer(copy({ reports }), readinessListSchema, "records");

  it.each<[string, object, object, string]>([
    [
      "an effort that is not listed is kept",
      { modelUsed: { id: "m", reasoningEffort: "none" } },
      { modelUsed: { id: "m", reasoningEffort: "none" } },
      'modelUsed.reasoningEffort: expected one of "low", "medium", "high", "off", got "none"; kept',
    ],
    [
      "an id that is no UUID is kept",
      { reportId: "r-1" },
      { reportId: "r-1" },
      'reportId: expected a UUID, got "r-1"; kept',
    ],
    ["an optional field that is null", { branch: null }, { branch: "" }, "branch: expected a text, got null"],
    [
      "an optional field of another type is left out",
      { hasLocalChanges: "no" },
      { hasLocalChanges: undefined },
      "hasLocalChanges: expected true or false, got a text; left out",
    ],
    [
      "a criterion without its numerator is left out",
      { report: { a: criterion, b: { denominator: 1, rationale: "" } } },
      { report: { a: criterion } },
      "report.b.numerator: expected a number, got nothing; reports.*.report.b left out",
    ],
    ["apps that are missing are none", { apps: undefined }, { apps: {} }, "apps: expected an object, got nothing"],
    [
      "a rationale that is missing is empty",
      { report: { a: { numerator: 1, denominator: 2 } } },
      { report: { a: criterion } },
      "report.a.rationale: expected a text, got nothing",
    ],
  ])("%s, and noted", (_, given, kept, note) => {
    const reading = read({ ...report, ...given });
    expect(reading).toEqual({ value: { reports: [copy({ ...report, ...kept })] }, notes: [`reports.*.${note}`] });
  });

  it.each<[string, object]>([
    ["more pass than were looked at", { numerator: 3 }],
    ["none was looked at", { denominator: 0 }],
    ["fewer than none pass", { numerator: -1 }],
  ])("loses the criterion of which %s, since its share would be none", (_, given) => {
    const reading = read({ ...report, report: { a: criterion, b: { ...criterion, ...given } } });
    expect(reading).toMatchObject({ value: { reports: [{ report: { a: criterion } }] } });
    expect("value" in reading && JSON.stringify(reading.value)).not.toContain('"b"');
  });

  it.each(["reportId", "createdAt", "repoUrl", "report"])("without %s is left out, and hides no other", (field) => {
    const { [field]: _, ...rest } = report as Record<string, unknown>;
    const reading = read(rest, report, null, { ...report, [field]: null });
    expect(reading).toMatchObject({ value: { reports: [report] } });
    expect("notes" in reading && reading.notes.join("\n")).toMatch(
      /reports\.\* left out|reports\.\*: expected an object/,
    );
  });

  it("is noted once, with how many there are, where all have the same fault", () => {
    const odd = { ...report, modelUsed: { id: "m", reasoningEffort: "max" } };
    const reading = read(...Array.from({ length: 50 }, () => odd));
    expect(reading).toMatchObject({ notes: [expect.stringMatching(/got "max"; kept \(50 times\)$/)] });
  });
});

it.each([[{}], [{ reports: "none" }], [{ reports: null }], [[]], ["reports"], [null]])(
  "%j is no list of reports",
  (body) => {
    expect(readAnswer(body, readinessListSchema, "records")).toEqual({ problem: expect.any(String) as string });
  },
);

it("a computer keeps what is new, and needs what it cannot do without", () => {
  const read = (more: object): ReturnType<typeof readAnswer> =>
    readAnswer(copy({ ...examples.exampleComputer, ...more }), computerSchema, "records");
  const odd = { region: "eu", status: "asleep", providerType: "ec2", hostId: "h", relayAgentUrl: "relay" };
  const reading = read(odd);
  expect(reading).toMatchObject({ value: { ...examples.exampleComputer, ...odd } });
  expect("notes" in reading && reading.notes).toHaveLength(5);
  const step = { id: "a", name: "b", status: "c" };
  expect(read({ provisioningSteps: [{ ...step, progress: 7 }, { id: "x" }] })).toMatchObject({
    value: { provisioningSteps: [{ ...step, progress: 7 }] },
  });
  expect(read({ createdAt: "yesterday" })).toEqual({ problem: "createdAt: expected a number, got a text" });
});

describe("figures", () => {
  const read = (row: object): ReturnType<typeof readAnswer> =>
    readAnswer(
      copy({ data: [row], meta: { ...examples.exampleMeta, has_more: false } }),
      endpoints.getUsers.success.body,
      "figures",
    );

  it("may have words that are not listed, and lack words", () => {
    const reading = read({ ...examples.exampleUsersRow, delegation_level: "full", primary_model: null });
    expect(reading).toMatchObject({ value: { data: [{ delegation_level: "full", primary_model: "" }] } });
    expect("notes" in reading && reading.notes).toHaveLength(2);
  });

  it.each<[string, object]>([
    ["a number that is missing", { sessions: undefined }],
    ["a number that is null", { sessions: null }],
    ["a number as a text", { sessions: "4" }],
    ["no user", { user_id: null }],
    ["no day", { date: "2026-02-30" }],
  ])("with %s are an error, since nothing is guessed", (_, given) => {
    expect(read({ ...examples.exampleUsersRow, ...given })).toEqual({ problem: expect.any(String) as string });
  });
});
