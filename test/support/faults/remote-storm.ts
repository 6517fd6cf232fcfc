// Many events on several machines, while connections, dispatcher and scripts are killed and the network is cut.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { objectOf } from "../../../src/model/json.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { createChance } from "../random/chance.ts";
import { endDispatcher } from "../project/dispatcher-process.ts";
import { processesWithEnvironment } from "../project/processes.ts";
import { addRemote, type Project } from "../project/running-project.ts";
import { descendants, kill, type SshHost } from "./ssh-host.ts";

export const quietRules = { channels: {}, rules: [{ name: "all", when: { event: ["Stop"] }, notify: [] }] };

export function stopPayload(session: string, message: string): string {
  return JSON.stringify({
    hook_event_name: "Stop",
    session_id: session,
    cwd: "/srv/shop",
    transcript_path: "/etc/hostname",
    last_assistant_message: message,
    stop_hook_active: false,
  });
}

/** Its home has settings of Claude Code already, or gets some. */
export async function addHost(project: Project, host: SshHost): Promise<void> {
  if (!existsSync(join(host.home, ".claude"))) host.put(".claude/settings.json", "{}\n");
  expect(await addRemote(project, host.name, "--yes")).toMatchObject({ code: 0, stderr: "" });
}

/**
 * The events of a host that are on record, in their order: `session message` each. A dispatcher that was killed before a
 * payload left incoming/ has recorded it already, and the next one does so again, under the same id.
 */
export function recorded(project: Project, host: Pick<SshHost, "name">): string[] {
  const byId = new Map<unknown, string>();
  for (const entry of project.journal()) {
    const { id, host: from, session, message } = entry.kind === "event" ? objectOf(entry.event) : {};
    if (from === host.name && !byId.has(id)) byId.set(id, `${String(session)} ${String(message)}`);
  }
  return [...byId.values()];
}

const kinds = ["cut", "script", "ssh", "dispatcher"] as const;
type Break = (typeof kinds)[number];

/** Sends so many events from each host, by two sessions at once; resolves when all are on record, exactly once and in order, to how often what was broken. */
export async function stormOf(
  project: Project,
  hosts: readonly SshHost[],
  { each, breaks, seed }: { each: number; breaks: number; seed: number },
): Promise<Record<Break, number>> {
  const chance = createChance(seed);
  const done: Record<Break, number> = { cut: 0, script: 0, ssh: 0, dispatcher: 0 };
  const sessions = ["a", "b"];
  const sent = Promise.all(
    hosts.flatMap((host) =>
      sessions.map(async (session) => {
        for (let index = 0; index < each / sessions.length; index += 1) {
          const { code, stderr } = await host.hook(stopPayload(session, String(index)));
          expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        }
      }),
    ),
  );
  const over = new AbortController();
  void sent.finally(() => over.abort()).catch(() => {});
  for (let count = 0; count < breaks || !over.signal.aborted; count += 1) {
    await sleep(100 + chance() * 400);
    const host = hosts[Math.floor(chance() * hosts.length)];
    const what = kinds[Math.floor(chance() * kinds.length)];
    if (host === undefined || what === undefined) continue;
    done[what] += 1;
    if (what === "cut") {
      await host.cut();
      await sleep(chance() * 500);
      await host.start();
    } else if (what === "script") host.killScripts();
    else if (what === "ssh") for (const pid of sshOf(project)) kill(pid);
    else {
      await endDispatcher(project);
      project.start(["dispatch", "--detached"]);
    }
  }
  await sent;
  project.start(["dispatch", "--detached"]);
  for (const host of hosts) {
    await allRecorded(project, host, each);
    await project.until(`their removal on ${host.name}`, () => host.waiting().length === 0);
  }
  for (const host of hosts) {
    const all = recorded(project, host);
    for (const session of sessions) {
      const own = all.filter((line) => line.startsWith(`${host.name}:${session} `));
      expect(own).toEqual(
        Array.from({ length: each / sessions.length }, (_, index) => `${host.name}:${session} ${index}`),
      );
    }
  }
  return done;
}

/** Waits as long as more comes. Reading the whole journal takes a while, so it is read seldom. */
async function allRecorded(project: Project, host: SshHost, each: number): Promise<void> {
  let count = -1;
  for (let quietMs = 0; ; quietMs += 1000) {
    const now = recorded(project, host).length;
    if (now >= each) return;
    if (now > count) quietMs = 0;
    count = now;
    if (quietMs > longestWaitMs) throw new Error(`${now} of ${each} events of ${host.name} came`);
    await sleep(1000);
  }
}

/** The person's ssh processes. */
function sshOf({ home }: Project): number[] {
  return processesWithEnvironment(join(home, "state")).flatMap((pid) => descendants(pid));
}
