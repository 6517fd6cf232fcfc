// An account of another tool's settings. An importer that reads a setting carries it over or says why not; what no one has read is named
// at the end, so that no importer can drop a setting in silence.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readStrictJson } from "../../jsonc/strict.ts";
import { exitCodes, UserError } from "../../model/errors.ts";
import { asObject, type Members, objectOf } from "../../model/json.ts";
import type { Environment } from "../../system/environment.ts";
import { listNames, statIfThere } from "../../system/files/files.ts";
import { isLink } from "../../system/files/inspect-path.ts";
import { readIfThere } from "../../system/files/read.ts";

/** Something of the tool that hookbell's rules do not do. */
export interface NotCarriedOver {
  /** Settings such as `mobile_notify.priority`, files or variables; none for what the tool does without a setting. */
  places?: string[];
  reason: string;
  /** The tool may notify someone because of it, so its hooks stay. */
  keepsHooks?: true;
}

const unknown = "hookbell does not know this setting";

/** What was read of a tool's settings, and what no one has read. */
export class SettingsReader {
  /** The files that were read. */
  readonly files: string[] = [];
  private readonly notes: NotCarriedOver[] = [];
  /** What each part has that no one has read. */
  private readonly unread: (() => NotCarriedOver[])[] = [];
  private readonly tool: string;
  private readonly docs: string;

  /** `tool` and `docs` are for the message about a broken file. */
  constructor(tool: string, docs: string) {
    this.tool = tool;
    this.docs = docs;
  }

  say(note: NotCarriedOver): void {
    this.notes.push(note);
  }

  /** Throws a `UserError` for a file that is not JSON. `lead` comes before the names of its settings. */
  json(path: string, lead = ""): Settings {
    const text = readIfThere(path);
    if (text !== undefined) this.files.push(path);
    return this.settings(text === undefined ? {} : this.parse(text, path), lead);
  }

  /** `lead` comes before the members' names. */
  settings(given: Members, lead: string): Settings {
    const settings = new Settings(this, given, lead);
    this.unread.push(() => settings.unread());
    return settings;
  }

  /** `keepsHooks`: files that no one knows may set something. */
  folder(path: string, keepsHooks = false): Folder {
    const folder = new Folder(this, path, keepsHooks);
    this.unread.push(() => folder.unread());
    return folder;
  }

  /** Variables that begin like this are settings, too. */
  environment(env: Environment, prefix: RegExp, ignored?: RegExp): void {
    for (const name of Object.keys(env)) {
      if (prefix.test(name) && ignored?.test(name) !== true)
        this.say({ places: [name], reason: "hookbell does not read this variable" });
    }
  }

  /** What was said, and every setting that no one has read. */
  close(): NotCarriedOver[] {
    return [...this.notes, ...this.unread.flatMap((list) => list())];
  }

  private parse(text: string, path: string): Members {
    const reading = readStrictJson(text);
    const object = "value" in reading ? asObject(reading.value) : undefined;
    if (object !== undefined) return object;
    const fault = "value" in reading ? "it is not a JSON object" : reading.fault;
    const at = "position" in reading && reading.position ? `:${reading.position.line}:${reading.position.column}` : "";
    throw new UserError("import.unreadable", `cannot read the settings of ${this.tool}: ${path}${at}: ${fault}`, {
      hint: `fix the file, or move it away to import the usual settings; its format: ${this.docs}`,
      exitCode: exitCodes.badInput,
    });
  }
}

/** The members of an object. Each function counts the member as read; a value of another type is named. */
export class Settings {
  private readonly account: SettingsReader;
  private readonly given: Members;
  private readonly lead: string;
  private readonly read = new Set<string>();

  constructor(account: SettingsReader, given: Members, lead: string) {
    this.account = account;
    this.given = given;
    this.lead = lead;
  }

  /** These tools take "false" for false. */
  isOn(key: string, usual: boolean): boolean {
    const value = this.take(key);
    if (value === undefined) return usual;
    const word = typeof value === "string" ? value.toLowerCase() : value;
    if (word === true || word === "true") return true;
    if (word === false || word === "false") return false;
    return this.refuse(key, "true or false") ?? usual;
  }

  /** Undefined for an empty text; a number counts as its digits. */
  text(key: string): string | undefined {
    const value = this.take(key);
    const text = typeof value === "number" ? String(value) : (value ?? "");
    return typeof text === "string" ? text || undefined : this.refuse(key, "a text");
  }

  number(key: string, usual: number, { min, max }: { min: number; max: number }): number {
    const given = this.take(key) ?? usual;
    const value = typeof given === "number" || typeof given === "string" ? Number(given) : Number.NaN;
    return value >= min && value <= max ? value : (this.refuse(key, `a number from ${min} to ${max}`) ?? usual);
  }

  /** Another value than these is named, and may hide a way to notify. */
  choice<Value extends string>(key: string, known: readonly Value[]): Value | undefined {
    const value = this.take(key);
    if (value === undefined || value === "") return undefined;
    return known.find((each) => each === value) ?? this.refuse(key, `one of ${known.join(", ")}`);
  }

  texts(key: string): string[] {
    const value = this.take(key) ?? [];
    if (!Array.isArray(value)) return this.refuse(key, "an array of texts") ?? [];
    return value.flatMap((each: unknown, index) => {
      if (typeof each === "string" && each !== "") return [each];
      return this.refuse(`${key}[${index}]`, "a text") ?? [];
    });
  }

  object(key: string): Settings {
    const value = this.take(key) ?? {};
    if (asObject(value) === undefined) this.refuse(key, "an object");
    return this.account.settings(objectOf(value), `${this.placeOf(key)}.`);
  }

  objects(key: string): Settings[] {
    const value = this.take(key) ?? [];
    if (!Array.isArray(value)) return this.refuse(key, "an array of objects") ?? [];
    return value.map((each, index) => {
      if (asObject(each) === undefined) this.refuse(`${key}[${index}]`, "an object");
      return this.account.settings(objectOf(each), `${this.placeOf(key)}[${index}].`);
    });
  }

  /** Says that the member is not carried over, unless it has the usual value, with which it does nothing. */
  leave(key: string, reason: string, usual?: unknown): void {
    const value = this.take(key);
    if (value === undefined || isDeepStrictEqual(value, usual)) return;
    this.account.say({ places: differing(value, usual, this.placeOf(key)), reason });
  }

  unread(): NotCarriedOver[] {
    const names = Object.keys(this.given).filter((key) => !this.read.has(key));
    return names.map((key) => ({ places: [this.placeOf(key)], reason: unknown, keepsHooks: true }));
  }

  private placeOf(key: string): string {
    return `${this.lead}${key}`;
  }

  private take(key: string): unknown {
    this.read.add(key);
    return Object.hasOwn(this.given, key) ? (this.given[key] ?? undefined) : undefined;
  }

  private refuse(key: string, expected: string): undefined {
    const reason = `expected ${expected}, so the usual value counts`;
    this.account.say({ places: [this.placeOf(key)], reason, keepsHooks: true });
  }
}

/** The files of a folder. What is not asked for is named at the end. */
export class Folder {
  private readonly account: SettingsReader;
  private readonly path: string;
  private readonly keepsHooks: boolean;
  private readonly read = new Set<string>();
  private readonly others: RegExp[] = [];

  constructor(account: SettingsReader, path: string, keepsHooks: boolean) {
    this.account = account;
    this.path = path;
    this.keepsHooks = keepsHooks;
  }

  has(name: string): boolean {
    this.read.add(name);
    return statIfThere(join(this.path, name)) !== undefined;
  }

  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const file = join(this.path, name);
    // Any text can be such a setting, also that of a secret behind a link.
    if (isLink(file)) {
      const reason = "it is a link, which hookbell does not follow here";
      this.account.say({ places: [file], reason, keepsHooks: true });
      return undefined;
    }
    this.account.files.push(file);
    return readIfThere(file)?.trim();
  }

  leave(pattern: RegExp, reason: string): void {
    for (const name of this.rest().filter((each) => pattern.test(each))) {
      this.account.say({ places: [join(this.path, name)], reason });
    }
    this.ignore(pattern);
  }

  /** State, which sets nothing. */
  ignore(pattern: RegExp): void {
    this.others.push(pattern);
  }

  unread(): NotCarriedOver[] {
    return this.rest()
      .filter((name) => !this.others.some((pattern) => pattern.test(name)))
      .map((name) => ({
        places: [join(this.path, name)],
        reason: "hookbell does not know this file",
        ...(this.keepsHooks ? { keepsHooks: true as const } : {}),
      }));
  }

  private rest(): string[] {
    return listNames(this.path).filter((name) => !this.read.has(name));
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
