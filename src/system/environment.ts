/** The process's environment variables, handed on so that only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}

/** Whether `HOOKBELL_DISABLE` says that everything is to be dropped: `1`, `true`, anything but a no. */
export function isDisabled({ HOOKBELL_DISABLE: value = "" }: Environment): boolean {
  return !/^(|0|false|no|off)$/i.test(value);
}

/** The current folder; the file system's root when it has been deleted under us. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
