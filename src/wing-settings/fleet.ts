// The "fleet" part of the rules file: the broker that a person's machines share, and who this machine is there.
import * as z from "zod";
import { secretSetting } from "../channels/settings.ts";
import type { SettingsPart } from "./part.ts";

const token = (description: string): z.ZodType<string> =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "expected 1 to 64 letters, digits, _ or -" })
    .describe(description);

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);

/** Undefined if a connection to it is encrypted, or stays on this machine. */
export function serverProblem(text: string): string | undefined {
  const [, scheme, host] = /^(nats|tls):\/\/(\[[0-9A-Fa-f:]+\]|[\w.-]+)(?::\d{1,5})?$/.exec(text) ?? [];
  if (host === undefined) return "expected tls://HOST:PORT, or nats://localhost:PORT";
  return scheme === "tls" || isLoopback(host)
    ? undefined
    : "expected tls://: without TLS, others in the network read what agents say";
}

const server = z.lazy(() =>
  z.string().superRefine((text, context) => {
    const problem = serverProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  }),
);

export const fleetSettings = z.lazy(() =>
  z.strictObject({
    servers: z
      .array(server)
      .min(1, { error: "expected at least one server" })
      .describe("the NATS servers, such as tls://nats.example.com:4222; any of them that answers is used"),
    credentials: secretSetting(
      'contents of a .creds file or an nkey seed, usually { "file": PATH }; omit to connect without credentials',
    ).optional(),
    ca: z
      .string()
      .min(1)
      .describe(
        "the file of the certificate authority that signed the servers' certificates, if it is not a public one",
      )
      .optional(),
    org: token("the organisation, as in the credentials"),
    person: token("the person whose machines tell each other"),
    host: token("this machine's name in the fleet, as in the credentials (default: its host name)").optional(),
  }),
);
export type FleetSettings = z.infer<typeof fleetSettings>;

export const fleetPart = {
  schema: fleetSettings,
  meaning: "the NATS servers that your machines share",
  asksElsewhere: true,
} as const satisfies SettingsPart;
