// Readiness reports. Extra fields pass; error bodies are not documented.
import * as z from "zod";

const documentedEfforts = ["low", "medium", "high", "off"] as const;
/** Droid 0.225 writes further ones, such as `none`. */
export const knownEfforts = [...documentedEfforts, "none", "dynamic", "minimal", "xhigh", "max"] as const;

/** `text` is the schema of each text, since a server of one's own has a limit; `efforts` are those that it takes. */
export function readinessReportSchemaOf(text: z.ZodString, efforts: readonly string[] = documentedEfforts) {
  const criterion = z
    .looseObject({
      /** Applications that pass. */
      numerator: z.number().min(0),
      /** Applications that were looked at. */
      denominator: z.number().min(1),
      rationale: text,
    })
    .refine(({ numerator, denominator }) => numerator <= denominator, {
      path: ["numerator"],
      message: "must not be greater than denominator",
    });
  return z.looseObject({
    reportId: z.guid(),
    /** Milliseconds since the epoch. */
    createdAt: z.number(),
    repoUrl: text,
    /** The keys are the applications' paths in the repository. */
    apps: z.record(text, z.looseObject({ description: text })),
    /** The keys are the criteria's ids. */
    report: z.record(text, criterion),
    commitHash: text.optional(),
    branch: text.optional(),
    hasLocalChanges: z.boolean().optional(),
    hasNonRemoteCommits: z.boolean().optional(),
    modelUsed: z.looseObject({ id: text, reasoningEffort: z.enum(efforts) }).optional(),
    agentVersion: text.optional(),
  });
}

export const readinessReportSchema = readinessReportSchemaOf(z.string());
export type ReadinessReport = z.infer<typeof readinessReportSchema>;

export const readinessListSchema = z.looseObject({ reports: z.array(readinessReportSchema) });
export type ReadinessList = z.infer<typeof readinessListSchema>;
