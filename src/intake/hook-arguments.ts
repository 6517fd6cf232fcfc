// Parses the arguments of `hookbell hook`, by hand: Node's parser, which all other commands use, takes 3 ms.
export interface HookOptions {
  agentId: string | undefined;
  eventName: string | undefined;
  /** Which of the agent's hook setups calls (`--by plugin`). */
  setupName: string | undefined;
  rulesFile: string | undefined;
  isJson: boolean;
  /** Standard output is an answer to the agent. */
  isReply: boolean;
  isAnswer: boolean;
}

export type HookArguments =
  | ({ status: "plain" } & HookOptions)
  /** The hook runs in the foreground. */
  | ({ status: "other" } & HookOptions)
  | { status: "wrong"; problems: string[] };

const valueFlags = ["--agent", "--event", "--by", "--config"];
const slowFlags = ["--wait", "--reply", "--answer", "--json", "--help", "-h"];
const expected = "--agent ID, --event NAME, --by SETUP, --wait, --reply, --answer, --json or --config FILE";

/** Codex's legacy `notify` passes its event so. The text is untrusted, and may hold anything. */
const payloadAsArgument =
  'a payload as an argument: expected it on standard input. Codex\'s "notify" passes it so: remove that line from its config.toml, and run hookbell init --agent codex for its hooks';

export const hookFlags: readonly string[] = [...valueFlags, ...slowFlags];

export function parseHookArguments(args: readonly string[]): HookArguments {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    const [flag = "", inline] = arg.split(/=(.*)/s, 2);
    if (slowFlags.includes(arg)) values.set(arg, "");
    else if (valueFlags.includes(flag)) {
      if (inline === undefined) index += 1;
      const value = inline ?? args[index] ?? "";
      if (value === "") problems.push(`${flag}: expected a value, got nothing`);
      values.set(flag, value);
    } else problems.push(arg.startsWith("{") ? payloadAsArgument : `${arg}: expected ${expected}`);
  }
  if (values.has("--wait") && values.has("--reply"))
    problems.push("--reply: expected without --wait, which prints for a person");
  if (problems.length > 0) return { status: "wrong", problems };
  const isSlow = values.has("--config") || slowFlags.some((flag) => values.has(flag));
  return {
    status: isSlow ? "other" : "plain",
    agentId: values.get("--agent"),
    eventName: values.get("--event"),
    setupName: values.get("--by"),
    rulesFile: values.get("--config"),
    isJson: values.has("--json"),
    isReply: values.has("--reply"),
    isAnswer: values.has("--answer"),
  };
}
