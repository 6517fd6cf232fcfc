// Resolves secrets from the environment, files and programs.
import { writeSecretAdvice } from "../model/places/user-shell.ts";
import { isSecretSource, Secret, type Resolved, type SecretSource } from "../model/privacy/secret.ts";
import { codeOf, UserError } from "../model/errors.ts";
import type { Environment } from "./environment.ts";
import { statIfThere } from "./files/files.ts";
import { readBytesIfThere } from "./files/read.ts";
import { expandHome } from "./paths.ts";
import { runProcess } from "./process/run.ts";

const commandTimeoutMs = 10_000;
/** No known receiver accepts a longer one. */
const maxFileBytes = 64 * 1024;

function missing(message: string, hint: string): UserError {
  return new UserError("secret.missing", message, { hint });
}

async function resolveSource(source: SecretSource, env: Environment, home: string): Promise<Secret> {
  switch (source.from) {
    case "literal":
      return source.value;
    case "env": {
      const value = env[source.name];
      if (value === undefined || value === "") {
        throw missing(
          `the environment variable ${source.name} is not set`,
          'set it where your agents run; or use { "file" } or { "command" }; or run hookbell dispatch --until-idle where it is set',
        );
      }
      return new Secret(value);
    }
    case "file": {
      const path = expandHome(source.path, home);
      const text = readSecretFile(path, source.path);
      if (text === undefined) throw missing(`there is no file ${source.path}`, writeSecretAdvice());
      const value = text.trim();
      if (value === "") throw missing(`the file ${source.path} is empty`, writeSecretAdvice());
      return new Secret(value);
    }
    case "command": {
      const [name, ...args] = source.argv;
      const result = await runProcess({ argv: [expandHome(name, home), ...args], env, timeoutMs: commandTimeoutMs });
      if (result.status === "notStarted") {
        throw missing(
          `the command ${name} could not be started (${result.code})`,
          "check that it is installed and on PATH",
        );
      }
      if (result.status !== "exited" || result.code !== 0) {
        const how = result.status === "exited" ? `exit code ${result.code}` : "it was ended";
        throw missing(`the command ${name} did not print a secret (${how})`, "run it by hand to see its error");
      }
      const value = result.stdout.trim();
      if (value === "") throw missing(`the command ${name} printed nothing`, "run it by hand to see its error");
      return new Secret(value);
    }
  }
}

function readSecretFile(path: string, written: string): string | undefined {
  const refuse = (why: string, fix = "it must be a file that you may read"): UserError =>
    missing(`the file ${written} cannot be read (${why})`, fix);
  try {
    const stats = statIfThere(path);
    // A pipe without a writer would block all channels.
    if (stats?.isFile === false) {
      throw refuse("it is a folder, a pipe or a device", 'to read a pipe, use { "command": ["cat", PATH] }');
    }
    if (stats !== undefined && stats.bytes > maxFileBytes) throw refuse(`it has more than ${maxFileBytes} bytes`);
    const bytes = readBytesIfThere(path);
    return bytes && textOf(bytes);
  } catch (error) {
    throw error instanceof UserError ? error : refuse(codeOf(error) ?? "unknown");
  }
}

/** `>` of Windows PowerShell writes UTF-16 with a byte order mark. */
function textOf(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Throws a `UserError` (`secret.missing`) that names the setting, never the value. */
export async function resolveSecrets<T>(settings: T, env: Environment, home: string, path = ""): Promise<Resolved<T>> {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return settings as Resolved<T>;
  if (isSecretSource(settings)) {
    try {
      return (await resolveSource(settings, env, home)) as Resolved<T>;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(
        error.code,
        `${path}: ${error.message}`,
        error.hint === undefined ? {} : { hint: error.hint },
      );
    }
  }
  if (Array.isArray(settings)) {
    const items = await Promise.all(
      settings.map((item, index) => resolveSecrets(item, env, home, `${path}[${index}]`)),
    );
    return items as Resolved<T>;
  }
  const entries = Object.entries(settings).map(
    async ([key, value]) =>
      [key, await resolveSecrets(value, env, home, path === "" ? key : `${path}.${key}`)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Resolved<T>;
}
