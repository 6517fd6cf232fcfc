// A pretend agent asks with the real hook and then answers itself, in each way in which its shell tool could.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { questionIdOf, readAnswer, type Question } from "../../../src/answers/questions.ts";
import { shellQuoted } from "../../../src/model/text.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson, untilWritten } from "../../support/project/person-terminal.ts";
import { cliPath, hookPath, type Project } from "../../support/project/running-project.ts";
import { startPretendTelegram, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { capturedQuestion, onlyQuestion, telegramProject } from "./asking.ts";

/** It asks, then runs each line that is put into the folder, with a shell and pipes as agents do. */
const agentProgram = `
  const { spawn } = require("node:child_process");
  const { existsSync, readFileSync, rmSync } = require("node:fs");
  const [folder, hook] = process.argv.slice(1);
  const asking = spawn("sh", ["-c", hook + "; true"], { stdio: ["pipe", "pipe", "inherit"] });
  asking.stdin.end(readFileSync(folder + "/payload"));
  setInterval(() => {
    if (!existsSync(folder + "/line")) return;
    const line = readFileSync(folder + "/line", "utf8");
    rmSync(folder + "/line");
    spawn("sh", ["-c", line], { stdio: "ignore" });
  }, 20);
`;

interface Agent {
  question: Question;
  /** The command's exit code and what it said; \`how\` starts the script at its path. */
  answers(how: (script: string) => string, args: readonly string[]): Promise<{ code: number; said: string }>;
}

let telegram: PretendTelegram;
let project: Project;
beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  project = telegramProject(telegram);
});

async function startAgent(isInTerminal: boolean): Promise<Agent> {
  const folder = mkdtempSync(join(project.home, "agent-"));
  writeFileSync(join(folder, "payload"), JSON.stringify(capturedQuestion));
  const hook = [process.execPath, hookPath, "--agent", "claude-code", "--answer"].map(shellQuoted).join(" ");
  const agent = [process.execPath, "-e", agentProgram, folder, hook];
  const [program = "", ...args] = isInTerminal
    ? ["script", "-qec", `${agent.map(shellQuoted).join(" ")}; true`, "/dev/null"]
    : ["setsid", ...agent];
  spawn(program, args, { env: project.env, cwd: project.home, stdio: ["pipe", "ignore", "inherit"] });
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
  const question = onlyQuestion(project) as Question;
  return {
    question,
    async answers(how, words) {
      const own = mkdtempSync(join(folder, "try-"));
      const command = [process.execPath, cliPath, ...words].map(shellQuoted).join(" ");
      // Without the variables, it would find no question.
      const places = ["HOME", "HOOKBELL_CONFIG_DIR", "HOOKBELL_STATE_DIR"].map(
        (name) => `${name}=${project.env[name]}`,
      );
      const said = join(own, "said");
      writeFileSync(
        join(own, "script"),
        `env -i ${places.map(shellQuoted).join(" ")} ${command} >${said} 2>&1\necho $? >${own}/c\nmv ${own}/c ${own}/code\n`,
      );
      writeFileSync(join(folder, "next"), how(join(own, "script")));
      renameSync(join(folder, "next"), join(folder, "line"));
      const code = Number(await untilWritten(join(own, "code")));
      return { code, said: readFileSync(said, "utf8") };
    },
  };
}

const ways: [string, (script: string) => string][] = [
  ["as it is", (script) => `sh ${script}`],
  ["in its own place", (script) => `exec sh ${script}`],
  ["after nohup", (script) => `nohup sh ${script}`],
  ["after setsid", (script) => `setsid sh ${script}`],
  ["after its parent has ended", (script) => `(sh ${script} &) &`],
  ["after setsid, and after its parent has ended", (script) => `(setsid sh ${script} &) &`],
  ["in a terminal that it makes", (script) => `script -qec 'sh ${script}' /dev/null`],
];

describeWithParts("an agent that answers its own question", personParts, () => {
  it("is refused in a terminal and without one, in every way it starts the command; a person is not", async () => {
    for (const isInTerminal of [true, false]) {
      const { question, answers } = await startAgent(isInTerminal);
      const id = questionIdOf(question);
      for (const [name, how] of ways) {
        const answered = await answers(how, ["answer", id, "allow"]);
        expect(answered, name).toMatchObject({ code: 1 });
        expect(answered.said, name).toMatch(/no agent may do that|needs a terminal in which a person/);
        expect(await answers(how, ["channels", "pair", "phone"]), name).toMatchObject({ code: 1 });
      }
      expect(readAnswer(project.layout, question.id)).toBeUndefined();
      const mine = await runAsPerson(project, ["answer", id, "allow"]);
      expect(mine).toMatchObject({ code: 0, shown: expect.stringMatching(/Allowed by \S+ in a shell/) });
      await project.until("its end", () => onlyQuestion(project) === undefined);
    }
  });

  it("is refused by the environment of the shell that started the command, though the command's own is empty", async () => {
    const { question } = await startAgent(false);
    project.env.QWEN_CODE = "1";
    const answered = await runAsPerson(
      project,
      ["answer", questionIdOf(question), "allow"],
      "sh -c 'env -i \"$@\"; exit $?' sh",
    );
    expect(answered).toMatchObject({ code: 1, shown: expect.stringContaining("Qwen Code runs this command") });
    const added = await project.run(["keys", "add", "me", "--role", "owner"]);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining("(QWEN_CODE is set)") });
  });
});
