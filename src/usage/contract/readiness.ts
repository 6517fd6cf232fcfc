// Readiness reports. Extra fields pass; error bodies are not documented.
import * as z from "zod";

const criterionSchema = z
  .looseObject({
    /** Applications that pass. */
    numerator: z.number().min(0),
    /** Applications that were looked at. */
    denominator: z.number().min(1),
    rationale: z.string(),
  })
  .refine(({ numerator, denominator }) => numerator <= denominator, {
    path: ["numerator"],
    message: "must not be greater than denominator",
  });

export const readinessReportSchema = z.looseObject({
  reportId: z.guid(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  repoUrl: z.string(),
  /** The keys are the applications' paths in the repository. */
  apps: z.record(z.string(), z.looseObject({ description: z.string() })),
  /** The keys are the criteria's ids. */
  report: z.record(z.string(), criterionSchema),
  commitHash: z.string().optional(),
  branch: z.string().optional(),
  hasLocalChanges: z.boolean().optional(),
  hasNonRemoteCommits: z.boolean().optional(),
  modelUsed: z.looseObject({ id: z.string(), reasoningEffort: z.enum(["low", "medium", "high", "off"]) }).optional(),
  agentVersion: z.string().optional(),
});
export type ReadinessReport = z.infer<typeof readinessReportSchema>;

export const readinessListSchema = z.looseObject({ reports: z.array(readinessReportSchema) });
export type ReadinessList = z.infer<typeof readinessListSchema>;
