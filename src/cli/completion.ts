// `hookbell completion SHELL`: prints a completion script for bash, zsh, fish or PowerShell, made from the command table.
import { agents } from "../agents/index.ts";
import { channelTypeNames } from "../channels/index.ts";
import { readRules } from "../pipeline/current-rules.ts";
import { exitCodes, type ExitCode, usageError } from "../model/errors.ts";
import { shellWord } from "../model/text.ts";
import { deliveryIdIn, listDeliveries } from "../outbox/deliveries/deliveries.ts";
import { listJournal, readJournal } from "../outbox/journal.ts";
import { layoutOf, type Layout } from "../outbox/layout.ts";
import { listSessions } from "../outbox/sessions.ts";
import { shortId } from "../sessions/names.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { openQuestions, questionIdOf } from "../answers/questions.ts";
import type { CommandHelp, Flag, ValueKind } from "../console/command-help.ts";
import { completionShells, setUpCommands } from "../commands/help/set-up.ts";
import { commandTable } from "./table.ts";
import { wings } from "../wings/index.ts";
import { objectOf } from "../model/json.ts";

/** The scripts run `hookbell completion KIND` to get the values of this kind. */
const lookUps: Readonly<Record<string, (io: CommandIo) => readonly string[] | Promise<readonly string[]>>> = {
  async channel(io) {
    const { rules } = await readRules(io.places.rulesFile, undefined);
    return Object.keys(rules.channels);
  },
  event: ({ places }) => newestEvents(layoutOf(places.stateDir)),
  failedDelivery: ({ places }) => listDeliveries(layoutOf(places.stateDir), "dead").toReversed().map(deliveryIdIn),
  question: ({ places, clock }) => openQuestions(layoutOf(places.stateDir), clock.now()).map(questionIdOf),
  session: ({ places }) => listSessions(layoutOf(places.stateDir)).map(({ session }) => shortId(session)),
  ...Object.assign({}, ...wings.map(({ completions }) => completions)),
};

/** A shell shows no more at once. */
const maxEvents = 100;

function newestEvents(layout: Layout): string[] {
  const ids: string[] = [];
  for (const file of listJournal(layout).toReversed()) {
    const events = readJournal(layout, file).flatMap((entry) =>
      entry.kind === "event" ? [objectOf(entry.event).id] : [],
    );
    ids.push(...events.filter((id) => typeof id === "string").toReversed());
    if (ids.length >= maxEvents) break;
  }
  return ids.slice(0, maxEvents);
}

function isLookedUp(kind: unknown): kind is string {
  return typeof kind === "string" && Object.hasOwn(lookUps, kind);
}

function lookUp(kind: string): string {
  return `$(hookbell completion ${kind} 2>/dev/null)`;
}

export async function completion(args: string[], io: CommandIo): Promise<ExitCode> {
  const [shell = ""] = parseArguments(args, setUpCommands.completion.flags, 1).positionals;
  if (isLookedUp(shell)) {
    const values = (await lookUps[shell]?.(io)) ?? [];
    // A shell splits the values at blanks, and ids come from agents.
    io.stdout(values.map((value) => (/^[\w.:@/-]+$/.test(value) ? `${value}\n` : "")).join(""));
    return exitCodes.done;
  }
  const write = Object.hasOwn(scripts, shell) ? scripts[shell as keyof typeof scripts] : undefined;
  if (write === undefined) {
    throw usageError(
      "completion",
      `completion needs a shell: ${completionShells.join(", ")}`,
      'bash: eval "$(hookbell completion bash)"',
    );
  }
  io.stdout(write());
  return exitCodes.done;
}

const scripts: Record<(typeof completionShells)[number], () => string> = { bash, zsh, fish, powershell };

const entries = Object.entries(commandTable);
const isTwoWords = (name: string): boolean => name.includes(" ");
const firstWords = [...new Set(entries.map(([name]) => name.split(" ")[0] ?? ""))];
const summaries = new Map(entries.map(([name, { summary }]) => [name, summary]));

/** The words that can follow a command: subcommands and possible arguments. */
function wordsAfter(name: string, { words }: CommandHelp): string[] {
  const seconds = entries.map(([other]) => other).filter((other) => other.startsWith(`${name} `));
  return [...seconds.map((other) => other.slice(name.length + 1)), ...(listOf(words) ?? [])];
}

/** Undefined for values that are looked up when the user presses Tab. */
function listOf(kind: ValueKind | undefined): readonly string[] | undefined {
  if (kind === "agent") return agents.map(({ id }) => id);
  if (kind === "channelType") return channelTypeNames;
  return typeof kind === "string" ? undefined : kind;
}

function flagsOf({ flags }: CommandHelp): [string, Flag][] {
  return [...Object.entries(flags), ["help", { short: "h", meaning: "show this help" }]];
}

function spellings([name, { short }]: [string, Flag]): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function bash(): string {
  const valueCases = entries.flatMap(([name, help]) =>
    flagsOf(help)
      .filter(([, flag]) => flag.value !== undefined)
      .map((flag) => {
        const patterns = spellings(flag).map((spelling) => `"${name} ${spelling}"`);
        return `    ${patterns.join("|")}) ${bashReply(flag[1].of)}; return ;;`;
      }),
  );
  const commandCases = entries.map(([name, help]) => {
    const words = [...flagsOf(help).map(([flag]) => `--${flag}`), ...wordsAfter(name, help)];
    const kind = name === "channels" ? "channel" : help.words === "eventOrFile" ? "event" : help.words;
    const own = isLookedUp(kind) ? ` ${lookUp(kind)}` : "";
    const files = help.words === "file" || help.words === "eventOrFile" ? "; _hookbell_files" : "";
    return `    "${name}") COMPREPLY=($(compgen -W "${words.join(" ")}${own}" -- "$word"))${files} ;;`;
  });
  return `# bash completion for hookbell. To load it: eval "$(hookbell completion bash)"
# The bash of macOS, 3.2, has no compopt.
_hookbell_files() {
  local IFS=$'\\n'
  compopt -o default 2>/dev/null || COMPREPLY+=($(compgen -f -- "$word"))
}
_hookbell() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${firstWords.join(" ")} help --help --version" -- "$word"))
    return
  fi
  case "$command \${COMP_WORDS[2]}" in
    ${entries
      .map(([name]) => name)
      .filter(isTwoWords)
      .map((name) => `"${name}"`)
      .join("|")}) ((COMP_CWORD > 2)) && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $before" in
${valueCases.join("\n")}
  esac
  case "$command" in
${commandCases.join("\n")}
  esac
}
complete -F _hookbell hookbell
`;
}

function bashReply(kind: ValueKind | undefined): string {
  if (kind === undefined) return ":";
  if (kind === "file") return "_hookbell_files";
  const words = isLookedUp(kind) ? lookUp(kind) : listOf(kind)?.join(" ");
  return `COMPREPLY=($(compgen -W "${words}" -- "$word"))`;
}

function zsh(): string {
  const describe = (text: string): string => text.replaceAll(/[[\]:'\\]/g, (char) => (char === "'" ? "" : `\\${char}`));
  const cases = entries.map(([name, help]) => {
    const flags = flagsOf(help).flatMap((flag) => {
      const [, { multiple, meaning, value, of }] = flag;
      const argument = value === undefined ? "" : `:${describe(value)}:${zshAction(of)}`;
      return spellings(flag).map((each) => `'${multiple === true ? "*" : ""}${each}[${describe(meaning)}]${argument}'`);
    });
    const words = wordsAfter(name, help);
    const action = words.length > 0 ? `(${words.join(" ")})` : zshAction(help.words);
    return `    ("${name}") _arguments -s ${[...flags, `'*::argument:${action}'`].join(" \\\n      ")} ;;`;
  });
  const commands = firstWords.map((name) => `    '${name}:${describe(summaries.get(name) ?? name)}'`);
  const pairs = entries.map(([name]) => name).filter(isTwoWords);
  return `#compdef hookbell
# zsh completion for hookbell. To load it: source <(hookbell completion zsh)
_hookbell() {
  local -a commands=(
${commands.join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words; ((CURRENT--))
  case "$command $words[2]" in
    (${pairs.map((name) => `"${name}"`).join("|")}) if ((CURRENT > 2)); then command="$command $words[2]"; shift words; ((CURRENT--)); fi ;;
  esac
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _hookbell hookbell
`;
}

function zshAction(kind: ValueKind | undefined): string {
  if (kind === "file") return "_files";
  if (kind === "eventOrFile") return `{compadd -- ${lookUp("event")}; _files}`;
  if (isLookedUp(kind)) return `(${lookUp(kind)})`;
  return `(${listOf(kind)?.join(" ") ?? ""})`;
}

function fish(): string {
  const lines = firstWords.map(
    (name) => `complete -c hookbell -n __fish_use_subcommand -a ${name} -d ${shellWord(summaries.get(name) ?? name)}`,
  );
  for (const [name, help] of entries) {
    const [first = "", second] = name.split(" ");
    const seconds = entries
      .map(([other]) => other.split(" "))
      .filter(([other, word]) => other === first && word !== undefined);
    const others = seconds.map(([, word]) => word).join(" ");
    const more =
      second !== undefined
        ? `; and __fish_seen_subcommand_from ${second}`
        : others === ""
          ? ""
          : `; and not __fish_seen_subcommand_from ${others}`;
    const when = `complete -c hookbell -n '__fish_seen_subcommand_from ${first}${more}'`;
    for (const [flag, { value: placeholder, short, meaning, of }] of flagsOf(help)) {
      const value = placeholder === undefined ? "" : of === "file" ? " -r -F" : ` -x${fishWords(of)}`;
      lines.push(`${when} -l ${flag}${short === undefined ? "" : ` -s ${short}`}${value} -d ${shellWord(meaning)}`);
    }
    const words = wordsAfter(name, help);
    const action = help.words === "file" ? " -F" : words.length > 0 ? fishWords(words) : fishWords(help.words);
    if (action !== "") lines.push(`${when}${action}`);
  }
  return `# fish completion for hookbell. To load it: hookbell completion fish | source
complete -c hookbell -f
${lines.join("\n")}
`;
}

function fishWords(kind: ValueKind | undefined): string {
  if (kind === "eventOrFile") return ` -F${fishWords("event")}`;
  if (isLookedUp(kind)) return ` -a '(hookbell completion ${kind} 2>/dev/null)'`;
  const words = listOf(kind)?.join(" ") ?? "";
  return words === "" ? "" : ` -a '${words}'`;
}

/** Where it completes nothing, as the values of `--config`, PowerShell itself completes files. */
function powershell(): string {
  const quoted = (word: string): string => `'${word.replaceAll("'", "''")}'`;
  const places = entries.flatMap(([name, help]) => {
    const flags = flagsOf(help);
    const own = {
      key: name,
      words: [...flags.map(([flag]) => `--${flag}`), ...wordsAfter(name, help)],
      kind: help.words,
    };
    const values = flags.filter(([, { value }]) => value !== undefined);
    return [
      own,
      ...values.flatMap((flag) =>
        spellings(flag).map((spelling) => ({
          key: `${name} ${spelling}`,
          words: listOf(flag[1].of) ?? [],
          kind: flag[1].of,
        })),
      ),
    ];
  });
  const first = { key: "", words: [...firstWords, "help", "--help", "--version"], kind: undefined };
  const words = [first, ...places].map((each) => `    ${quoted(each.key)} = @(${each.words.map(quoted).join(", ")})`);
  const kinds = places.flatMap(({ key, kind }) => {
    const lookedUp = kind === "eventOrFile" ? "event" : kind;
    return isLookedUp(lookedUp) ? [`    ${quoted(key)} = ${quoted(lookedUp)}`] : [];
  });
  return `# PowerShell completion for hookbell. To load it: hookbell completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hookbell -ScriptBlock {
  param($word, $line, $position)
  $words = @{
${words.join("\n")}
  }
  $kinds = @{
${kinds.join("\n")}
  }
  $typed = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }
  $key = if ($typed.Count -gt 0) { $typed[0] } else { '' }
  foreach ($next in @($typed[1], $typed[-1])) {
    if ($typed.Count -gt 1 -and $words.ContainsKey("$key $next")) { $key = "$key $next" }
  }
  $found = @($words[$key])
  if ($kinds.ContainsKey($key)) { $found += @(hookbell completion $kinds[$key] 2>$null) }
  $found | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
