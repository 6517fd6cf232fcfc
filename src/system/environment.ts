// The environment variables and the current folder of this process.
/** Passed on, so that only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}

/** Whether `HOOKBELL_DISABLE` is set to anything but a no. */
export function isDisabled({ HOOKBELL_DISABLE: value = "" }: Environment): boolean {
  return !/^(|0|false|no|off)$/i.test(value);
}

/** The current folder, or `/` if it has been deleted. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
