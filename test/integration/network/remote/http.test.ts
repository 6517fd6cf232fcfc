// Agents in a sandbox, where nothing can be installed, post their events to `hookbell serve`.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listQuestions, type Question } from "../../../../src/answers/questions.ts";
import { objectOf } from "../../../../src/model/json.ts";
import { ensureLayout } from "../../../../src/outbox/layout.ts";
import { takeLease } from "../../../../src/outbox/lease/lease.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { newSecret, readStatus, remoteFolder, writeRemote } from "../../../../src/wings/remote/remotes.ts";
import { randomKey } from "../../../../src/system/crypto.ts";
import { longestWaitMs } from "../../../support/longest-wait.ts";
import { runDispatcherOf } from "../../../support/project/running-dispatcher.ts";
import { payloadOf, type Project, temporaryProject } from "../../../support/project/running-project.ts";
import { ann, type PretendTelegram, startPretendTelegram } from "../../../support/receivers/pretend-telegram.ts";
import { startServerHere, startServerProcess } from "../../../support/usage/server-process.ts";
import { capturedQuestion, decisionOf, fillPlaces, onlyQuestion, telegramProject } from "../../answers/asking.ts";

interface Sandbox {
  url: string;
  secret: string;
  post(body: string, more?: { agent?: string; secret?: string; signal?: AbortSignal }): Promise<Response>;
}

/** As `remote add` makes it: the command itself does so for a person at a terminal only. */
async function sandbox(project: Project, url: string, name = "box"): Promise<Sandbox> {
  const { secret, digest } = newSecret(randomKey());
  writeRemote(project.layout, { name, transport: "http", target: url, digest });
  return {
    url,
    secret,
    post: (body, { agent = "claude-code", secret: given = secret, signal } = {}) =>
      fetch(`${url}/api/extensions/hooks/${agent}`, {
        method: "POST",
        headers: { authorization: `Bearer ${given}`, "content-type": "application/json" },
        body,
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

/** The server within the test. */
async function serverOf(project: Project): Promise<string> {
  const { url, end } = await startServerHere(project);
  onTestFinished(async () => void (await end()));
  return url;
}

function silentProject(): Project {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [{ name: "all", notify: [] }] });
  return project;
}

const events = (project: Project): Record<string, unknown>[] =>
  project.journal().flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event)] : []));

it("keeps an event before it answers, and tells it under the machine's name", async () => {
  const project = silentProject();
  runDispatcherOf(project);
  const { post } = await sandbox(project, await serverOf(project));
  const response = await post(payloadOf("Stop"));
  expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: {} });
  await project.until("the event", () => events(project).length === 1);
  expect(events(project)).toMatchObject([
    { name: "Stop", host: "box", session: "box:s1", cwd: "box:/home/u/shop-web" },
  ]);
  expect(readStatus(project.layout, "box")?.what).toBe("connected");
  expect((await project.command(["remote"])).stdout).toMatch(/box +http http:\S+ +last event \d+m?s ago/);
});

it("refuses a wrong secret, a removed machine, and what is no payload, and says why", async () => {
  const project = silentProject();
  const { post, secret } = await sandbox(project, await serverOf(project));
  const read = async (response: Promise<Response>): Promise<[number, string]> => {
    const { status, body } = await response.then(async (got) => ({ status: got.status, body: await got.text() }));
    return [status, (JSON.parse(body) as { detail: string }).detail];
  };
  expect(await read(post(payloadOf("Stop"), { secret: "hbr_wrong" }))).toEqual([
    401,
    "the secret is not known; hookbell remote add NAME --by http makes one",
  ]);
  expect(await read(post("not json"))).toEqual([400, expect.stringContaining("text that is not JSON")]);
  expect((await read(post(JSON.stringify({ hook_event_name: "Stop", session_id: 4 }))))[1]).toContain("session_id");
  expect((await read(post(payloadOf("Stop"), { agent: "..%2Fx" })))[0]).toBe(400);
  expect((await project.command(["remote", "remove", "box", "--yes"])).code).toBe(0);
  expect((await read(post(payloadOf("Stop"), { secret })))[0]).toBe(401);
  expect(events(project)).toEqual([]);
  expect(readdirSync(project.layout.incoming)).toEqual([]);
});

it("has no file of this machine read that a machine names", async () => {
  const project = silentProject();
  runDispatcherOf(project);
  const { post } = await sandbox(project, await serverOf(project));
  const transcript = join(project.home, "transcript.jsonl");
  const line = { type: "assistant", message: { content: [{ type: "text", text: "a secret of this machine" }] } };
  writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  expect((await post(payloadOf("Stop", { transcript_path: transcript }))).status).toBe(200);
  await project.until("the event", () => events(project).length === 1);
  expect(JSON.stringify(project.journal())).not.toContain("a secret of this machine");
});

async function asking(): Promise<{ project: Project; telegram: PretendTelegram; box: Sandbox }> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  // What the server would start is not at hand within a test.
  runDispatcherOf(project);
  return { project, telegram, box: await sandbox(project, await serverOf(project)) };
}

const question = (command = "touch made"): string =>
  JSON.stringify({ ...capturedQuestion, cwd: "/srv/shop", tool_input: { command } });

async function tap(project: Project, telegram: PretendTelegram, button: string): Promise<void> {
  await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  const pressed = message?.buttons.find(({ text }) => text === button);
  if (message === undefined || pressed === undefined) throw new Error(`no button ${button}`);
  telegram.tap(ann, message, pressed.callback_data);
}

it(
  "holds a question until the person has answered on the phone, and stays silent for what may not be allowed",
  { timeout: longestWaitMs },
  async () => {
    const { project, telegram, box } = await asking();
    const response = box.post(question());
    await tap(project, telegram, "Allow");
    expect(telegram.messages.at(-1)?.text).toContain("box");
    expect(await (await response).json()).toEqual(decisionOf("allow"));

    const other = box.post(question("rm -rf /srv"));
    await tap(project, telegram, "Deny");
    expect(telegram.messages.at(-1)?.buttons.map(({ text }) => text)).not.toContain("Allow");
    expect(await (await other).json()).toEqual(decisionOf("deny", "The user denied this."));
  },
);

it("ends the question when the agent no longer waits", { timeout: longestWaitMs }, async () => {
  const { project, telegram, box } = await asking();
  const agent = new AbortController();
  const response = box
    .post(question(), { signal: agent.signal })
    .then(async (got) => await got.text())
    .catch(() => "ended");
  await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
  agent.abort();
  expect(await response).toBe("ended");
  await project.until("its end", () => telegram.messages.at(-1)?.text.includes("answered at the terminal") === true);
});

it("loses nothing that a killed server has kept, and tells nothing twice", async () => {
  const project = silentProject();
  const server = await startServerProcess(project);
  onTestFinished(async () => void (await server.end("SIGKILL")));
  const { post } = await sandbox(project, server.url);
  const posts = Array.from({ length: 60 }, (_, index) =>
    post(payloadOf("Stop", { session_id: `s${index}` })).then(
      ({ status }) => (status === 200 ? `box:s${index}` : ""),
      () => "",
    ),
  );
  await project.until("some events", () => events(project).length > 3);
  await server.end("SIGKILL");
  const kept = (await Promise.all(posts)).filter((session) => session !== "");
  const next = await startServerProcess(project);
  onTestFinished(async () => void (await next.end("SIGKILL")));
  const sessions = (): unknown[] => events(project).map(({ session }) => session);
  await project.until("all of them", () => kept.every((each) => sessions().includes(each)));
  await project.until("nothing more", () => readdirSync(project.layout.incoming).length === 0);
  expect(new Set(sessions()).size).toBe(sessions().length);
  expect(readdirSync(join(remoteFolder(project.layout, "box"), "staging"))).toEqual([]);
});

it("a machine that has filled its places is named to the person, and takes none of another machine's", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  ensureLayout(project.layout);
  takeLease(project.layout, systemClock);
  const { url, post } = await sandbox(project, await serverOf(project));
  const other = newSecret(randomKey());
  writeRemote(project.layout, { name: "other", transport: "http", target: url, digest: other.digest });
  const theirs = new Set(fillPlaces(project, "box").map(({ id }) => id));
  for (const command of ["one", "two"]) {
    const body = JSON.stringify({ ...capturedQuestion, tool_input: { command } });
    const response = await post(body);
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: {} });
  }
  const notes = project.journal().filter(({ what }) => what === "not asked elsewhere");
  expect(notes.map(({ why }) => why)).toEqual(Array(2).fill("100 questions of box wait already"));
  const notices = project.journal().filter(({ kind }) => kind === "notice");
  expect(notices.map(({ title }) => title)).toEqual(["hookbell: 100 questions of box wait"]);
  const { stdout } = await project.command(["status"]);
  expect(stdout).toContain("100 questions of box wait; its further ones are asked only in its terminal\n");
  expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({ full: ["box"] });

  const gone = new AbortController();
  void post(JSON.stringify(capturedQuestion), { secret: other.secret, signal: gone.signal }).catch(() => {});
  const isTheirs = ({ id, host }: Question): boolean => theirs.has(id) || host !== "other";
  await project.until("the other machine's question", () => !listQuestions(project.layout).every(isTheirs));
  gone.abort();
});
