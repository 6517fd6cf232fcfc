// Help of `hookbell serve`, whose parts come from the wings.
import type { CommandGroup, CommandHelp } from "../../console/command-help.ts";
import type { Wing } from "../../console/command.ts";

export const serveFlags = {
  host: { value: "ADDRESS", usual: "127.0.0.1", meaning: "the address to listen on" },
  port: { value: "N", usual: "8765", meaning: "the port to listen on; 0 picks a free one" },
  "tls-cert": { value: "FILE", of: "file", meaning: "the certificate (PEM)" },
  "tls-key": { value: "FILE", of: "file", meaning: "its private key (PEM)" },
  url: {
    value: "URL",
    meaning: "the address by which browsers reach it (default: the address it listens on, if only this machine can)",
  },
  "behind-proxy": { meaning: "trust X-Forwarded-For: a proxy in front of it handles TLS" },
} as const satisfies CommandHelp["flags"];

export function serveHelp(wings: readonly Wing[]): CommandGroup {
  const parts = wings.flatMap(({ serves }) => serves ?? []);
  if (parts.length === 0) return {};
  const usage = ["serve [--host ADDRESS] [--port N] [--url URL]", ...parts.flatMap((part) => part.usage ?? [])];
  return {
    serve: {
      usage: [usage.join(" ")],
      summary: "serve a page with your sessions, and the agent platform's API with your own figures",
      details: [...parts.flatMap(({ details = [] }) => details), "Prints its address and runs until you stop it."],
      flags: Object.assign({}, serveFlags, ...parts.map(({ flags }) => flags)),
    },
  };
}
