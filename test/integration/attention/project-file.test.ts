// A repository's own file through the real hook, dispatcher and commands.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { prepareDispatcher, runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";

/** A repository in the home folder, and the path of its file. */
function repository(home: string): { cwd: string; file: string } {
  const cwd = join(home, "shop-web");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  return { cwd, file: join(cwd, ".hookbell.jsonc") };
}

const permission = { notification_type: "permission_prompt", message: "May I run npm test?" };
/** Of the webhooks' messages: the body of ntfy's has another form. */
const titles = ({ requests }: HttpReceiver): string[] =>
  requests.flatMap(({ path, body }) => {
    const { data } = JSON.parse(body) as { data?: { message: { title: string } } };
    return data === undefined ? [] : [`${path} ${data.message.title}`];
  });

function channelsOf(receiver: HttpReceiver): Record<string, object> {
  const webhook = (name: string) => ({ type: "webhook", url: `${receiver.origin}/${name}` });
  return { ops: webhook("ops"), team: webhook("team"), spare: webhook("spare") };
}

const all = { name: "all", notify: ["ops", "team"] };

async function start(
  more: object = {},
): Promise<{ project: Project; receiver: HttpReceiver; cwd: string; file: string }> {
  const project = temporaryProject();
  const receiver = await startHttpReceiver();
  project.writeRules({ channels: channelsOf(receiver), rules: [all], ...more });
  return { project, receiver, ...repository(project.home) };
}

describe("a repository's own file", () => {
  it("chooses among the user's channels and adds its label; explain and log say so", async () => {
    const { project, receiver, cwd, file } = await start({ projectFiles: ["spare"] });
    writeFileSync(file, '{ "notify": ["team", "spare", "unknown"], "label": "client A" }');
    const payload = payloadOf("Stop", { cwd: join(cwd, "src") });
    await project.hook(payload, ["--wait"]);
    const expected = ["/spare shop-web: is done", "/team shop-web: is done"];
    expect(titles(receiver).toSorted()).toEqual(expected);
    expect(receiver.requests.every(({ body }) => body.includes("client A"))).toBe(true);
    const left = `not chosen by ${file}`;
    const explained = JSON.parse((await project.command(["explain", "--json"], payload)).stdout) as { silent: unknown };
    expect(explained).toMatchObject({ silent: [{ channel: "ops", why: left }], projectFile: file });
    const id = /evt_\w+/.exec((await project.command(["log"])).stdout)?.[0] ?? "";
    expect((await project.command(["log", "--why", id])).stdout).toContain(`ops not sent: ${left}`);
    expect((await project.command(["explain", id])).stdout).toContain(`the repository's own file: ${file}`);
  });

  it("mutes: news is dropped, a question waits, and status and explain show why", async () => {
    const { project, receiver, cwd, file } = await start();
    writeFileSync(file, '{ "mute": true }');
    runDispatcherOf(project);
    await project.command(["hook"], payloadOf("Stop", { cwd }));
    await project.command(
      ["hook", "--agent", "droid"],
      payloadOf("Notification", { cwd, session_id: "s2", ...permission }),
    );
    await project.until("both taken in", () => listIncoming(project.layout).length === 0);
    const { stdout } = await project.command(["status"]);
    expect(stdout).toContain(`muted: by ${file}\n`);
    expect(stdout).toMatch(/1 session waits for you:\n {2}shop-web \(main, Droid, .*\): May I run npm test\?\n/);
    const explained = await project.command(["explain"], payloadOf("Stop", { cwd }));
    expect(explained.stdout).toContain(`ops  muted by ${file}\n`);
    expect((await project.command(["log"])).stdout).toMatch(/held: muted by \S+\.hookbell\.jsonc\)/);
    expect(receiver.requests).toEqual([]);
    project.writeRules({ channels: channelsOf(receiver), rules: [all], projectFiles: false });
    expect((await project.command(["status"])).stdout).not.toMatch(/^muted/m);
    await project.command(["hook", "--wait"], payloadOf("Stop", { cwd, session_id: "s3" }));
    await project.until("the question as well", () => titles(receiver).length === 4);
  });

  it("is ignored while it is broken, and the user is told once", async () => {
    const { project, receiver, cwd, file } = await start();
    project.writeRules({
      channels: { ...channelsOf(receiver), desk: { type: "ntfy", server: receiver.origin, topic: "desk" } },
      rules: [all],
    });
    writeFileSync(file, '{ "mute": true, "channels": {} }');
    runDispatcherOf(project);
    for (const session_id of ["s1", "s2"]) {
      await project.command(["hook"], payloadOf("Stop", { cwd, session_id }));
    }
    await project.until(
      "both delivered",
      () => titles(receiver).filter((title) => title.startsWith("/team")).length === 2,
    );
    const notices = project.journal().filter(({ kind }) => kind === "notice");
    expect(notices).toMatchObject([{ title: "hookbell: a repository's file has a mistake" }]);
    expect(String(notices[0]?.body)).toContain(`${file} is ignored`);
    const explained = await project.command(["explain"], payloadOf("Stop", { cwd }));
    expect(explained.stdout).toContain(`${file} is broken and ignored: hookbell check ${file}\n`);
  });

  it("is checked with the rules of the user", async () => {
    const { project, file } = await start();
    const checked = async (text: string, ...args: string[]) => {
      writeFileSync(file, text);
      return await project.command(["check", file, ...args]);
    };
    expect(await checked('{ "notify": ["team"] }')).toMatchObject({ code: 0, stdout: `${file}: no problems\n` });
    const unknown = await checked('{ "notify": ["team", "phone"] }');
    expect(unknown.stdout).toContain('no rule of yours notifies "phone", and your projectFiles does not name it');
    const broken = await checked('{\n  "mutes": true }');
    expect(broken).toMatchObject({ code: 78 });
    expect(broken.stdout).toContain(`${file}:2:3  there is no setting "mutes" here`);
    expect(broken.stdout).toContain('did you mean "mute"?');
    const asJson = JSON.parse((await checked("{", "--json")).stdout) as unknown;
    expect(asJson).toMatchObject({ file, status: "broken", problems: [{ line: 1 }] });
    // In the home folder, as in any folder of a repository, the file there is checked as well.
    rmSync(file);
    mkdirSync(join(project.home, ".git"));
    writeFileSync(join(project.home, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(project.home, ".hookbell.jsonc"), "[]");
    const both = await project.command(["check"]);
    expect(both).toMatchObject({ code: 78 });
    expect(both.stdout).toMatch(
      /rules\.jsonc: 3 channels, 1 rule.*\n[^]*\.hookbell\.jsonc: 1 problem, so it is ignored\n$/,
    );
  });

  it("lets a muted question go when it changes, and never after an answer", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { cwd, file } = repository(running.dispatcher.tools.home);
    running.writeRules({ channels: channelsOf(receiver), rules: [{ notify: ["ops"] }] });
    writeFileSync(file, '{ "mute": true }');
    void running.run();
    for (const session_id of ["s1", "s2"]) running.accept("Notification", { cwd, session_id, ...permission });
    await running.until("both held", () => running.journal("decision").length === 2);
    running.accept("UserPromptSubmit", { cwd, session_id: "s1" });
    await running.until("one cancelled", () => running.journal("attention").some(({ by }) => by === "answered"));
    rmSync(file);
    running.clock.turn(10 * 60_000);
    await running.until("the other sent", () => receiver.requests.length === 1);
    expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({ data: { event: { session: "s2" } } });
  });
});
