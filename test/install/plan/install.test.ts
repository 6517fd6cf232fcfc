import { describe, expect, it } from "vitest";
import { corpus } from "../round-trip/settings-corpus.ts";
import {
  bytes,
  hooksAsRun,
  installation,
  ownCommand,
  ownRuns,
  textOf,
  unwire,
  wire,
  usualEvents,
  type Files,
  type Wired,
} from "../round-trip/wire.ts";

const refused = corpus.filter((shape) => shape.refused !== undefined);
const edited = corpus.filter((shape) => shape.refused === undefined && shape.isWired === undefined);

const wiredOnce = new Map<(typeof corpus)[number], Wired>();
/** One result for all that is asked of it; nothing changes it. */
function wireOnce(each: (typeof corpus)[number]): Wired {
  const wired = wiredOnce.get(each) ?? wire(each.agent, each.files);
  wiredOnce.set(each, wired);
  return wired;
}

/** Everything that runs and is not ours, as a comparable text. */
const othersAsRun = (agent: (typeof corpus)[number]["agent"], files: Files): string =>
  JSON.stringify(
    Object.entries(hooksAsRun(agent, files)).flatMap(([event, groups]) =>
      (groups ?? []).flatMap((group) =>
        (group.hooks ?? [])
          .filter(({ command }) => !/hookbell(?!.*\|)/.test(command ?? "") || command?.includes("|"))
          .map((hook) => [event, hook]),
      ),
    ),
  );

describe("planInstall", () => {
  it.each(refused)("refuses $name", (each) => {
    const { refused: message, exitCode, at } = each;
    const { plan } = wireOnce(each);
    const [problem] = plan.problems;
    expect(problem?.message).toMatch(message ?? /never/);
    expect(problem?.hint).not.toBe("");
    expect(problem?.exitCode).toBe(exitCode);
    if (at !== undefined) expect(`${problem?.line}:${problem?.column}`).toBe(at);
    expect(plan.changes).toEqual([]);
  });

  it.each(corpus.filter(({ isWired }) => isWired))("leaves $name as it is", (each) => {
    expect(wireOnce(each).plan).toMatchObject({ changes: [], problems: [], warnings: [], missing: [] });
  });

  it.each(edited)("wires $name so that the agent runs us once for each event", (each) => {
    const { agent, warned, into } = each;
    const wired = wireOnce(each);
    expect(wired.plan.problems).toEqual([]);
    for (const event of usualEvents(agent)) expect([event, ownRuns(agent, wired.files, event)]).toEqual([event, 1]);
    if (into !== undefined) expect(wired.plan.changes.map(({ source }) => source.path)).toContain(`/home/me/${into}`);
    expect(wired.plan.warnings.join("\n")).toMatch(warned ?? /^$/);
  });

  it.each(edited)("has nothing to change in $name the second time", (each) => {
    expect(wire(each.agent, wireOnce(each).files).plan.changes).toEqual([]);
  });

  it.each(edited)("keeps others' hooks in $name running as they did", (each) => {
    expect(othersAsRun(each.agent, wireOnce(each).files)).toBe(othersAsRun(each.agent, each.files));
  });

  it.each(edited)("keeps bytes, line ends and marks of $name around what it adds", (each) => {
    for (const { before, after, source } of wireOnce(each).plan.changes) {
      if (before === undefined || before.trim() === "" || /hookbell/.test(before)) continue;
      expect([source.path, isSubsequence(before.replace(/[ \t\r\n]+/g, ""), after ?? "")]).toEqual([source.path, true]);
      const ends = new Set(before.match(/\r\n|\n|\r/g));
      if (ends.size === 1) expect(new Set(after?.match(/\r\n|\n|\r/g))).toEqual(ends);
      expect(/\s*$/.exec(after ?? "")?.[0]).toBe(/\s*$/.exec(before)?.[0]);
      expect(after?.startsWith("\uFEFF")).toBe(before.startsWith("\uFEFF"));
    }
  });

  it.each(edited)("gives $name back byte for byte when nothing else changed", (each) => {
    const { agent, files } = each;
    if (
      Object.values(files).some((content) =>
        /hookbell[^|]*"/.test(textOf(content)?.replace(/tee -a log \| hookbell/, "") ?? ""),
      )
    )
      return;
    const { files: now, records, originals } = wireOnce(each);
    const back = unwire(agent, now, records, originals);
    for (const name of Object.keys({ ...files, ...back }))
      expect([name, textOf(back[name])]).toEqual([name, textOf(files[name])]);
  });

  it.each(
    edited.filter(
      ({ isReversible, files }) =>
        isReversible !== false && !Object.values(files).some((content) => textOf(content)?.includes("hookbell")),
    ),
  )("takes $name back by edits alone when the backup is lost", (each) => {
    const { agent, files } = each;
    const { files: now, records } = wireOnce(each);
    const back = unwire(agent, now, records);
    for (const name of Object.keys({ ...files, ...back }))
      expect([name, textOf(back[name])]).toEqual([name, textOf(files[name])]);
  });

  it("replaces an older installation's command in its place and keeps what stands around it", () => {
    const old = { nodePath: "/opt/node18/bin/node", hookPath: "/opt/node18/lib/node_modules/hookbell/dist/hook.cjs" };
    const before = wire("claude-code", { "settings.json": bytes('{\n  "model": "x"\n}\n') }, { from: old });
    const after = wire("claude-code", before.files);
    expect(textOf(after.files["settings.json"])).toBe(
      textOf(before.files["settings.json"])?.replaceAll(
        `${old.nodePath} ${old.hookPath}`,
        `${installation.nodePath} ${installation.hookPath}`,
      ),
    );
  });

  it("gives the first original back after an update that no one came between", () => {
    const old = { nodePath: "/opt/node18/bin/node", hookPath: "/opt/node18/lib/node_modules/hookbell/dist/hook.cjs" };
    const original = bytes('{ "model":"x" }');
    const first = wire("claude-code", { "settings.json": original }, { from: old });
    const second = wire("claude-code", first.files, { earlier: first.records });
    expect(unwire("claude-code", second.files, second.records, { "settings.json": original })["settings.json"]).toEqual(
      original,
    );
  });

  it("does not give a hook back that was wired to us by hand before", () => {
    const text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookbell hook"}]}]}}';
    const { files, records, originals } = wire("claude-code", { "settings.json": bytes(text) });
    expect(textOf(unwire("claude-code", files, records, originals)["settings.json"])).not.toContain("hook.cjs");
    expect(textOf(unwire("claude-code", files, records, originals)["settings.json"])).not.toContain("hookbell");
  });

  it("keeps an event that the person wired to us beyond ours", () => {
    const text = `{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"hookbell hook","timeout":5}]}]}}`;
    const { files } = wire("claude-code", { "settings.json": bytes(text) });
    expect(hooksAsRun("claude-code", files).PermissionRequest).toEqual([
      { hooks: [{ type: "command", command: ownCommand("claude-code"), timeout: 5 }] },
    ]);
  });

  it("keeps a matcher and other settings of the person's around our hook", () => {
    const text = `{"hooks":{"Notification":[{"matcher":"idle_prompt","hooks":[{"type":"command","command":"hookbell","timeout":3,"statusMessage":"x"}]}]}}`;
    const { files } = wire("claude-code", { "settings.json": bytes(text) });
    expect(hooksAsRun("claude-code", files).Notification).toEqual([
      {
        matcher: "idle_prompt",
        hooks: [{ type: "command", command: ownCommand("claude-code"), timeout: 3, statusMessage: "x" }],
      },
    ]);
  });

  it("edits a file of more than a megabyte", () => {
    const text = JSON.stringify(
      {
        history: Array.from({ length: 15_000 }, (_, index) => ({
          index,
          text: "some text of the person's that is kept",
        })),
      },
      undefined,
      2,
    );
    expect(text.length).toBeGreaterThan(1_000_000);
    const wired = wire("claude-code", { "settings.json": bytes(text) });
    expect(ownRuns("claude-code", wired.files, "Stop")).toBe(1);
    expect(textOf(unwire("claude-code", wired.files, wired.records)["settings.json"])).toBe(text);
  });
});

function isSubsequence(small: string, large: string): boolean {
  let at = 0;
  for (const char of large) {
    if (at < small.length && small.startsWith(char, at)) at += char.length;
  }
  return at === small.length;
}
