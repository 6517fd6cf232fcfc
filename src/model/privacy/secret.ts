// Secrets: values that never print, and where they come from.
import { inspect } from "node:util";

const placeholder = "[secret]";

/** A value that prints as `[secret]` however it is printed: string, template, JSON, console. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that sends it. */
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

/** Where a secret setting comes from; resolved when sending and never stored. */
export type SecretSource =
  | { from: "literal"; value: Secret }
  | { from: "env"; name: string }
  | { from: "file"; path: string }
  | { from: "command"; argv: readonly [string, ...string[]] };

/** Settings with every `SecretSource` in them replaced by the `Secret` itself. */
export type Resolved<T> = T extends SecretSource
  ? Secret
  : T extends readonly (infer Item)[]
    ? Resolved<Item>[]
    : T extends object
      ? { [Key in keyof T]: Resolved<T[Key]> }
      : T;
