import type { ExitCode } from "../model/errors.ts";
import type { CommandIo } from "./console/command-io.ts";

export type RunCommand = (args: string[], io: CommandIo) => Promise<ExitCode>;

/** A verb of the command line; its code is loaded when it runs. */
export interface Command {
  name: string;
  load: () => Promise<RunCommand>;
}

/** Every command, in the order of `hookbell --help`. */
export const commands: readonly Command[] = [
  { name: "init", load: async () => (await import("./init/init.ts")).init },
  { name: "uninstall", load: async () => (await import("./init/uninstall.ts")).uninstall },
  { name: "channels", load: async () => (await import("./channels/channels.ts")).channels },
  { name: "test", load: async () => (await import("./send/test.ts")).test },
  { name: "send", load: async () => (await import("./send/send.ts")).send },
  { name: "explain", load: async () => (await import("./explain/explain.ts")).explain },
  { name: "check", load: async () => (await import("./check.ts")).check },
  { name: "doctor", load: async () => (await import("./doctor/doctor.ts")).doctor },
  { name: "status", load: async () => (await import("./queue/status.ts")).status },
  { name: "log", load: async () => (await import("./log/log.ts")).log },
  { name: "retry", load: async () => (await import("./queue/retry.ts")).retry },
  { name: "discard", load: async () => (await import("./queue/discard.ts")).discard },
  { name: "hook", load: async () => (await import("./hook/hook.ts")).hook },
  { name: "dispatch", load: async () => (await import("./dispatch.ts")).dispatch },
];

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
