/** The process's environment variables, handed on so that only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}

/** The current folder; the file system's root when it has been deleted under us. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
