// What the scripts of recorded runs do with an agent in a terminal, and how they know what is true: by the keys that they
// press, by the screen, and by the model that answers. A witness is told of it: the recorder, or one that looks at
// `hookbell sessions` meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { installAgentCli, clisHere } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, type AgentTerminal } from "../../support/agents/agent-terminal.ts";
import type { InTerminal } from "../../support/agents/in-terminal.ts";
import { promptFor, type Act, type ModelAnswer } from "../../support/agents/pretend-model.ts";
import type { StateKind } from "../../../src/sessions/state.ts";
import type { RunHeader } from "../recording.ts";

const minute = 60_000;
/** How long a person or an agent stays in a state, as a replay has it. */
const usualRestMs = minute;
export const nightMs = 9 * 60 * minute;
/** Claude Code ignores keys in the first moment of a question, and repeats the question after six seconds. */
const untilRepeatedMs = 7500;

export interface Seat {
  terminal: AgentTerminal;
  /** Enters the prompt, and is told what the model answers to it. */
  prompt(act: Act, onAnswer?: (what: ModelAnswer["what"]) => void): Promise<void>;
  /** Enters a prompt whose turn ends by itself, and waits for its end. */
  turn(act: Act): Promise<void>;
  /** Enters a prompt with a command that the agent asks for, and waits for the question. */
  ask(act: Act): Promise<void>;
  /** Allows what the agent asks for. */
  allow(): void;
  /** Waits until the turn with this last text has ended. */
  ended(say: string): Promise<void>;
  /** Presses keys of which the last may end the turn; the turn goes on where the model is asked again. */
  refuse(keys: string, say: string): Promise<void>;
  /** Presses Escape until the turn has ended. */
  escape(): Promise<void>;
  enter(command: string, is: StateKind[], why: string): Promise<void>;
  is(is: StateKind[], why: string, at?: number): void;
  /** The same of another seat, which has no terminal of its own. */
  isOther(name: string, is: StateKind[], why: string): void;
  /** Is told what the model answers to the prompt with this last text. */
  onModel(say: string, listener: (what: ModelAnswer["what"]) => void): void;
}

export interface Stage {
  agent: InTerminal;
  open(seat?: string, more?: readonly string[], ready?: RegExp): Promise<Seat>;
  /** Runs the prompt without a person, and waits for the end of the program. */
  runHeadless(act: Act): Promise<void>;
  /** Nothing happens; in a replay it takes `forMs`. */
  rest(forMs?: number): Promise<void>;
  claim(seat: string, mark: string): void;
  /** Opens the session again that was the last to run a hook. */
  resume(): Promise<Seat>;
}

export interface Script {
  name: string;
  does: string;
  /** False where the agent has no way to do it. */
  isFor?(agent: InTerminal): boolean;
  play(stage: Stage): Promise<void>;
}

export interface Witness {
  /** From now on, the session in this terminal does one of these. */
  truth(seat: string, is: StateKind[], why: string, at?: number): void;
  /** Nothing happens, as if for so long. */
  rest(forMs: number): void | Promise<void>;
  /** Sessions of payloads that contain this text are those of the terminal. */
  claim(seat: string, mark: string): void;
  /** The session of the last payload. */
  lastSession(): string | undefined;
  opened?(seat: string, terminal: AgentTerminal): void;
}

/** `watch` writes the rules and installs the hooks. */
export async function play(
  agent: InTerminal,
  script: Script,
  watch: (session: AgentSession, facts: Omit<RunHeader, "startedAt">) => Promise<Witness>,
): Promise<void> {
  const { recipe } = agent;
  const [cli = recipe.clis[0]] = clisHere(recipe).slice(-1);
  const program = await installAgentCli(cli);
  const session = await startAgentSession(recipe);
  const { project, cwd, env, model } = session;
  const witness = await watch(session, {
    agent: recipe.agent,
    version: cli.version,
    run: script.name,
    does: script.does,
  });
  const argv = [program, ...interactiveArgs(session, recipe)];
  const listeners = new Map<string, (what: ModelAnswer["what"]) => void>();
  model.onAnswer = ({ what, say }) => listeners.get(say)?.(what);

  let isFirst = true;
  const open = async (name = "a", more: readonly string[] = [], ready?: RegExp): Promise<Seat> => {
    const [first = "", ...others] = argv;
    const isSubcommand = more[0] !== undefined && !more[0].startsWith("-");
    const args = isSubcommand ? [first, ...more, ...others] : [...argv, ...more];
    const terminal = startAgentTerminal(project.home, args, { cwd, env }, `tmux-${name}`);
    witness.opened?.(name, terminal);
    await (ready === undefined ? agent.start(terminal, isFirst) : terminal.until(ready));
    isFirst = false;
    // Some take no keys in the first moment.
    await sleep(2000);
    const is = (kinds: StateKind[], why: string, at?: number): void => witness.truth(name, kinds, why, at);
    /** Before the first word of an answer, some take the prompt back as if it had never been given. */
    const stopped = (): StateKind[] =>
      agent.stopped !== undefined && terminal.shows(agent.stopped) ? ["interrupted"] : ["interrupted", "idle"];
    const seat: Seat = {
      terminal,
      is,
      isOther: (other, kinds, why) => witness.truth(other, kinds, why),
      onModel: (say, listener) => void listeners.set(say, listener),
      async prompt(act, onAnswer = () => {}) {
        if (act.say !== undefined) listeners.set(act.say, onAnswer);
        await terminal.enter(hidden(promptFor(act)), () => is(["working"], "the person entered a prompt"));
      },
      async turn(act) {
        await seat.prompt(act, (what) => {
          if (what === "says") is(["working", "done"], "the model gave its last answer");
        });
        await seat.ended(act.say ?? "");
      },
      async ask(act) {
        await seat.prompt({ ...act, ...agent.asking }, (what) => {
          if (what === "calls") is(["working", "needsYou"], "the model called a tool that asks");
          if (what === "says") is(["working", "done"], "the model gave its last answer");
        });
        await terminal.until(agent.question);
        is(["needsYou"], "the question is on the screen");
        await sleep(untilRepeatedMs);
      },
      allow() {
        is(["working"], "the person allowed the command");
        terminal.press(agent.yes ?? "Enter");
      },
      async ended(say) {
        await terminal.until(new RegExp(say.replaceAll(".", String.raw`\.`)));
        is(["done"], "the last answer is on the screen");
        // Qwen Code goes on to ask the model what to remember of the turn.
        listeners.delete(say);
      },
      async refuse(keys, say) {
        const known = listeners.get(say);
        let isAskedAgain = false;
        const answered = new Promise<void>((resolve) => {
          listeners.set(say, (what) => {
            isAskedAgain = true;
            known?.(what);
            resolve();
          });
        });
        const [key = "", ...before] = keys.split(" ").toReversed();
        for (const each of before) {
          terminal.press(each);
          await sleep(500);
        }
        const pressedAt = Date.now();
        is(["working", "interrupted", "idle"], `the person pressed ${key}`, pressedAt);
        terminal.press(key);
        await Promise.race([answered, sleep(5000)]);
        if (isAskedAgain) {
          is(["working"], `the person pressed ${key}, and the turn went on`, pressedAt);
          await seat.ended(say);
        } else {
          if (terminal.shows(agent.question)) throw new Error(`${key} did not answer the question`);
          is(stopped(), `the person pressed ${key}, which ended the turn`, pressedAt);
        }
      },
      async escape() {
        const request = { isAborted: false };
        for (const listen of listeners) {
          const [say, known] = listen;
          listeners.set(say, (what) => {
            if (what === "aborted") request.isAborted = true;
            known(what);
          });
        }
        // Not every agent breaks off its request to the model.
        const hasStopped = (): boolean =>
          request.isAborted || (agent.stopped !== undefined && terminal.shows(agent.stopped));
        for (let tries = 0; !hasStopped() && tries < 4; tries += 1) {
          const pressedAt = Date.now();
          is(["working", "interrupted", "idle"], "the person pressed Escape", pressedAt);
          for (let count = agent.escapes ?? 1; count > 0; count -= 1) {
            terminal.press("Escape");
            // Two that come together are read as one key.
            await sleep(500);
          }
          for (let looks = 0; !hasStopped() && looks < 15; looks += 1) await sleep(100);
          await sleep(500);
          if (hasStopped()) is(stopped(), "the person pressed Escape, and the turn ended", pressedAt);
          else is(["working"], "the person pressed Escape, and the turn went on", pressedAt);
        }
        if (!hasStopped()) throw new Error(`Escape did not end the turn; the screen is\n${terminal.screen()}`);
      },
      async enter(command, kinds, why) {
        await terminal.enter(command, () => is(kinds, why));
      },
    };
    return seat;
  };

  const runHeadless = async (act: Act): Promise<void> => {
    const is = (kinds: StateKind[], why: string): void => witness.truth("a", kinds, why);
    listeners.set(act.say ?? "", (what) => {
      if (what === "says") is(["working", "done", "gone"], "the model gave its last answer");
      else if (what === "fails") is(["working", "failed", "gone"], "the model answered with an error");
      else is(["working"], "the model was asked");
    });
    const args = [program, ...recipe.args(promptFor(act)), ...(agent.headless ?? [])];
    await startAgentTerminal(project.home, args, { cwd, env }).ended();
    is(["gone"], "the program has ended");
  };

  await script.play({
    agent,
    open,
    runHeadless,
    resume: () => open("a", agent.resume?.(witness.lastSession() ?? "")),
    claim: witness.claim,
    async rest(forMs = usualRestMs) {
      await sleep(2000);
      await witness.rest(forMs);
      await sleep(500);
    },
  });
}

/** The screen shows the prompt, too: the model's text must not look the same there. */
function hidden(prompt: string): string {
  return prompt.replaceAll("done", String.raw`d\u006fne`);
}
