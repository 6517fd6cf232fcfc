// Events of the platform that come without a command: a dispatcher asks while it runs, and a server tells of its sessions.
import { expect, it } from "vitest";
import { addDays, utcDate } from "../../../src/wings/platform/contract/dates.ts";
import { startPlatformReceiver } from "../../support/usage/receiver.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startServerHere } from "../../support/usage/server-process.ts";

const today = utcDate(Date.now());

/** The names and reasons of the platform's events in the journal. */
function platformEvents(project: Project): string[] {
  return project.journal().flatMap(({ kind, event }) => {
    const { agent, name, reason = "" } = (kind === "event" ? event : {}) as Record<string, string>;
    return agent === "platform" ? [`${name} ${reason}`.trim()] : [];
  });
}

it("a hook's dispatcher brings the digest, once, and says what it could not ask (posix)", async () => {
  const receiver = await startPlatformReceiver(today);
  for (const [name, rows] of Object.entries(receiver.rows)) {
    const days = Array.from({ length: 3 }, (_, index) => addDays(today, -1 - index));
    receiver.rows[name] = days.flatMap((date) => rows.map((row) => ({ ...row, date })));
  }
  try {
    const project = temporaryProject();
    const platform = { baseUrl: receiver.origin, apiKey: { env: "KEY" }, digest: { at: "00:00" } };
    project.writeRules({ channels: {}, rules: [], platform });
    Object.assign(project.env, { KEY: "key-wrong" });
    await project.hook(payloadOf("Stop"));
    const failed = (): boolean => project.journal().some(({ what }) => what === "platform");
    await project.until("a note of the refusal", failed);
    expect((await project.command(["log", "--failed"])).stdout).toMatch(
      /platform {2}not asked: .*does not accept the API key/,
    );
    // It was asked a moment ago.
    const { length } = receiver.requests;
    process.kill(dispatcherPid(project), "SIGTERM");
    await project.until("its end", () => project.journal().some(({ what }) => what === "ended"));
    expect(await project.command(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
    expect(receiver.requests).toHaveLength(length);

    const other = temporaryProject();
    other.writeRules({ channels: {}, rules: [], platform });
    Object.assign(other.env, { KEY: "key-manager" });
    await other.hook(payloadOf("Stop"));
    await other.until("the digest", () => platformEvents(other).length > 0);
    await other.command(["platform", "poll"]);
    await other.run(["dispatch", "--until-idle"]);
    expect(platformEvents(other)).toEqual(["UsageDigest"]);
  } finally {
    await receiver.close();
  }
});

it("a server's install session that has ended is an event, where the rules file asks for it", async () => {
  const project = temporaryProject();
  const key = JSON.parse((await project.command(["keys", "add", "ann", "--role", "owner", "--json"])).stdout) as {
    key: string;
  };
  const server = await startServerHere(project);
  runDispatcherOf(project);
  const platform = { baseUrl: server.url, apiKey: { env: "KEY" }, installs: true };
  project.writeRules({ channels: {}, rules: [], platform });
  Object.assign(project.env, { KEY: key.key });
  const install = async (name: string, ...argv: string[]): Promise<void> => {
    const added = await project.command(["computers", "add", name, "--json", "--", ...argv]);
    const { id } = JSON.parse(added.stdout) as { id: string };
    expect(await project.command(["computers", "install-deps", id])).toMatchObject({ code: 0, stderr: "" });
  };
  await install("good", process.execPath, "-e", "");
  await project.until("the end of the first", () => platformEvents(project).includes("ComputerInstall finished"));
  await install("bad", process.execPath, "-e", "process.exit(1)");
  await project.until("the end of the second", () => platformEvents(project).includes("ComputerInstall failed"));
  await install("hanging", process.execPath, "-e", "setInterval(() => {}, 1e6)");
  expect(await server.end()).toBe(0);
  await project.until("the end of the third", () => platformEvents(project).length === 6);
  expect(platformEvents(project).filter((event) => event !== "ComputerInstall accepted")).toEqual([
    "ComputerInstall finished",
    "ComputerInstall failed",
    "ComputerInstall failed",
  ]);
});
