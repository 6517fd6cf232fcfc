// Help of the commands for your own server.
import { type CommandGroup, json } from "./command-help.ts";

/** The platform's `roles`, in lower case. */
export const roleWords = ["owner", "manager", "member", "guest"] as const;

const data = {
  type: "string",
  value: "DIR",
  of: "file",
  meaning: "the server's folder (default: server/ in hookbell's state folder)",
} as const;

export const addComputerFlags = {
  cwd: { type: "string", value: "DIR", of: "file", meaning: "where the command runs (default: this folder)" },
  hostname: { type: "string", value: "NAME", meaning: "the machine's name (default: this machine's)" },
  data,
  json,
} as const;

export const serverCommands = {
  serve: {
    usage: ["serve [--host ADDRESS] [--port N] [--data DIR] [--backfill]"],
    summary: "serve the agent platform's API with figures from your own machines",
    details: [
      "Counts this machine's hook events, signed events of other machines, and the transcripts of Claude Code, Codex, Droid, Gemini CLI, opencode and Qwen Code. Prints its address and runs until you stop it.",
      "Stores only names and numbers. `hookbell init --usage` installs the hooks that count tool calls.",
    ],
    flags: {
      host: { type: "string", value: "ADDRESS", usual: "127.0.0.1", meaning: "the address to listen on" },
      port: { type: "string", value: "N", usual: "8765", meaning: "the port to listen on; 0 picks a free one" },
      data,
      backfill: { type: "boolean", meaning: "also count transcripts from before the first start" },
      user: { type: "string", value: "NAME", meaning: "who uses this machine, in reports (default: your user name)" },
      "tls-cert": { type: "string", value: "FILE", of: "file", meaning: "the certificate (PEM)" },
      "tls-key": { type: "string", value: "FILE", of: "file", meaning: "its private key (PEM)" },
      "behind-proxy": { type: "boolean", meaning: "trust X-Forwarded-For: a proxy in front of it handles TLS" },
    },
  },
  keys: {
    usage: ["keys [--data DIR]", "keys add NAME [--role ROLE] [--data DIR]", "keys remove NAME [--data DIR]"],
    summary: "list, add and remove your server's API keys",
    details: [
      "A key is shown once and stored as a hash. Removing a key takes effect at once.",
      "NAME is the user in reports. Owners and managers see analytics; guests see only readiness reports.",
    ],
    words: ["add", "remove"],
    flags: {
      role: { type: "string", value: "ROLE", of: roleWords, usual: "member", meaning: roleWords.join(", ") },
      data,
      json,
    },
  },
} as const satisfies CommandGroup;
