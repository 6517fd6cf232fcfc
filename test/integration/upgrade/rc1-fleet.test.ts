// A fleet of two machines on a real broker, one of which is still at 1.0.0-rc.1: each event is notified of once, and each machine
// understands the questions, answers, claims and sessions of the other.
import { join } from "node:path";
import { expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { openQuestions, type Question } from "../../../src/answers/questions.ts";
import { readFleetStatus } from "../../../src/wings/fleet/status.ts";
import { startPlainBroker, type PlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson } from "../../support/project/person-terminal.ts";
import { payloadOf, temporaryProject, end, type Project } from "../../support/project/running-project.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { copyProgramOfNow, unpackRc1, type Program } from "../../support/home/rc1-program.ts";
import { capturedQuestion, decisionOf } from "../answers/asking.ts";

interface Member {
  host: string;
  project: Project;
  program: Program;
}

function startMember(
  { servers }: PlainBroker,
  { origin }: HttpReceiver,
  host: string,
  put: (folder: string) => Program,
): Member {
  const project = temporaryProject();
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { ops: { type: "webhook", url: `${origin}/${host}` } },
    rules: [{ name: "all", when: { event: ["Stop", "StopFailure", "PermissionRequest"] }, notify: ["ops"] }],
    fleet: { servers, org: "acme", person: "ada", host },
  });
  const program = put(join(project.home, "installed"));
  program.start(project, ["dispatch"]);
  return { host, project, program };
}

/** `old` is at 1.0.0-rc.1. */
async function mixedFleet(): Promise<{ old: Member; now: Member; receiver: HttpReceiver }> {
  const broker = await startPlainBroker();
  const receiver = await startHttpReceiver();
  const old = startMember(broker, receiver, "box", unpackRc1);
  const now = startMember(broker, receiver, "laptop", copyProgramOfNow);
  for (const { project, host } of [old, now])
    await project.until(`${host} is connected`, () => readFleetStatus(project.layout)?.what === "connected");
  return { old, now, receiver };
}

const open = ({ project }: Member): Question | undefined => openQuestions(project.layout, Date.now())[0];

/** Which sessions were told of, without the name of the machine that a message of another one begins with. */
function toldOf({ requests }: HttpReceiver): string[] {
  const sessions = requests.map(
    ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
  );
  return sessions.map((session) => session.replace(/^.*:/, "")).sort();
}

/** A hook of this member's own hookbell that waits for an answer. */
function ask({ program, project }: Member): { ended: Promise<{ stdout: string; stderr: string }> } {
  const child = program.startHook(project, ["--agent", "claude-code", "--answer"]);
  return { ended: end(child, JSON.stringify({ ...capturedQuestion, tool_input: { command: "touch made" } })) };
}

describeWithParts("a fleet with a machine of 1.0.0-rc.1", ["nats-server"], () => {
  it("notifies of each event once, wherever it happens", async () => {
    const { old, now, receiver } = await mixedFleet();
    const members = [old, now];
    const sessions: string[] = [];
    for (const { program, project, host } of members) {
      for (const event of ["Stop", "StopFailure"]) {
        const session = `${host}-${event}`;
        sessions.push(session);
        await end(program.startHook(project, []), payloadOf(event, { session_id: session, error: "server_error" }));
      }
    }
    const isIdle = ({ project: { layout } }: Member): boolean => listDeliveries(layout, "outbox").length === 0;
    const events = ({ project }: Member): number => project.journal().filter(({ kind }) => kind === "event").length;
    await now.project.until("all on both", () =>
      members.every((each) => events(each) >= sessions.length && isIdle(each)),
    );
    expect(toldOf(receiver)).toEqual(sessions.sort());
    for (const each of members) {
      const { stdout } = await each.program.run(each.project, ["sessions", "--json"]);
      const shown = (JSON.parse(stdout) as { sessions: { session: string; state: string }[] }).sessions;
      expect(shown.map(({ session, state }) => `${session.replace(/^.*:/, "")} ${state}`).sort()).toEqual(
        sessions.map((session) => `${session} ${session.endsWith("Failure") ? "failed" : "done"}`).sort(),
      );
      expect(listDeliveries(each.project.layout, "dead")).toEqual([]);
    }
  });
});

describeWithParts("a session whose subagents run, in a fleet with a machine of 1.0.0-rc.1", ["nats-server"], () => {
  it("is shown on both machines, by each in its own words", async () => {
    const { old, now } = await mixedFleet();
    const members = [old, now];
    const background_tasks = [{ id: "a1", type: "subagent", status: "running" }];
    for (const { program, project, host } of members) {
      const hook = program.startHook(project, ["--agent", "claude-code"]);
      await end(hook, payloadOf("Stop", { session_id: host, stop_hook_active: false, background_tasks }));
    }
    const waiting = ({ project: { layout } }: Member): number =>
      listSessions(layout).filter(({ state }) => state.kind === "waitsForHelpers").length;
    await now.project.until("both on both", () => members.every((each) => waiting(each) === 2));
    const shownBy = async ({ program, project }: Member): Promise<object[]> => {
      const { stdout } = await program.run(project, ["sessions", "--json"]);
      return (JSON.parse(stdout) as { sessions: object[] }).sessions;
    };
    const one = { state: "waitsForHelpers", helpers: 1 };
    expect(await shownBy(old)).toMatchObject([one, one]);
    const today = { state: "waitsForSubagents", subagents: 1, group: "waitsForSubagents" };
    expect(await shownBy(now)).toMatchObject([today, today]);
  });
});

describeWithParts("a question in a fleet with a machine of 1.0.0-rc.1", ["nats-server", ...personParts], () => {
  it.each([
    ["1.0.0-rc.1", "now", "old" as const, "now" as const],
    ["now", "1.0.0-rc.1", "now" as const, "old" as const],
  ])("of a machine of %s is answered on one of %s", async (_asks, _answers, asking, answering) => {
    const fleet = await mixedFleet();
    const [from, to] = [fleet[asking], fleet[answering]];
    const hook = ask(from);
    await to.project.until("the question elsewhere", () => open(to) !== undefined);
    const question = open(to);
    expect(question).toMatchObject({ host: from.host, tool: "Bash", isAllowable: true });
    const pending = await to.program.run(to.project, ["pending", "--json"]);
    const [{ id } = { id: "" }] = JSON.parse(pending.stdout) as { id: string }[];
    const cli = join(to.program.folder, "dist", "cli.js");
    expect(await runAsPerson(to.project, ["answer", id, "allow"], "", cli)).toMatchObject({ code: 0 });
    const { stdout, stderr } = await hook.ended;
    expect([stderr, JSON.parse(stdout)]).toEqual(["", decisionOf("allow")]);
    await to.project.until("its end on both", () => [from, to].every((each) => open(each) === undefined));
  });

  it.each(["old", "now"] as const)("ends on the other machine once it was answered on its own (%s)", async (asking) => {
    const fleet = await mixedFleet();
    const [from, to] = asking === "old" ? [fleet.old, fleet.now] : [fleet.now, fleet.old];
    const hook = ask(from);
    await to.project.until("the question elsewhere", () => open(to) !== undefined);
    const pending = await from.program.run(from.project, ["pending", "--json"]);
    const [{ id } = { id: "" }] = JSON.parse(pending.stdout) as { id: string }[];
    const cli = join(from.program.folder, "dist", "cli.js");
    expect(await runAsPerson(from.project, ["answer", id, "deny"], "", cli)).toMatchObject({ code: 0 });
    expect(JSON.parse((await hook.ended).stdout)).toEqual(decisionOf("deny", "The user denied this."));
    const endings = (): unknown[] => to.project.journal().flatMap(({ kind, by }) => (kind === "answer" ? [by] : []));
    await to.project.until("its end elsewhere", () => endings().length > 0);
    expect(endings()).toEqual([expect.stringMatching(new RegExp(`^denied by .* on ${from.host}$`))]);
  });
});
