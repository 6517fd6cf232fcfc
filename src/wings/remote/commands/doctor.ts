// `doctor`: checks that each remote can be reached, and what hookbell needs there.
import { typedWord } from "../../../model/places/user-shell.ts";
import { fetchedScriptText } from "../../../install/hook-script.ts";
import { prepareInstall } from "../../../install/install-agent.ts";
import { describeInstallProblem } from "../../../install/problem.ts";
import { UserError } from "../../../model/errors.ts";
import { formatDuration } from "../../../model/figures/duration.ts";
import { findLeaseHolder } from "../../../outbox/lease/lease.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { connect, type Host } from "../host.ts";
import { countDropped, countWaiting, maxWaiting, requireOwnHook, tryToWrite } from "../hook-there.ts";
import {
  type CallingRemote,
  isReached,
  listRemotes,
  readStatus,
  type ReachedRemote,
  type SpoolRemote,
} from "../remotes.ts";
import { countUnreadable, lookAtSpool } from "../spool.ts";
import { startsAtLogin } from "../start-at-login.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { broken, type Finding, ok, warning } from "../../../console/output/finding.ts";
import { count } from "../../../console/output/text.ts";
import { createSendHttp } from "../../../system/network/send.ts";
import { installContextOf } from "./add.ts";
import { addressOf } from "./calling.ts";
import { readMirror } from "./mirror.ts";

/** More would show in the times of messages, and in their order beside local ones. */
const maxClockMs = 60_000;
/** Events come within seconds. */
const manyWaiting = 10;
const callMs = 5000;

export async function examineRemotes(io: CommandIo, layout: Layout): Promise<Finding[]> {
  const remotes = listRemotes(layout);
  if (remotes.length === 0) return [];
  const findings = await Promise.all(
    remotes.map(async (remote) => {
      if (isReached(remote)) return await examine(io, layout, remote);
      return remote.transport === "file" ? examineSpool(layout, remote) : await examineCalling(io, remote);
    }),
  );
  const { home } = io.places;
  const first = remotes.find(isReached);
  if (first === undefined) return findings.flat();
  const again = `hookbell remote add ${typedWord(first.name)}`;
  const text = "no dispatcher starts when you log in, so remotes are not followed before the first local event";
  const isMissing = startsAtLogin({ home, platform: io.platform }) === false;
  return [...findings.flat(), ...(isMissing ? [warning(text, again)] : [])];
}

function examineSpool(layout: Layout, { name, target }: SpoolRemote): Finding[] {
  const { isFull, dropped, why } = lookAtSpool(target);
  const file = typedWord(target);
  if (why !== undefined) {
    const fix = "mount its folder in the sandbox, or put the file of a CI job there; then:";
    return [warning(`${name}: ${target}: ${why}`, `ls -l ${file}`, fix)];
  }
  const findings: Finding[] = [];
  const warn = (text: string, command: string, fix: string): void =>
    void findings.push(warning(`${name}: ${text}`, command, fix));
  const begin = "once the dispatcher has read it, begin a new file:";
  if (isFull) warn(`${target} is full, so hooks there cannot write more events`, `rm ${file}`, begin);
  if (dropped > 0) {
    warn(`${count(dropped, "event")} were dropped, since ${target} was full`, `rm ${file}.dropped`, "to forget that:");
  }
  const unreadable = countUnreadable(layout, name);
  if (unreadable > 0) {
    warn(`${count(unreadable, "line")} of ${target} cannot be read, or have more than 8 MiB`, `rm ${file}`, begin);
  }
  return findings.length > 0 ? findings : [ok(`${name}: ${target} can be read`)];
}

/** Whether `hookbell serve` answers at the address that the machine there has; a wrong secret shows that it is the right program. */
async function examineCalling(io: CommandIo, { name, target }: CallingRemote): Promise<Finding[]> {
  const url = addressOf(target, "generic");
  const request = { url, method: "POST", body: "{}" } as const;
  const got = await createSendHttp(io.env)(request, { timeoutMs: callMs });
  const isThere = "status" in got && got.status === 401;
  if (isThere) return [ok(`${name}: hookbell serve answers at ${target}`)];
  const why = "status" in got ? `the answer is ${got.status}` : got.detail;
  const fix = "start it on this machine, or give the right address with: hookbell remote add NAME --url URL";
  return [warning(`${name}: hookbell serve does not answer at ${target}: ${why}`, "hookbell serve", fix)];
}

async function examine(io: CommandIo, layout: Layout, remote: ReachedRemote): Promise<Finding[]> {
  const { name } = remote;
  const command = `hookbell remote add ${typedWord(name)}`;
  let host: Host | undefined;
  try {
    host = await connect(remote, { clock: io.clock, env: io.env, signal: new AbortController().signal });
    await requireOwnHook(host, remote, fetchedScriptText());
    await tryToWrite(host, name);
    const findings: Finding[] = [];
    const warn = (text: string, command: string, fix?: string): void =>
      void findings.push(warning(`${name}: ${text}`, command, fix));
    const offMs = Math.abs(host.clockAheadMs);
    if (offMs > maxClockMs) {
      const way = host.clockAheadMs > 0 ? "ahead" : "behind";
      warn(
        `its clock is ${formatDuration(offMs)} ${way}; times are corrected by that`,
        "hookbell doctor",
        "set the clock there, then:",
      );
    }
    for (const { text, fix } of await examineHooks(io, layout, host, name)) warn(text, command, fix);
    const waiting = await countWaiting(host);
    const isRunning = findLeaseHolder(layout, io.clock.now()) !== undefined;
    const status = isRunning ? readStatus(layout, name) : undefined;
    if (status?.what === "waiting") {
      const fix =
        "ssh may need a variable such as SSH_AUTH_SOCK; end the dispatcher, and start it from a shell where ssh works:";
      warn(`the dispatcher cannot reach it, and this shell can: ${status.why ?? ""}`, "hookbell dispatch", fix);
    } else if (waiting > manyWaiting) {
      warn(`${count(waiting, "event")} wait there`, isRunning ? "hookbell remote list" : "hookbell dispatch");
    }
    const dropped = await countDropped(host);
    if (dropped > 0) {
      const fix = "its hook drops further events until the dispatcher fetches these:";
      warn(`${count(dropped, "event")} were dropped there, since ${maxWaiting} waited`, "hookbell dispatch", fix);
    }
    return findings.length > 0 ? findings : [ok(`${name}: connected, and its hooks are up to date`)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isWithoutHook = error.code === "remote.hook-missing";
    const fix = isWithoutHook ? undefined : error.hint;
    return [broken(error.message, isWithoutHook ? command : "hookbell doctor", fix)];
  } finally {
    host?.end();
  }
}

/** What `remote add` would change there, of the agents that have its hooks. */
async function examineHooks(
  io: CommandIo,
  layout: Layout,
  host: Host,
  name: string,
): Promise<{ text: string; fix?: string }[]> {
  const mirror = await readMirror(host, name, { layout, nowMs: io.clock.now() });
  const context = await installContextOf(io, mirror);
  const installed = new Set(context.store.read().files.map(({ agent }) => agent));
  return mirror.targets
    .filter(({ id }) => installed.has(id))
    .flatMap((target) => {
      const { plan } = prepareInstall(context, target);
      const problems = plan.problems.map((problem) => ({
        text: `${target.name}: ${mirror.thereIn(describeInstallProblem(problem))}`,
        fix: problem.hint,
      }));
      if (problems.length > 0 || plan.changes.length === 0) return problems;
      return [{ text: `${target.name}: its hooks are missing or out of date` }];
    });
}
