// `doctor` on rules and channels.
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { readySettings } from "../../dispatch/send/attempt.ts";
import { isSwitchedOff } from "../../dispatch/policy/endpoint-policy.ts";
import { probe } from "../../dispatch/send/probe.ts";
import { shellWord } from "../../model/shell-word.ts";
import { readEndpoint, type Endpoint } from "../../outbox/endpoints.ts";
import { literalSecretsIn } from "../../rules/literal-secrets.ts";
import type { Channel } from "../../rules/rules.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { statIfThere } from "../../system/files/files.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count } from "../console/text.ts";
import type { Finding } from "../console/finding.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";

/** `named` is the file of `--config`. */
export function examineRules(io: CommandIo, dispatcher: Dispatcher, named: string | undefined): Finding[] {
  const { rules, origin, problems, text } = dispatcher.rules();
  const file = named ?? io.places.rulesFile;
  if (problems.length > 0) {
    const [problem, ...more] = problems;
    const [where = file] =
      problem === undefined ? [] : showProblems([problem], { text, file, isColor: false }).split("\n");
    const check = named === undefined ? "hookbell check" : `hookbell check ${shellWord(named)}`;
    return [
      {
        area: "rules",
        status: "broken",
        text: `${more.length === 0 ? where : `${file}: ${count(problems.length, "problem")}`}; ${insteadOfBroken[origin]}`,
        fix: more.length === 0 ? `${check} shows the place` : `${check} shows each with its place`,
      },
    ];
  }
  const channels = Object.values(rules.channels);
  const counts = `${count(channels.length, "channel")}, ${count(rules.rules.length, "rule")}`;
  const where = origin === "builtIn" ? `no ${file}: the built-in rules apply` : file;
  return [{ area: "rules", status: "ok", text: `${where} (${counts})` }, ...examineSecrecy(io, file, channels)];
}

/** Others may read a rules file, but not secrets in it. */
function examineSecrecy(io: CommandIo, file: string, channels: readonly Channel[]): Finding[] {
  const mode = statIfThere(file)?.mode ?? 0;
  if (io.platform === "win32" || (mode & 0o077) === 0) return [];
  const names = channels.filter(({ settings }) => literalSecretsIn(settings).length > 0).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    {
      area: "rules",
      status: "warning",
      text: `other users can read ${file} (mode ${mode.toString(8)}), which contains secrets of ${names.join(", ")}`,
      fix: `chmod 600 ${shellWord(file)}`,
    },
  ];
}

export async function examineChannels(dispatcher: Dispatcher): Promise<Finding[]> {
  const { channels } = dispatcher.rules().rules;
  return await Promise.all(
    Object.values(channels).map(async (channel): Promise<Finding> => {
      const name = `${channel.name} (${channel.type})`;
      const endpoint = readEndpoint(dispatcher.layout, channel.name);
      if (endpoint.switchedOff !== undefined && (await isOff(dispatcher, channel, endpoint))) {
        const { reason, detail } = endpoint.switchedOff;
        const text = `${name}: switched off, because ${reason}: ${detail}`;
        const fix = `change its settings; if its receiver is back: hookbell test ${channel.name}`;
        return { area: "channels", status: "broken", text, fix };
      }
      const result = await probe(dispatcher, channel);
      if (result.status === "ok" && endpoint.missingSecret !== undefined) {
        const text = `${name}: deliveries wait for a dispatcher that has its secret, as this shell does`;
        return { area: "channels", status: "warning", text, fix: endpoint.missingSecret.detail };
      }
      if (result.status === "ok") return { area: "channels", status: "ok", text: `${name}: ${result.detail}` };
      const isElsewhere = result.status === "broken" && result.isElsewhere === true;
      const fix = isElsewhere ? `${fixElsewhere(channel)}; else ${result.fix}` : result.fix;
      return { area: "channels", status: result.status, text: `${name}: ${result.detail}`, fix };
    }),
  );
}

/** A machine without a person needs another channel. */
function fixElsewhere({ name }: Channel): string {
  return `if you sit elsewhere: hookbell channels add, and hookbell channels remove ${shellWord(name)}`;
}

/** A changed secret switches it on again as well. */
async function isOff({ rules, tools }: Dispatcher, channel: Channel, endpoint: Endpoint): Promise<boolean> {
  const ready = await readySettings(channel, rules().rules, tools);
  return !("status" in ready) && isSwitchedOff(endpoint, channel.fingerprint, ready.secretsDigest);
}
