// npm in tests, with the person's own settings and cache.
import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import { join } from "node:path";

/** Tests have another home, but the registry may need what npm keeps in the person's. */
export function npmEnv(): NodeJS.ProcessEnv {
  const { homedir } = userInfo();
  return {
    ...process.env,
    npm_config_userconfig: join(homedir, ".npmrc"),
    npm_config_cache: process.env.npm_config_cache ?? join(homedir, ".npm"),
    npm_config_loglevel: "error",
    npm_config_update_notifier: "false",
  };
}

export function isRegistryReachable(): boolean {
  try {
    execFileSync("npm", ["view", "zod", "version"], { env: npmEnv(), stdio: "ignore", timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
