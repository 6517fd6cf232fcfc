// Help for the commands about other machines.
import { docsUrl } from "../../model/errors.ts";
import { ways } from "./transports.ts";
import { type CommandGroup, dryRun, json, yes } from "../../console/command-help.ts";

export const remoteCommands = {
  remote: {
    usage: ["remote [list] [--json]"],
    summary: "list the machines whose agents' events are fetched",
    details: [
      "`hookbell remote add HOST` adds one, `hookbell remote remove NAME` removes it, and `hookbell doctor` checks that each machine can be reached.",
    ],
    flags: { json },
  },
  "remote add": {
    usage: [
      "remote add HOST [--by ssh|docker|kubectl|wsl] [--name NAME] [--agent a,b] [--yes] [--dry-run]",
      "remote add NAME --by http [--url URL] [--agent a,b] [--new-secret]",
      "remote add FILE --by file --name NAME [--agent a,b]",
    ],
    summary: "get the events of another machine's agents over your own ssh, by their http hooks or through a file",
    details: [
      `Copies a shell script to the machine and adds hooks to its agents' settings. The machine needs neither Node nor npm. From then on the dispatcher keeps a connection to the machine; while the connection is down, events wait there. Run the command again to update the hooks. See ${docsUrl("reference/REMOTE.md")}.`,
      "With --by http, nothing is copied anywhere: it makes a secret and shows the settings with which agents in a sandbox post their events to `hookbell serve`.",
      "With --by file, a sandbox or a CI job without network appends its events to one file: it puts a script beside FILE, shows the settings, and the dispatcher reads the file as it grows.",
    ],
    flags: {
      by: {
        value: "WAY",
        of: ways,
        meaning:
          "how events get here. ssh (default): HOST is an ssh host. docker: HOST is [USER@]CONTAINER. kubectl: [NAMESPACE/]POD. wsl: a distribution. http: the agents post their events. file: they append them to FILE",
      },
      url: { value: "URL", meaning: "with --by http: the address of hookbell serve, as that machine knows it" },
      "new-secret": { meaning: "with --by http: replaces the secret" },
      name: { value: "NAME", meaning: "the host's name in its events (default: HOST)" },
      agent: { multiple: true, value: "a,b", of: "agent", meaning: "only these agents" },
      yes,
      "dry-run": dryRun,
    },
  },
  "remote remove": {
    usage: ["remote remove NAME [--forget] [--yes] [--dry-run]"],
    summary: "remove exactly what remote add put on a machine",
    words: "remote",
    flags: {
      forget: { meaning: "only forget it here, if it cannot be reached any more" },
      yes,
      "dry-run": dryRun,
    },
  },
} as const satisfies CommandGroup;
