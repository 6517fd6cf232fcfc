// `hookbell run`: the command's own streams and exit code, and one notification of how it ended.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { shell, webhookProject, type WebhookProject } from "./webhook-project.ts";

const rules = [
  { name: "done", when: { event: "Stop", agent: "hookbell" }, notify: ["ops"] },
  { name: "failed", when: { level: "error" }, notify: ["ops"] },
];

interface Told {
  title: string;
  body: string;
  level: string;
}

/** With a dispatcher at work, which `run` hands its notification to. */
async function projectAtWork(): Promise<WebhookProject> {
  const project = await webhookProject(rules);
  runDispatcherOf(project);
  return project;
}

async function arrivals(project: WebhookProject, count: number): Promise<Told[]> {
  await project.until("the notification", () => project.receiver.requests.length >= count);
  return project.receiver.requests.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: { message: Told } };
    return data.message;
  });
}

describe("run", () => {
  it("passes on input, output and exit code 0, and says that the command is done (posix)", async () => {
    const project = await projectAtWork();
    const result = await project.run(["run", "--", "sh", "-c", "cat; echo oops >&2; printf '10%%\\r100%%\\n'"], "in\n");
    expect(result).toMatchObject({ code: 0, stdout: "in\n10%\r100%\n", stderr: "oops\n" });
    const [told] = await arrivals(project, 1);
    expect(told).toMatchObject({
      level: "success",
      title: expect.stringMatching(/: command is done$/),
    });
    const [command, ...lines] = told?.body.split("\n") ?? [];
    expect(command).toMatch(/^sh -c 'cat; .*'$/);
    expect(lines.sort()).toEqual(["100%", "in", "oops"]);
  });

  it("passes on a failure, with the last lines and without their colours (posix)", async () => {
    const project = await projectAtWork();
    const script = "for n in 1 2 3 4 5 6 7 8 9 10; do printf '\\033[31mline %s\\033[0m\\n' $n; done; exit 3";
    const result = await project.run(["run", "--title", "release", "--", "sh", "-c", script]);
    expect(result).toMatchObject({ code: 3, stderr: "" });
    expect(result.stdout).toContain("\u001b[31mline 1\u001b[0m\n");
    const [told] = await arrivals(project, 1);
    expect(told).toMatchObject({ level: "error", title: expect.stringMatching(/: release failed$/) });
    expect(told?.body).toMatch(/^sh -c .*\nexit code 3\nline 3\n[^]*line 10$/);
  });

  it("ends by the signal that ended the command (posix)", async () => {
    const project = await projectAtWork();
    expect(await project.run(["run", "--", "sh", "-c", "kill -TERM $$"])).toMatchObject({ signal: "SIGTERM" });
    const [told] = await arrivals(project, 1);
    expect(told).toMatchObject({ level: "error", body: "sh -c 'kill -TERM $$'\nSIGTERM" });
  });

  it("says that a long command failed, and shows all of it below (posix)", async () => {
    const project = await projectAtWork();
    const script = `exit 3; ${"echo a long command; ".repeat(10)}`;
    await project.run(["run", "--", "sh", "-c", script]);
    const [told] = await arrivals(project, 1);
    expect(told?.title).toMatch(/: command failed$/);
    expect(told?.body).toBe(`sh -c '${script}'\nexit code 3`);
  });

  it("forwards a signal to the command (posix)", async () => {
    const project = await projectAtWork();
    const { stdout } = await shell(
      project,
      `hookbell run -- sh -c 'trap "echo caught; exit 5" TERM; echo $PPID >pid; while :; do sleep 0.05; done' &
       own=$!; while [ ! -s pid ]; do sleep 0.05; done; kill -TERM "$(cat pid)"; wait $own; echo "code $?"`,
    );
    expect(stdout).toBe("caught\ncode 5\n");
    expect(await arrivals(project, 1)).toMatchObject([{ level: "error" }]);
  });

  it("stays silent after SIGINT, and where hookbell is switched off (posix)", async () => {
    const project = await webhookProject(rules);
    expect(await project.run(["run", "--", "sh", "-c", "kill -INT $$"])).toMatchObject({ signal: "SIGINT" });
    project.env.HOOKBELL_DISABLE = "1";
    expect(await project.run(["run", "--", "false"])).toMatchObject({ code: 1, stdout: "", stderr: "" });
    expect(project.journal()).toEqual([]);
    expect(project.receiver.requests).toEqual([]);
  });

  it("keeps the exit code when it cannot notify (posix)", async () => {
    const project = await webhookProject(rules);
    writeFileSync(join(project.home, "file"), "");
    project.env.HOOKBELL_STATE_DIR = join(project.home, "file", "state");
    const result = await project.run(["run", "--", "sh", "-c", "exit 7"]);
    expect(result.code).toBe(7);
    expect(result.stderr).toMatch(/^hookbell: cannot notify you: /);
  });

  it.each<[string, string[], number, RegExp]>([
    ["no command", [], 64, /^hookbell: there is no command to run\n/],
    ["no --", ["npm", "test"], 64, /hookbell run -- COMMAND/],
    [
      "an unknown program",
      ["--", "no-such-program"],
      127,
      /^hookbell: cannot run no-such-program: command not found\n$/,
    ],
    // Windows knows no permission to run: what is no program is not found.
    ["a folder (posix)", ["--", "/"], 126, /^hookbell: cannot run \/: permission denied\b/],
  ])("refuses %s", async (_what, args, code, stderr) => {
    const project = await webhookProject(rules);
    const result = await project.run(["run", ...args]);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toMatch(stderr);
    expect(project.journal()).toEqual([]);
  });
});
