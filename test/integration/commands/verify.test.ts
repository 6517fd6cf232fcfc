// `init --verify` and `doctor --verify` over real files, shells, hooks and dispatchers.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { isNeeded } from "../../../src/install/target/event-coverage.ts";
import { isFrequent } from "../../../src/model/event.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { usualEvents } from "../../install/round-trip/install.ts";
import { describeWithParts } from "../../support/parts.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject, type Ended, type Project } from "../../support/project/running-project.ts";

interface Report {
  agents: {
    id: string;
    isVerified: boolean;
    events: {
      event: string;
      exitCode?: number;
      waitedMs: number;
      arrived?: { agent: string; name: string; isQuiet: boolean; channels: unknown[]; why?: string };
      problems: { text: string; fix?: string }[];
    }[];
    problems: { text: string; fix?: string }[];
    nextStep: string;
  }[];
}

const everything = {
  channels: { keep: { type: "command", argv: ["/bin/sh", "-c", "cat >>heard"] } },
  rules: [{ name: "everything", notify: ["keep"] }],
};

async function installed(...names: string[]): Promise<Project> {
  const project = temporaryProject();
  project.writeRules(everything);
  mkdirSync(join(project.home, ".kiro/agents"), { recursive: true });
  writeFileSync(join(project.home, ".kiro/agents/mine.json"), '{"name":"mine"}');
  for (const name of names) {
    expect(await project.command(["init", "--agent", name, "--yes", "--all-events"])).toMatchObject({ code: 0 });
  }
  return project;
}

async function verify(project: Project, name: string, ...more: string[]): Promise<Ended & { report: Report }> {
  const ended = await project.command(["init", "--verify", name, "--json", ...more]);
  return { ...ended, report: JSON.parse(ended.stdout) as Report };
}

const problemsOf = ({ report: { agents } }: { report: Report }): string[] =>
  agents
    .flatMap(({ events, problems }) => [...problems, ...events.flatMap((event) => event.problems)])
    .map(({ text, fix }) => `${text} -> ${fix}`);

const settings = (project: Project): string => join(project.home, ".claude/settings.json");

describeWithParts("init --verify", ["bash", "setsid"], () => {
  it.each(Object.entries(hookSetups))(
    "shows every event of %s arriving, and notifies no channel",
    async (id, { events }) => {
      const project = await installed(id);
      // Starting one for each agent would take most of the time; the tests below do.
      runDispatcherOf(project);
      const { code, stderr, report } = await verify(project, id);
      expect(problemsOf({ report })).toEqual([]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const [agent] = report.agents;
      const expected = Object.entries(events).filter(
        ([event, { mapsTo }]) =>
          usualEvents(id as keyof typeof hookSetups).includes(event) || isNeeded({ mapsTo }, ["questions"]),
      );
      expect(agent?.events.map(({ event }) => event).toSorted()).toEqual(expected.map(([event]) => event).toSorted());
      for (const { event, arrived, exitCode } of agent?.events ?? []) {
        expect(exitCode).toBe(0);
        // A rule about everything does not hear of what comes in hundreds, and no rule of what the user did.
        const isHeard = arrived?.why === undefined && !isFrequent(arrived?.name ?? "");
        expect(arrived).toMatchObject({
          agent: id,
          isQuiet: arrived?.why === undefined,
          channels: isHeard ? [{ channel: "keep", rule: "everything" }] : [],
        });
        const means = events[event]?.mapsTo ?? [];
        expect(means.length === 0 || means.includes(arrived?.name ?? "")).toBe(true);
      }
      expect(agent?.nextStep).toBe(hookSetups[id as keyof typeof hookSetups].nextStep);
      expect(project.journal().filter(({ kind }) => kind === "attempt" || kind === "rejected")).toEqual([]);
      expect(listDeliveries(project.layout, "outbox")).toEqual([]);
      expect(readdirSync(project.layout.sessions)).toEqual([]);
      const decision = project.journal().find(({ kind }) => kind === "decision");
      expect(decision).toMatchObject({ why: "verification", deliveries: [], wouldReach: [{ channel: "keep" }] });
    },
  );

  it("says it to a person, line by line", async () => {
    const project = await installed("gemini-cli");
    const { code, stdout } = await project.run(["init", "--verify", "gemini-cli"]);
    expect(code).toBe(0);
    const ms = String.raw`\d+ ms \(the agent waits \d+ ms\)`;
    expect(stdout).toMatch(
      new RegExp(`^Gemini CLI\\n  ok      Notification: arrived in ${ms}; would go to keep \\(rule "everything"\\)\\n`),
    );
    expect(stdout).toMatch(new RegExp(`  ok      AfterAgent: arrived as Stop in ${ms};`));
    expect(stdout).toContain("This does not prove that Gemini CLI calls them; restart Gemini CLI");
  });

  it("lets the samples through when it is told to", async () => {
    const project = await installed("claude-code");
    const { code, report } = await verify(project, "claude-code", "--deliver");
    expect(problemsOf({ report })).toEqual([]);
    expect(code).toBe(0);
    const events = report.agents[0]?.events ?? [];
    expect(events.every(({ arrived }) => arrived?.isQuiet === false)).toBe(true);
    const delivered = (): number =>
      project.journal().filter(({ kind, outcome }) => kind === "attempt" && outcome === "delivered").length;
    // A rule about everything does not hear of tool calls.
    const told = events.filter(({ arrived }) => arrived?.channels.length === 1);
    expect(events.length - told.length).toBe(2);
    await project.until("a delivery for each", () => delivered() === told.length);
  });

  it("finds a hook that is gone, and what writes it anew", async () => {
    const project = await installed("claude-code");
    const script = join(project.layout.root, "hookbell-hook.sh");
    rmSync(script);
    const gone = await verify(project, "claude-code");
    expect(gone.code).toBe(1);
    expect(gone.report.agents[0]?.isVerified).toBe(false);
    expect(new Set(problemsOf(gone))).toEqual(
      new Set([
        `${script} --agent claude-code or something it needs does not exist -> hookbell init --agent claude-code --yes`,
      ]),
    );
    expect((await project.command(["init", "--agent", "claude-code", "--yes"])).code).toBe(0);
    expect((await verify(project, "claude-code")).code).toBe(0);
    chmodSync(script, 0o600);
    expect(problemsOf(await verify(project, "claude-code"))[0]).toContain("cannot be executed");
  });

  it("finds that hookbell has moved, in the hook's own words", async () => {
    const project = await installed("droid");
    const script = join(project.layout.root, "hookbell-hook.sh");
    writeFileSync(script, readFileSync(script, "utf8").replace(/^dist='.*'$/m, "dist='/nowhere/dist'"), {
      mode: 0o700,
    });
    const moved = await verify(project, "droid");
    expect(moved.code).toBe(1);
    expect(problemsOf(moved)[0]).toMatch(
      /^it ends with exit code 1: hookbell: .*there is no hookbell in \/nowhere\/dist.* -> hookbell init/,
    );
  });

  it.each([
    ["echo hello", "it prints something that Claude Code would read as an answer: hello"],
    ["echo hello >&2", "it writes to standard error, which Claude Code may show: hello"],
    ["exit 2", 'it ends with exit code 2, which Claude Code may read as "block"'],
    ["sleep 5 &", "it ended, but its output is still open, so Claude Code would keep waiting"],
  ])("finds a hook that does more than it should: %s", async (line, problem) => {
    const project = await installed("claude-code");
    const one = {
      hooks: { Stop: [{ hooks: [{ type: "command", command: `${join(project.home, "bin/hookbell")} hook` }] }] },
    };
    writeFileSync(settings(project), JSON.stringify(one));
    mkdirSync(join(project.home, "bin"));
    const real = `${join(project.layout.root, "hookbell-hook.sh")} --agent claude-code`;
    writeFileSync(join(project.home, "bin/hookbell"), `#!/bin/sh\n${real}\n${line}\n`, { mode: 0o755 });
    const found = await verify(project, "claude-code");
    expect(found.code).toBe(1);
    expect(problemsOf(found).join("\n")).toContain(problem);
  });

  it("stops a hook at the agent's own deadline", async () => {
    const project = await installed("claude-code");
    const text = readFileSync(settings(project), "utf8");
    writeFileSync(settings(project), text.replaceAll(/"timeout": \d+/g, '"timeout": 0.2'));
    writeFileSync(join(project.layout.root, "hookbell-hook.sh"), "#!/bin/sh\nsleep 30\n", { mode: 0o700 });
    const found = problemsOf(await verify(project, "claude-code"));
    expect(found.every((text) => /^it did not end; Claude Code would stop it after \d+ ms/.test(text))).toBe(true);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    [
      "hooks that are switched off",
      (text: string) => text.replace("{", '{ "disableAllHooks": true,'),
      "all hooks are switched off in ",
    ],
    ["settings that are broken", (text: string) => `${text},`, "settings.json"],
    [
      "hooks that someone took out",
      () => "{}",
      "no hook of hookbell (plug-ins are not checked) -> hookbell init --agent claude-code",
    ],
  ])("finds %s", async (_name, edit, problem) => {
    const project = await installed("claude-code");
    writeFileSync(settings(project), edit(readFileSync(settings(project), "utf8")));
    const found = await verify(project, "claude-code");
    expect(found.code).toBe(1);
    expect(problemsOf(found).join("\n")).toContain(problem);
  });

  it("says that everything is dropped, and calls nothing", async () => {
    const project = await installed("claude-code");
    project.env.HOOKBELL_DISABLE = "1";
    const found = await verify(project, "claude-code");
    expect(problemsOf(found)).toEqual(["HOOKBELL_DISABLE=1 is set: every event is dropped -> unset HOOKBELL_DISABLE"]);
    expect(found.code).toBe(1);
  });

  it("takes no flags that say how to write, and --deliver only with it", async () => {
    const project = temporaryProject();
    expect((await project.command(["init", "--verify", "droid", "--yes"])).code).toBe(64);
    expect((await project.command(["init", "--deliver"])).code).toBe(64);
    expect((await project.command(["init", "--verify", "nobody"])).code).toBe(64);
  });
});

describeWithParts("doctor --verify", ["bash", "setsid"], () => {
  it("calls the hooks of every agent that is set up here, and says which are broken", async () => {
    const project = await installed("claude-code", "droid");
    const sound = await project.run(["doctor", "--verify"]);
    expect(sound.stdout).toMatch(/ok {7}Claude Code, Stop: arrived in \d+ ms/);
    expect(sound.stdout).toMatch(/ok {7}Droid, SessionEnd: arrived in \d+ ms/);
    expect((await project.command(["doctor"])).stdout).not.toContain("arrived");
    rmSync(join(project.layout.root, "hookbell-hook.sh"));
    const broken = await project.command(["doctor", "--verify"]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/broken {3}Droid, Stop: .* does not exist/);
  });

  it("says which hooks of hookbell a settings file has lost since", async () => {
    const project = await installed("claude-code");
    const kept = JSON.parse(readFileSync(settings(project), "utf8")) as { hooks: Record<string, unknown> };
    delete kept.hooks.Stop;
    writeFileSync(settings(project), JSON.stringify(kept));
    const { stdout } = await project.command(["doctor"]);
    expect(stdout).toContain(`${settings(project)} no longer contains the hooks that init wrote for Stop`);
  });
});
