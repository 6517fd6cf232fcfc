// What the events of readiness reports and install sessions say, and when there is none.
import { describe, expect, it } from "vitest";
import type { Computer } from "../../../../src/wings/platform/contract/computers.ts";
import type { ReadinessReport } from "../../../../src/wings/platform/contract/readiness.ts";
import { acceptedInstall, refusedInstall, sessionEvents } from "../../../../src/wings/platform/events/install.ts";
import { readinessEvents } from "../../../../src/wings/platform/events/readiness.ts";
import { exampleComputer, exampleReadinessReport } from "../../../support/usage/examples.ts";

const report = exampleReadinessReport as ReadinessReport;
const older = (criteria: ReadinessReport["report"]): ReadinessReport => ({
  ...report,
  reportId: "00000000-0000-4000-8000-000000000001",
  createdAt: report.createdAt - 1000,
  report: criteria,
});

describe("a new report", () => {
  it("says how much is met and what is not", () => {
    const [event, ...others] = readinessEvents(report, [report]);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: "ReadinessReport", key: `readiness-report-${report.reportId}` });
    expect(event?.title).toBe("readiness 75 % on main (1 of 2 criteria met)");
    expect(event?.payload).toMatchObject({ cwd: "acme/shop", message: "has-tests 1/2: apps/web has none" });
  });

  it("is a regression, too, where a criterion fell", () => {
    const before = older({ "has-tests": { numerator: 2, denominator: 2, rationale: "" } });
    const [event, regression] = readinessEvents(report, [before, report]);
    expect(event?.title).toBe("readiness 75 % on main (1 of 2 criteria met, -25 points)");
    expect(regression).toMatchObject({ name: "ReadinessRegression", title: "readiness fell on main: has-tests" });
    expect(regression?.payload.message).toBe("has-tests 1/2, was 2/2: apps/web has none");
    expect(regression?.payload.details).toMatchObject({ criteria: ["has-tests"] });
  });

  it.each<[string, Partial<ReadinessReport>, Partial<ReadinessReport>, boolean]>([
    ["of another spelling of the address", { repoUrl: "git@git.example.com:acme/shop.git" }, {}, true],
    ["of a branch that nothing names", { branch: undefined }, { branch: undefined }, true],
    ["of the branch itself", { branch: "fix" }, { branch: "fix" }, true],
    ["of the default branch, for a branch", { branch: "main" }, { branch: "fix" }, false],
    ["without the local changes of this one", {}, { hasLocalChanges: true }, false],
    ["with local changes, as this one", { hasLocalChanges: true }, { hasLocalChanges: true }, true],
    ["of a branch, for the default branch", { branch: "fix" }, { branch: "main" }, false],
  ])("that falls behind a report %s", (_, before, now, isRegression) => {
    const met = { ...older({ "has-tests": { numerator: 2, denominator: 2, rationale: "" } }), ...before };
    const names = readinessEvents({ ...report, ...now }, [met]).map(({ name }) => name);
    expect(names).toEqual(isRegression ? ["ReadinessReport", "ReadinessRegression"] : ["ReadinessReport"]);
  });

  it("lists a few criteria and counts the rest", () => {
    const criterion = { numerator: 0, denominator: 1, rationale: "" };
    const many = {
      ...report,
      report: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, criterion])),
    };
    const met = older(Object.fromEntries(Object.keys(many.report).map((id) => [id, { ...criterion, numerator: 1 }])));
    const [event, regression] = readinessEvents(many, [met, many]);
    expect(String(event?.payload.message).split("\n").at(-1)).toBe("and 12 more");
    expect(regression?.title).toBe("readiness fell on main: 20 criteria");
  });

  it("names no branch where the report names none", () => {
    expect(readinessEvents({ ...report, branch: undefined }, [])[0]?.title).toMatch(/^readiness 75 % \(/);
  });

  it("says when every criterion is met", () => {
    const whole = { ...report, report: { a: { numerator: 1, denominator: 1, rationale: "" } } };
    expect(readinessEvents(whole, [])[0]?.payload.message).toBe("Every criterion is met.");
  });
});

describe("an install session", () => {
  const computer = exampleComputer as Computer;

  it("that is accepted comes with the steps that have ended before", () => {
    const events = acceptedInstall(computer, 1);
    expect(events.map(({ title, payload }) => [title, payload.reason])).toEqual([
      ["Clone finished", "finished"],
      ["installing dependencies", "accepted"],
    ]);
    expect(events.at(-1)?.key).toBe("computer-install-cmp_1-accepted-ses_1");
    expect(acceptedInstall(computer, 2).map(({ key }) => key)).toEqual(events.map(({ key }) => key));
  });

  it("that is accepted without a word about steps is an event all the same", () => {
    const { provisioningSteps: _, ...rest } = computer;
    expect(acceptedInstall(rest, 5).map(({ key }) => key)).toEqual(["computer-install-cmp_1-accepted-5"]);
  });

  it("that is refused says why", () => {
    const event = refusedInstall("cmp_1", "an install session is already running", 7);
    expect(event.payload).toMatchObject({ reason: "refused", message: "an install session is already running" });
  });

  const step = { id: "install-deps", name: "Install dependencies", installSessionId: "ses_1" };
  type Status = Computer["status"];
  it.each<[object, Status, string | undefined]>([
    [{ ...step, status: "Running" }, undefined, undefined],
    [{ ...step, status: "Running", error: "of the last session" }, undefined, undefined],
    [{ ...step, status: "Running" }, "error", undefined],
    [{ ...step, status: "Pending" }, undefined, undefined],
    [{ ...step, status: "in_progress" }, "provisioning", undefined],
    [{ ...step, status: "Done", completedAt: 2 }, undefined, "finished"],
    [{ ...step, status: "SUCCEEDED" }, "active", "finished"],
    [{ ...step, status: "Done", completedAt: 2 }, "error", "failed"],
    [{ ...step, status: "Error", error: "npm ci failed" }, undefined, "failed"],
    [{ ...step, status: "Error", error: "npm ci failed", completedAt: 2 }, undefined, "failed"],
    [{ ...step, status: "Error", completedAt: 2 }, undefined, "failed"],
    [{ ...step, status: "Failed" }, undefined, "failed"],
    [{ ...step, status: "Gave up", completedAt: 2 }, "active", "failed"],
    [{ id: "a", name: "b", status: "timed-out" }, undefined, "failed"],
  ])("with the step %j of a computer that is %s: %s", (each, status, reason) => {
    const event = acceptedInstall(
      { ...computer, status, provisioningSteps: [each as NonNullable<Computer["provisioningSteps"]>[number]] },
      1,
    ).find(({ payload }) => payload.reason !== "accepted");
    expect(event?.payload.reason).toBe(reason);
    if (reason === "failed") expect(event?.payload.message).toMatch(/npm ci failed|gives no reason/);
  });

  it("of which another step failed leaves the others finished", () => {
    const steps = [
      { id: "clone", name: "Clone", status: "Done", completedAt: 1 },
      { ...step, status: "Error", completedAt: 2 },
    ];
    const events = acceptedInstall({ ...computer, status: "error", provisioningSteps: steps }, 1);
    expect(events.map(({ payload }) => payload.reason)).toEqual(["accepted", "finished", "failed"]);
  });

  it("that failed at once is told after its beginning, also where the server tells of it first", () => {
    const failed = { ...computer, status: "error" as const, provisioningSteps: [{ ...step, status: "Error" }] };
    expect(acceptedInstall(failed, 1).map(({ payload }) => payload.reason)).toEqual(["accepted", "failed"]);
    const running = { ...computer, provisioningSteps: [{ ...step, status: "Running" }] };
    const [started, ...others] = sessionEvents(running, 1);
    expect(others).toEqual([]);
    expect(sessionEvents(failed, 2).map(({ key }) => key)[0]).toBe(started?.key);
    expect(acceptedInstall(running, 3).map(({ key }) => key)).toEqual([started?.key]);
  });

  it("that fails again without an id or a time is told again", () => {
    const bare = { ...computer, provisioningSteps: [{ id: "a", name: "b", status: "Failed" }] };
    const keyAt = (nowMs: number): unknown => acceptedInstall(bare, nowMs).at(-1)?.key;
    expect(keyAt(1)).not.toBe(keyAt(2));
  });
});
