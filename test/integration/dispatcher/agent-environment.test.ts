import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { payloadOf } from "../../support/project/running-project.ts";

/** An agent with this environment, whose hook has left a payload; `others` are the processes between the two. */
async function acceptFrom(
  { dispatcher, clock, until }: RunningDispatcher,
  session: string,
  env: Record<string, string>,
  others: readonly number[] = [],
): Promise<void> {
  const agent = spawn("sleep", ["60"], { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
  onTestFinished(() => void agent.kill("SIGKILL"));
  // For a moment a new process has no environment.
  await until("the agent's environment", () => readFileSync(`/proc/${agent.pid}/environ`, "utf8").includes("PATH="));
  writeIncoming(dispatcher.layout, payloadOf("Stop", { session_id: session }), {
    agentId: "generic",
    callerPids: [...others, agent.pid ?? 0],
    nowMs: clock.now(),
  });
}

describe.runIf(process.platform === "linux")("what the hook that started the dispatcher did not have", () => {
  it("comes from the agent of an event: a secret, for the deliveries that waited for it as well", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`, { headers: { Authorization: { env: "OPS_TOKEN" } } }));
    void running.run();
    await acceptFrom(running, "s1", {});
    await running.until("a try without it", () => running.journal("attempt").some(({ channel }) => channel === "ops"));
    await acceptFrom(running, "s2", { OPS_TOKEN: "Tok3nOfTheSecond" });
    await running.until("both", () => receiver.requests.length === 2);
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => "Tok3nOfTheSecond"),
    );
    await running.until("an empty outbox", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
  });

  it("comes from the agent, although the shell that it started the hook with shows no environment", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`, { headers: { Authorization: { env: "OPS_TOKEN" } } }));
    void running.run();
    const shell = spawn("/bin/sleep", ["60"], { env: {}, stdio: "ignore" });
    onTestFinished(() => void shell.kill("SIGKILL"));
    await acceptFrom(running, "s1", { OPS_TOKEN: "Tok3nOfTheAgent" }, [shell.pid ?? 0]);
    await running.until("the message", () => receiver.requests.length === 1);
    expect(receiver.requests[0]?.headers.authorization).toBe("Tok3nOfTheAgent");
  });

  it("is the desktop's bus and the sound server, and nothing that no channel needs", async () => {
    const running = prepareDispatcher({ LANG: "de_DE.UTF-8" });
    running.writeRules({ channels: {}, rules: [] });
    await acceptFrom(running, "s1", {
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/none",
      PULSE_SERVER: "/tmp/pulse",
      LANG: "C",
      OTHER: "x",
    });
    await running.run({ idleMs: 0 });
    expect(running.dispatcher.tools.env).toEqual({
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/none",
      PULSE_SERVER: "/tmp/pulse",
      LANG: "de_DE.UTF-8",
    });
  });
});
