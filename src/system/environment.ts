/** The process's environment variables, handed on so that only this folder reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function systemEnvironment(): Environment {
  return process.env;
}
