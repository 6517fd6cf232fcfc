// What docs/reference/STABLE.md calls stable is still as it was recorded for the last release: JSON outputs, webhook bodies, the rules file,
// the command line of the hook. A path may come; none may go or change its type. After a release, record it again:
// HOOKBELL_TEST_RECORD_STABLE=1 npx vitest run test/contract/stable
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openQuestion } from "../../answers/sample.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { stopTo, webhookProject, arrivedAt } from "../../integration/commands/webhook-project.ts";
import { foldersOf, layoutOf } from "../../../src/outbox/layout.ts";
import { commandTable } from "../../../src/cli/table.ts";
import { missingParts } from "../../../src/rules/schema/wing-parts.ts";
import { wings } from "../../../src/wings/index.ts";
import { requirementsOf, settingsOf, shapeOf } from "./shapes.ts";

/** A dispatcher may have ended, and not every machine has terminals. */
const dependsOnMachine = /^(?:dispatcher\.(?:pid|host)|sessions\[\]\.place)\b/;
const isRecording = process.env.HOOKBELL_TEST_RECORD_STABLE === "1";

/** The recorded lines that are gone. */
function goneFrom(name: string, today: readonly string[]): string[] {
  const file = new URL(`recorded/${name}.txt`, import.meta.url);
  const lasting = today.filter((line) => !dependsOnMachine.test(line));
  if (isRecording) writeFileSync(file, lasting.map((line) => `${line}\n`).join(""));
  if (!existsSync(file)) throw new Error(`${name} was never recorded`);
  const recorded = readFileSync(file, "utf8").trimEnd().split("\n");
  return recorded.filter((line) => !today.includes(line));
}

/** Where it is about noon: what `board --today` and `digest` show would be gone if midnight came between. */
function zoneAtNoon(): string {
  const hoursFromUtc = 12 - new Date().getUTCHours();
  // These names have the sign of the way back to UTC.
  return `Etc/GMT${hoursFromUtc > 0 ? "-" : "+"}${Math.abs(hoursFromUtc)}`;
}

const outputs: [name: string, args: string[]][] = [
  ["status", ["status", "--json"]],
  ["doctor", ["doctor", "--json"]],
  ["sessions", ["sessions", "--json"]],
  ["log", ["log", "--json"]],
  ["explain", ["explain", "--agent", "droid", "--json"]],
  ["check", ["check", "--json"]],
  ["channels", ["channels", "--json"]],
  ["test", ["test", "ops", "--json"]],
  ["digest", ["digest", "--json"]],
  ["pending", ["pending", "--json"]],
  ["board", ["board", "--json"]],
  ["board-today", ["board", "--today", "--json"]],
  ["mute", ["mute", "1h", "--json"]],
  ["init", ["init", "--agent", "claude-code", "--yes", "--json"]],
  ["uninstall", ["uninstall", "--yes", "--json"]],
];

/** They have a process of their own, for its time zone. */
const inTheirZone = ["digest", "board", "board-today"];

/** Those of a wing; scripts/checks/wings.mjs takes each wing away. */
const ofWings: Readonly<Record<string, string>> = { board: "board", "board-today": "board" };
const isHere = (wing: string | undefined): boolean => wing === undefined || wings.some(({ name }) => name === wing);

/** A setting in a part of the rules file that this hookbell does not have. */
const isOfMissingPart = (line: string): boolean =>
  missingParts.some((part) => new RegExp(String.raw`^\.${part}\b`).test(line));

describe("what programs may rely on", () => {
  it("in JSON outputs and in webhooks is still there", async () => {
    const project = await webhookProject([stopTo("ops"), { when: { level: "attention" }, notify: ["ops"] }]);
    project.env.TZ = zoneAtNoon();
    await project.run(["hook", "--agent", "claude-code"], payloadOf("PermissionRequest"));
    await project.run(["hook", "--agent", "droid"], payloadOf("Stop"));
    await project.until("both messages arrive", () => project.receiver.requests.length >= 2);
    await project.until("both are in the journal", () => {
      return project.journal().filter(({ kind }) => kind === "attempt").length >= 2;
    });
    openQuestion(project.layout, { askedAt: Date.now(), expiresAt: Date.now() + longestWaitMs });
    mkdirSync(join(project.home, ".claude"));
    const shapes: Record<string, string[]> = {};
    for (const [name, args] of outputs.filter(([output]) => isHere(ofWings[output]))) {
      const run = inTheirZone.includes(name) ? project.run : project.command;
      const { stdout } = await run(args, name === "explain" ? payloadOf("Stop") : undefined);
      const lines = stdout.trimEnd().split("\n");
      shapes[`json/${name}`] = shapeOf(
        name === "log" ? lines.map((line) => JSON.parse(line) as unknown) : JSON.parse(stdout),
      );
    }
    shapes.webhook = shapeOf(arrivedAt(project.receiver, "/ops"), "");
    const gone = Object.entries(shapes).flatMap(([name, shape]) =>
      goneFrom(name, shape).map((line) => `${name}: ${line}`),
    );
    expect(gone).toEqual([]);
  });

  it("has a recorded shape for each JSON output that STABLE.md names", () => {
    const page = readFileSync(new URL("../../../docs/reference/STABLE.md", import.meta.url), "utf8");
    const [, names = ""] = /^- what `--json` prints: ([^\n]*(?:\n {2}[^\n]*)*)/m.exec(page) ?? [];
    const promised = [...names.matchAll(/`([a-z]+)`/g)].map(([, name = ""]) => name);
    expect(promised.length).toBeGreaterThan(5);
    const shown = outputs.map(([, [command = ""]]) => command);
    expect(promised.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it("in the rules file is still there, and nothing more is demanded", () => {
    const schema = JSON.parse(
      readFileSync(new URL("../../../config/rules.schema.json", import.meta.url), "utf8"),
    ) as unknown;
    const gone = goneFrom("rules-schema", settingsOf(schema));
    expect(gone.filter((line) => !isOfMissingPart(line))).toEqual([]);
    const demanded = requirementsOf(schema);
    goneFrom("rules-required", demanded);
    const recorded = readFileSync(new URL("recorded/rules-required.txt", import.meta.url), "utf8").split("\n");
    const known = readFileSync(new URL("recorded/rules-schema.txt", import.meta.url), "utf8").split("\n");
    // A channel type, a section of the file, or a setting with members that is new may demand what it likes: no file has it yet.
    const sectionOf = (line: string): string => line.split(".").slice(0, 2).join(".");
    const isNewSection = (line: string): boolean => line.split(".").length > 2 && !known.includes(sectionOf(line));
    const isOld = (line: string): boolean =>
      recorded.some((other) => other.split(".")[0] === line.split(".")[0]) && !isNewSection(line);
    expect(demanded.filter((line) => isOld(line) && !recorded.includes(line))).toEqual([]);
  });

  it("in the command line of the hook, and in the state folder, is still there", () => {
    const flags = Object.keys(commandTable.hook?.flags ?? {}).map((flag) => `--${flag}`);
    expect(goneFrom("hook-flags", flags)).toEqual([]);
    const folders = foldersOf(layoutOf("/state")).map((folder) => folder.replaceAll("\\", "/"));
    expect(goneFrom("state-folder", folders)).toEqual([]);
  });
});

describe("the comparison", () => {
  it("sees a path that is gone, one whose type changed, and no new one", () => {
    const before = shapeOf({ a: [{ b: 1 }, { c: "x" }], d: null });
    expect(before).toEqual([": object", "a: list", "a[].b: number", "a[].c: string", "a[]: object", "d: null"]);
    const after = shapeOf({ a: [{ b: "1", c: "x", e: 1 }], d: null });
    expect(before.filter((line) => !after.includes(line))).toEqual(["a[].b: number"]);
  });

  it("sees a setting that is gone, a value that is gone, and a new demand", () => {
    const settings = (level: string[]): unknown => ({
      properties: { level: { type: "string", enum: level }, title: { type: "string" } },
    });
    const before = settingsOf(settings(["a", "b"]));
    expect(before).toEqual([".level", '.level = "a"', '.level = "b"', ".level: string", ".title", ".title: string"]);
    expect(before.filter((line) => !settingsOf(settings(["a"])).includes(line))).toEqual(['.level = "b"']);
    expect(requirementsOf({ definitions: { x: { required: ["url"] } } })).toEqual(["#x.url"]);
  });
});
