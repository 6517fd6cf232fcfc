// Secrets: values that never print, and where they come from.
import { inspect } from "node:util";

const placeholder = "[secret]";

/** Prints as `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Only the code that sends the secret calls this. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [inspect.custom](): string {
    return placeholder;
  }
}

/** Resolved when sending and never stored. */
export type SecretSource =
  | { from: "literal"; value: Secret }
  | { from: "env"; name: string }
  | { from: "file"; path: string }
  | { from: "command"; argv: readonly [string, ...string[]] };

const sourceKinds = new Set(["literal", "env", "file", "command"]);

/** Other settings that look like one are not frozen. */
export function isSecretSource(value: object): value is SecretSource {
  return "from" in value && typeof value.from === "string" && sourceKinds.has(value.from) && Object.isFrozen(value);
}

export function sourcesIn(settings: unknown): SecretSource[] {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return [];
  return isSecretSource(settings) ? [settings] : Object.values(settings).flatMap(sourcesIn);
}

/** The type with each `SecretSource` replaced by its `Secret`. */
export type Resolved<T> = T extends SecretSource
  ? Secret
  : T extends readonly (infer Item)[]
    ? Resolved<Item>[]
    : T extends object
      ? { [Key in keyof T]: Resolved<T[Key]> }
      : T;

/** A secret if it has a kind. The search continues at its end. */
export interface SecretPlace {
  start: number;
  end: number;
  kind?: string;
}

export interface Pass {
  /** Global, with bounded repetitions. */
  beginning: RegExp;
  place(match: RegExpExecArray, text: string): SecretPlace;
}

export function findSecrets(text: string, { beginning, place }: Pass): Required<SecretPlace>[] {
  const found: Required<SecretPlace>[] = [];
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const { start, end, kind } = place(match, text);
    if (kind !== undefined) found.push({ start, end, kind });
    beginning.lastIndex = Math.max(end, match.index + 1);
  }
  return found;
}

export function replaceSecrets(text: string, pass: Pass, found: string[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, kind } of findSecrets(text, pass)) {
    result += `${text.slice(done, start)}[redacted: ${kind}]`;
    done = end;
    found.push(kind);
  }
  return done === 0 ? text : result + text.slice(done);
}

export function endOf(text: string, start: number, isEnd: (char: string) => boolean, atMost = Infinity): number {
  let end = start;
  while (end < text.length && end - start < atMost && !isEnd(text.charAt(end))) end += 1;
  return end;
}
