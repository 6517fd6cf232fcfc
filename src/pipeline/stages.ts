// A list of stages: each adds to what those before it found, or the way ends there. And the trace: a line for what each has found.
import { cut } from "../model/text.ts";

/** Where the way ends before the last stage. */
export interface Ended {
  /**
   * `deferred`: it waits in its queue. `suppressed`: no one is notified of it. `merged`: another delivery stands for it.
   * `gone`: its file has left the outbox.
   */
  ended: "deferred" | "suppressed" | "merged" | "gone";
  /** One line, without an agent's words. */
  why: string;
}

type Passed<To> = To | Ended | Promise<To | Ended>;

/** A stage that has nothing to wait for answers at once. */
export type Stage<From, To, Tools> = (context: From, tools: Tools) => Passed<To>;

/** The stages from a context of the one type to one of the other, in the order in which they were added. */
export class Stages<From extends object, To extends object, Tools> {
  private readonly stages: readonly Stage<never, object, never>[];

  private constructor(stages: readonly Stage<never, object, never>[]) {
    this.stages = stages;
  }

  static first<From extends object, To extends object, Tools>(stage: Stage<From, To, Tools>): Stages<From, To, Tools> {
    return new Stages([stage as Stage<never, object, never>]);
  }

  next<Next extends object>(stage: Stage<To, Next, Tools>): Stages<From, Next, Tools> {
    return new Stages([...this.stages, stage as Stage<never, object, never>]);
  }

  names(): string[] {
    return this.stages.map(({ name }) => name);
  }

  /** No other work comes in between where a stage has nothing to wait for. */
  run(context: From, tools: Tools): Passed<To> {
    return this.runFrom(0, context, tools);
  }

  private runFrom(first: number, context: object, tools: Tools): Passed<To> {
    let passed = context;
    for (const [index, stage] of this.stages.entries()) {
      if (index < first) continue;
      if (isEnded(passed)) return passed;
      const next = stage(passed as never, tools as never);
      if (next instanceof Promise) return next.then((later) => this.runFrom(index + 1, later, tools));
      passed = next;
    }
    return passed as To | Ended;
  }
}

export function isEnded(passed: object): passed is Ended {
  return "ended" in passed;
}

export interface StageFinding {
  stage: string;
  /** At most 200 characters: hookbell's own words, with names of rules and channels, ids and times, and none of the agent's words. */
  found: string;
}

/** Findings are in the order of the stages. The journal keeps them, and `why` shows them. */
export type Trace = readonly StageFinding[];

const maxFoundLength = 200;

/** The trace with what one more stage has found; parts that are undefined are left out. */
export function withFinding(trace: Trace, stage: string, ...parts: readonly (string | undefined)[]): Trace {
  const found = parts.filter((part) => part !== undefined).join("; ");
  return [...trace, { stage, found: cut(found, maxFoundLength) }];
}

/** `a`, `a and b`, `a, b and 3 more` */
export function someOf(names: readonly string[], most = 4): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
