// The computers of this server as the page shows them, with what an installation prints while it runs.
import { printableLine } from "../../../model/text.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import type { Done } from "../../../http-server/served.ts";
import type { ComputerOnPage } from "./contract.ts";

/** The computers of this server. */
interface ComputersWatch {
  current(): ComputerOnPage[];
  watch(onChange: () => void): () => void;
}

type Parts = Pick<PlatformParts, "computers" | "installs">;

export function watchComputers({ computers, installs }: Parts): ComputersWatch {
  return {
    current: () =>
      computers().map((computer): ComputerOnPage => {
        const { id, name, hostname = "", status, provisioningSteps: [step] = [] } = installs.describe(computer);
        return {
          id,
          name: printableLine(name),
          hostname: printableLine(hostname),
          step: step?.name ?? "",
          status: step?.status ?? "",
          isRunning: status === "provisioning",
          startedAt: step?.startedAt,
          completedAt: step?.completedAt,
          error: step?.error,
          line: installs.lastLine(computer),
        };
      }),
    watch: (onChange) => installs.watch(onChange),
  };
}

export function installAgain({ computers, installs }: Parts, id: string): Done {
  const computer = computers().find((known) => known.id === id);
  if (computer === undefined) return { isDone: false, text: "This computer is not registered any more." };
  const name = printableLine(computer.name);
  const isDone = installs.start(computer);
  return { isDone, text: isDone ? `The installation on ${name} has begun.` : `An installation on ${name} is running.` };
}
