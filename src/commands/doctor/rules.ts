// `doctor` on rules and channels.
import { typedWord } from "../../model/places/user-shell.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { readyChannel, probe } from "../../pipeline/channel/call-channel.ts";
import { isSwitchedOff } from "../../pipeline/channel/endpoint-policy.ts";
import { sourcesIn } from "../../model/privacy/secret.ts";
import { readEndpoint, type Endpoint } from "../../outbox/endpoints.ts";
import { literalSecretsIn } from "../../rules/literal-secrets.ts";
import type { Channel } from "../../rules/rules.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { statIfThere } from "../../system/files/files.ts";
import { findDistrust } from "../../system/files/inspect-path.ts";
import { expandHome } from "../../system/paths.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { broken, type Finding, ok, warning } from "../../console/output/finding.ts";
import { describeApplying } from "../pipeline/load-rules.ts";
import { findWaiting, type WaitingDeliveries } from "../pipeline/waiting.ts";

/** `named` is the file given with `--config`. */
export function examineRules(io: CommandIo, dispatcher: Dispatcher, named: string | undefined): Finding[] {
  const { rules, origin, problems, warnings = [], text } = dispatcher.rules();
  const file = named ?? io.places.rulesFile;
  const check = named === undefined ? "hookbell check" : `hookbell check ${typedWord(named)}`;
  if (problems.length > 0) {
    const [problem, ...more] = problems;
    const [where = file] =
      problem === undefined ? [] : showProblems([problem], { text, file, isColor: false }).split("\n");
    const what = more.length === 0 ? where : `${file}: ${count(problems.length, "problem")}`;
    return [broken(`${what}; ${describeApplying(origin, dispatcher.layout)}`, check)];
  }
  const channels = Object.values(rules.channels);
  const counts = `${count(channels.length, "channel")}, ${count(rules.rules.length, "rule")}`;
  const where = origin === "builtIn" ? `no ${file}: the built-in rules apply` : file;
  return [
    ok(`${where} (${counts})`),
    // A channel without a rule is no fault of the installation: `send` can name it.
    ...warnings
      .filter(({ path }) => path.includes(".when."))
      .map((problem) => {
        const [line = problem.message] = showProblems([problem], { text, file, isColor: false }).split("\n");
        const hint = problem.hint === undefined ? "" : ` (${problem.hint})`;
        return warning(line + hint, check);
      }),
    ...examineSecrecy(io, file, channels),
    ...examineSecretFiles(io, channels),
  ];
}

/** Checks for each file used as `{ "file": PATH }` whether other users can read or change it. */
function examineSecretFiles({ places, platform }: CommandIo, channels: readonly Channel[]): Finding[] {
  const sources = channels.flatMap(({ settings }) => sourcesIn(settings));
  const files = new Set(sources.flatMap((source) => (source.from === "file" ? [source.path] : [])));
  return [...files].flatMap((file): Finding[] => {
    const path = expandHome(file, places.home);
    const distrust = findDistrust(path);
    const mode = statIfThere(path)?.mode ?? 0;
    if (distrust !== undefined) return [warning(`${distrust.path} ${distrust.why}`, distrust.fix)];
    // Windows has no such modes: Node makes them up.
    if (platform === "win32" || (mode & 0o004) === 0) return [];
    const text = `other users can read ${path} (mode ${mode.toString(8)}), which is a secret`;
    return [warning(text, `chmod 600 ${typedWord(path)}`)];
  });
}

/** Others may read a rules file, but not the secrets in it. */
function examineSecrecy(io: CommandIo, file: string, channels: readonly Channel[]): Finding[] {
  const mode = statIfThere(file)?.mode ?? 0;
  if (io.platform === "win32" || (mode & 0o077) === 0) return [];
  const names = channels.filter(({ settings }) => literalSecretsIn(settings).length > 0).map(({ name }) => name);
  if (names.length === 0) return [];
  const text = `other users can read ${file} (mode ${mode.toString(8)}), which contains secrets of ${names.join(", ")}`;
  return [warning(text, `chmod 600 ${typedWord(file)}`)];
}

export async function examineChannels(dispatcher: Dispatcher): Promise<Finding[]> {
  const { layout, tools } = dispatcher;
  const { rules } = dispatcher.rules();
  let waiting: WaitingDeliveries[] = [];
  try {
    waiting = findWaiting(layout, rules, tools.clock.now());
  } catch {
    // An unreadable outbox is reported with the queue.
  }
  return await Promise.all(
    Object.values(rules.channels).map(async (channel): Promise<Finding> => {
      const name = `${channel.name} (${channel.type})`;
      const command = `hookbell test ${typedWord(channel.name)}`;
      const endpoint = readEndpoint(layout, channel.name);
      if (endpoint.switchedOff !== undefined && (await isOff(dispatcher, channel, endpoint))) {
        const { reason, detail } = endpoint.switchedOff;
        const text = `${name}: switched off, because ${reason}: ${detail}`;
        return broken(text, command, "change its settings, or repair its receiver, then:");
      }
      const result = await probe(dispatcher, channel);
      const failing = waiting.find((each) => each.channel === channel.name && each.reason !== undefined);
      if (result.status === "ok" && endpoint.missingSecret !== undefined) {
        const text = `${name}: deliveries wait for a dispatcher that has its secret; this shell has it`;
        return warning(text, "hookbell dispatch --until-idle");
      }
      if (result.status === "ok" && failing !== undefined) {
        const text = `${name}: ${count(failing.count, "delivery", "deliveries")} waiting, because ${failing.detail}`;
        return broken(text, command);
      }
      const text = `${name}: ${result.detail}`;
      if (result.status === "ok") return ok(text);
      if (result.status === "broken" && result.isElsewhere === true) {
        const fix = `${result.fix}; if you do not sit at this machine, add another channel:`;
        return broken(text, "hookbell channels add", fix);
      }
      return { status: result.status, text, fix: result.fix, command };
    }),
  );
}

/** Sounds and programs have no use for notices, which otherwise go to the desktop. */
export async function examineNotices(dispatcher: Dispatcher): Promise<Finding[]> {
  const { rules } = dispatcher.rules();
  const channels = Object.values(rules.channels);
  const desktop = rules.builtInDesktop;
  if (channels.some(({ channelType }) => channelType.isUnfitForNotices !== true)) return [];
  if (desktop !== undefined && (await probe(dispatcher, desktop)).status === "ok") return [];
  const text = "no channel can tell you of hookbell's own problems, such as a broken rules file";
  const names = channels.map(({ name, type }) => `${name} (${type})`).join(", ");
  const fix = `${names === "" ? "" : `${names} cannot carry such notices, and `}there is no desktop here; add a channel with text:`;
  return [warning(text, "hookbell channels add", fix)];
}

/** A changed secret also switches it on again. */
async function isOff(dispatcher: Dispatcher, channel: Channel, endpoint: Endpoint): Promise<boolean> {
  const ready = await readyChannel(dispatcher, channel);
  return !("failure" in ready) && isSwitchedOff(endpoint, channel.fingerprint, ready.secretsDigest);
}
