// A disk that answers EIO now and then, as one does that is dying, and network folders do.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { listDeliveries, reviveDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { ensureLayout } from "../../src/outbox/layout.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { dispatcherPid } from "../support/project/dispatcher-process.ts";
import { describeWithParts, findPart } from "../support/parts.ts";
import { startHttpReceiver } from "../support/receivers/http-receiver.ts";
import { rulesTo } from "../support/project/running-dispatcher.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../support/project/running-project.ts";

/** Starts a dispatcher to which the first listings of a folder fail. */
function startWithErrors({ env }: Project, folder: string, listings: number): ChildProcess {
  const inject = `inject=getdents64:error=EIO:when=1..${listings}`;
  const strace = ["-f", "-qq", "-o", "/dev/null", "-P", folder, "-e", "trace=getdents64", "-e", inject];
  const argv = [...strace, process.execPath, cliPath, "dispatch"];
  return spawn(findPart("strace") ?? "", argv, { env, stdio: "ignore" });
}

describeWithParts("a folder that cannot be listed for a moment", ["strace"], () => {
  it.each(["incoming", "outbox"] as const)(
    "%s: a dispatcher looks again, and delivers what lies there",
    async (name) => {
      const receiver = await startHttpReceiver({ behaviour: { answer: 400 } });
      const project = temporaryProject();
      const { layout } = project;
      project.writeRules(rulesTo(`${receiver.origin}/x`));
      ensureLayout(layout);
      writeIncoming(layout, payloadOf("Stop"), { agentId: "generic", nowMs: Date.now() });
      if (name === "outbox") {
        expect((await project.run(["dispatch", "--until-idle"])).code).toBe(0);
        expect(reviveDeliveries(layout, listDeliveries(layout, "dead"), Date.now()).length).toBe(1);
      }
      receiver.behave({ answer: 200 });
      const before = receiver.requests.length;
      const dispatcher = startWithErrors(project, layout[name], 4);
      await project.until("the delivery", () => receiver.requests.length > before);
      await project.until("its end", () => listDeliveries(layout, "outbox").length === 0);
      expect(listIncoming(layout)).toEqual([]);
      process.kill(dispatcherPid(project), "SIGTERM");
      await once(dispatcher, "exit");
      expect(receiver.requests.length).toBe(before + 1);
    },
  );
});
