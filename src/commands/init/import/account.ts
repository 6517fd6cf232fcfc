// An account of another tool's settings. An importer that reads a setting carries it over or says why not; what no one has read is named
// at the end, so that no importer can drop a setting in silence.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readStrictJson } from "../../../jsonc/strict.ts";
import { exitCodes, UserError } from "../../../model/errors.ts";
import { asObject, type Members, objectOf } from "../../../model/json.ts";
import type { Environment } from "../../../system/environment.ts";
import { listNames, statIfThere } from "../../../system/files/files.ts";
import { isLink } from "../../../system/files/inspect-path.ts";
import { readIfThere } from "../../../system/files/read.ts";

/** Something of the tool that hookbell's rules do not do. */
export interface NotCarriedOver {
  /** Settings such as `mobile_notify.priority`, files or variables; none for what the tool does without a setting. */
  places?: string[];
  reason: string;
  /** The tool may notify someone because of it, so its hooks stay. */
  keepsHooks?: true;
}

/** The members of an object. Each function counts the member as read; a value of another type is named. */
export interface Settings {
  /** These tools take "false" for false. */
  isOn(key: string, usual: boolean): boolean;
  /** Undefined for an empty text; a number counts as its digits. */
  text(key: string): string | undefined;
  number(key: string, usual: number, range: { min: number; max: number }): number;
  /** Another value than these is named, and may hide a way to notify. */
  choice<Value extends string>(key: string, known: readonly Value[]): Value | undefined;
  texts(key: string): string[];
  object(key: string): Settings;
  objects(key: string): Settings[];
  /** Says that the member is not carried over, unless it has the usual value, with which it does nothing. */
  leave(key: string, reason: string, usual?: unknown): void;
}

export interface Folder {
  has(name: string): boolean;
  text(name: string): string | undefined;
  leave(pattern: RegExp, reason: string): void;
  /** State, which sets nothing. */
  ignore(pattern: RegExp): void;
}

export interface Account {
  /** The files that were read. */
  files: string[];
  /** Throws a `UserError` for a file that is not JSON. `lead` comes before the names of its settings. */
  json(path: string, lead?: string): Settings;
  /** `keepsHooks`: files that no one knows may set something. */
  folder(path: string, keepsHooks?: boolean): Folder;
  /** Variables that begin like this are settings, too. */
  environment(env: Environment, prefix: RegExp, ignored?: RegExp): void;
  say(note: NotCarriedOver): void;
  /** What was said, and every setting that no one has read. */
  close(): NotCarriedOver[];
}

const unknown = "hookbell does not know this setting";

/** `tool` and `docs` are for the message about a broken file. */
export function openAccount(tool: string, docs: string): Account {
  const notes: NotCarriedOver[] = [];
  const files: string[] = [];
  const unread: (() => NotCarriedOver[])[] = [];
  const say = (note: NotCarriedOver): void => void notes.push(note);
  return {
    files,
    say,
    json(path, lead = "") {
      const text = readIfThere(path);
      if (text !== undefined) files.push(path);
      return settingsOf(text === undefined ? {} : parse(text, path), lead, "");
    },
    folder: folderOf,
    environment(env, prefix, ignored) {
      for (const name of Object.keys(env)) {
        if (prefix.test(name) && ignored?.test(name) !== true)
          say({ places: [name], reason: "hookbell does not read this variable" });
      }
    },
    close: () => [...notes, ...unread.flatMap((list) => list())],
  };

  function parse(text: string, path: string): Members {
    const reading = readStrictJson(text);
    const object = "value" in reading ? asObject(reading.value) : undefined;
    if (object !== undefined) return object;
    const fault = "value" in reading ? "it is not a JSON object" : reading.fault;
    const at = "position" in reading && reading.position ? `:${reading.position.line}:${reading.position.column}` : "";
    throw new UserError("import.unreadable", `cannot read the settings of ${tool}: ${path}${at}: ${fault}`, {
      hint: `fix the file, or move it away to import the usual settings; its format: ${docs}`,
      exitCode: exitCodes.badInput,
    });
  }

  /** `file` and `path` come before a member's name. */
  function settingsOf(given: Members, file: string, path: string): Settings {
    const read = new Set<string>();
    const placeOf = (key: string): string => `${file}${path}${key}`;
    unread.push(() =>
      Object.keys(given).flatMap((key) =>
        read.has(key) ? [] : [{ places: [placeOf(key)], reason: unknown, keepsHooks: true as const }],
      ),
    );
    const take = (key: string): unknown => {
      read.add(key);
      return Object.hasOwn(given, key) ? (given[key] ?? undefined) : undefined;
    };
    const refuse = (key: string, expected: string): undefined => {
      say({ places: [placeOf(key)], reason: `expected ${expected}, so the usual value counts`, keepsHooks: true });
    };
    return {
      isOn(key, usual) {
        const value = take(key);
        if (value === undefined) return usual;
        const word = typeof value === "string" ? value.toLowerCase() : value;
        if (word === true || word === "true") return true;
        if (word === false || word === "false") return false;
        return refuse(key, "true or false") ?? usual;
      },
      text(key) {
        const value = take(key);
        const text = typeof value === "number" ? String(value) : (value ?? "");
        return typeof text === "string" ? text || undefined : refuse(key, "a text");
      },
      number(key, usual, { min, max }) {
        const given = take(key) ?? usual;
        const value = typeof given === "number" || typeof given === "string" ? Number(given) : Number.NaN;
        return value >= min && value <= max ? value : (refuse(key, `a number from ${min} to ${max}`) ?? usual);
      },
      choice(key, known) {
        const value = take(key);
        if (value === undefined || value === "") return undefined;
        return known.find((each) => each === value) ?? refuse(key, `one of ${known.join(", ")}`);
      },
      texts(key) {
        const value = take(key) ?? [];
        if (!Array.isArray(value)) return refuse(key, "an array of texts") ?? [];
        return value.flatMap((each: unknown, index) => {
          if (typeof each === "string" && each !== "") return [each];
          return refuse(`${key}[${index}]`, "a text") ?? [];
        });
      },
      object(key) {
        const value = take(key) ?? {};
        if (asObject(value) === undefined) refuse(key, "an object");
        return settingsOf(objectOf(value), file, `${path}${key}.`);
      },
      objects(key) {
        const value = take(key) ?? [];
        if (!Array.isArray(value)) return refuse(key, "an array of objects") ?? [];
        return value.map((each, index) => {
          if (asObject(each) === undefined) refuse(`${key}[${index}]`, "an object");
          return settingsOf(objectOf(each), file, `${path}${key}[${index}].`);
        });
      },
      leave(key, reason, usual) {
        const value = take(key);
        if (value !== undefined && !isDeepStrictEqual(value, usual))
          say({ places: differing(value, usual, placeOf(key)), reason });
      },
    };
  }

  function folderOf(path: string, keepsHooks = false): Folder {
    const read = new Set<string>();
    const others: RegExp[] = [];
    const file = (name: string): string => join(path, name);
    const has = (name: string): boolean => {
      read.add(name);
      return statIfThere(file(name)) !== undefined;
    };
    const left = (pattern?: RegExp): string[] =>
      listNames(path).filter((name) => !read.has(name) && (pattern ?? /^/).test(name));
    unread.push(() =>
      left()
        .filter((name) => !others.some((pattern) => pattern.test(name)))
        .map((name) => ({
          places: [file(name)],
          reason: "hookbell does not know this file",
          ...(keepsHooks ? { keepsHooks } : {}),
        })),
    );
    return {
      has,
      text(name) {
        if (!has(name)) return undefined;
        // Any text can be such a setting, also that of a secret behind a link.
        if (isLink(file(name))) {
          say({ places: [file(name)], reason: "it is a link, which hookbell does not follow here", keepsHooks: true });
          return undefined;
        }
        files.push(file(name));
        return readIfThere(file(name))?.trim();
      },
      leave(pattern, reason) {
        for (const name of left(pattern)) say({ places: [file(name)], reason });
        others.push(pattern);
      },
      ignore: (pattern) => void others.push(pattern),
    };
  }
}

/** The innermost members that are not as usual. */
function differing(value: unknown, usual: unknown, place: string): string[] {
  const object = asObject(value);
  const usuals = asObject(usual);
  if (object === undefined || (usuals === undefined && Object.keys(object).length === 0)) return [place];
  return Object.entries(object).flatMap(([key, inner]) =>
    isDeepStrictEqual(inner, usuals?.[key]) ? [] : differing(inner, usuals?.[key], `${place}.${key}`),
  );
}
