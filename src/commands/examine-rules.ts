import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { probe } from "../dispatch/probe.ts";
import { readEndpoint } from "../outbox/endpoints.ts";
import { showProblems } from "../rules/show-problems.ts";
import type { Finding } from "./finding.ts";

const origins = {
  file: "",
  lastGood: "; the last good rules apply meanwhile",
  builtIn: "; the built-in rules apply meanwhile",
};

/** Whether the rules file is good, and which rules apply. */
export function examineRules(dispatcher: Dispatcher, file: string): Finding[] {
  const { rules, origin, problems, text } = dispatcher.rules();
  if (problems.length === 0) {
    const counts = `${Object.keys(rules.channels).length} channels, ${rules.rules.length} rules`;
    const where = origin === "builtIn" ? `no ${file}: the built-in rules apply` : file;
    return [{ area: "rules", status: "ok", text: `${where} (${counts})` }];
  }
  return problems.map((problem) => {
    const [where = problem.message] = showProblems([problem], { text, file, isColor: false }).split("\n");
    return {
      area: "rules",
      status: "broken",
      text: `${where}${origins[origin]}`,
      mend: "hookbell check shows the place",
    };
  });
}

/** Every channel of the rules: switched off, without its secret, or without what it needs on this machine. */
export async function examineChannels(dispatcher: Dispatcher): Promise<Finding[]> {
  const { channels } = dispatcher.rules().rules;
  return await Promise.all(
    Object.values(channels).map(async (channel): Promise<Finding> => {
      const name = `${channel.name} (${channel.type})`;
      const { switchedOff } = readEndpoint(dispatcher.layout, channel.name);
      if (switchedOff !== undefined && switchedOff.fingerprint === channel.fingerprint) {
        const text = `${name}: switched off, because ${switchedOff.reason}: ${switchedOff.detail}`;
        return { area: "channels", status: "broken", text, mend: "change its settings, or: hookbell retry --all" };
      }
      const result = await probe(dispatcher, channel);
      return result.status === "ok"
        ? { area: "channels", status: "ok", text: `${name}: ${result.detail}` }
        : { area: "channels", status: "broken", text: `${name}: ${result.detail}`, mend: result.mend };
    }),
  );
}
