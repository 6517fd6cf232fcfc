// Help for the commands about a team's fleet.
import { docsUrl } from "../../model/errors.ts";
import { roles } from "./rights.ts";
import { type CommandGroup, dryRun, json, yes } from "../../console/command-help.ts";

export const fleetCommands = {
  fleet: {
    usage: ["fleet [--json]"],
    summary: "show this machine's fleet: the broker, the members, and which one notifies you now",
    flags: { json },
  },
  "fleet init": {
    usage: [
      "fleet init [--org NAME] [--person NAME] [--host NAME] [--server URL]... [--ca FILE] [--yes] [--dry-run]",
      "fleet init [--correct]",
    ],
    summary: "make keys and a configuration for nats-server, then its stream and buckets",
    details: [
      `The first run makes the keys of a fleet, the configuration files of its NATS servers and the credentials of this machine. Start the servers with these files, then run it again: it creates the stream and the buckets, or says what differs from what they must be. See ${docsUrl("reference/FLEET.md")}.`,
    ],
    flags: {
      org: { value: "NAME", meaning: "the organisation, a part of every subject" },
      person: { value: "NAME", meaning: "the person this machine belongs to" },
      host: { value: "NAME", meaning: "this machine's name in the fleet (default: its host name)" },
      server: {
        multiple: true,
        value: "URL",
        meaning: "tls://HOST:PORT for each NATS server; nats:// only on this machine (default: nats://127.0.0.1:4222)",
      },
      ca: { value: "FILE", of: "file", meaning: "the certificate authority of the servers, if it is not a public one" },
      certificate: { value: "FILE", usual: "/etc/nats/server.pem", meaning: "where each server has its certificate" },
      key: { value: "FILE", usual: "/etc/nats/server-key.pem", meaning: "where each server has its key" },
      store: {
        value: "FOLDER",
        usual: "/var/lib/nats",
        meaning:
          "the folder in which a server keeps messages; several servers get a subfolder each. If they all run on this machine, hookbell uses a folder of its own instead of the default",
      },
      correct: { meaning: "change a stream or bucket that differs, instead of only saying so" },
      yes,
      "dry-run": dryRun,
    },
  },
  "fleet add": {
    usage: ["fleet add PERSON/HOST [--role device|host|server|team]"],
    summary: "make credentials for another machine or person of the fleet",
    details: [
      "Needs the keys that fleet init made. Writes a file to copy to that machine, where hookbell fleet join FILE uses it. A device is where a person sits: it notifies them of all their events. A host only runs agents. A server runs `hookbell serve` for everyone. The role team only reads counts.",
    ],
    flags: {
      role: { value: "ROLE", of: roles, usual: "device", meaning: "what it may do: device, host, server or team" },
    },
  },
  "fleet join": {
    usage: ["fleet join FILE [--yes] [--dry-run]"],
    summary: "make this machine a member, with the file from fleet add",
    words: "file",
    flags: { yes, "dry-run": dryRun },
  },
  "fleet rotate": {
    usage: ["fleet rotate [PERSON/HOST]"],
    summary: "give a member a new key; once it has been used, revoke the old one",
    details: [
      "Without a member, revokes the old key of each member whose new key has been used. For this machine, the command replaces the key and revokes the old one at once; the dispatcher goes on with the new key. If the command is interrupted, run it again.",
    ],
    flags: {},
  },
  "fleet remove": {
    usage: ["fleet remove PERSON/HOST", "fleet remove [--yes]"],
    summary: "revoke a member's key at once; without a member, take this machine out",
    details: [
      "Without a member, it removes every file that fleet has written here and gives the rules file back byte for byte. On the administrator's machine the fleet's keys go too: without a copy, no one can add or revoke members any more.",
    ],
    flags: { yes },
  },
} as const satisfies CommandGroup;
