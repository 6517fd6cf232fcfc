// Reads the parameters of a request; what one of them means must not depend on which of two a program takes.
import type { Context } from "hono";
import type * as z from "zod";
import { messageOfIssue } from "../../../../model/errors.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";
import { problemsOf } from "../store/reports.ts";

/** The parameters of the schema. Throws the answer if one is not as it should be, or stands there twice. */
export function readQuery<Schema extends z.ZodObject>({ req }: Context, schema: Schema): z.output<Schema> {
  requireOnce({ req }, Object.keys(schema.shape));
  const query = schema.safeParse(req.query(), { error: messageOfIssue });
  if (!query.success) throw new HttpProblem(400, problemsOf(query.error));
  for (const [name, value] of Object.entries(query.data)) {
    const text = req.query(name);
    // JavaScript reads `0x10` and `1e1` as numbers, too.
    if (typeof value === "number" && text !== undefined && !/^\d{1,15}$/.test(text)) {
      throw new HttpProblem(400, `${name}: expected a whole number in digits`);
    }
  }
  return query.data;
}

/** Throws the answer if one of these parameters stands there twice. */
export function requireOnce({ req }: Pick<Context, "req">, names: readonly string[]): void {
  const repeated = names.filter((name) => (req.queries(name)?.length ?? 0) > 1);
  if (repeated.length > 0) throw new HttpProblem(400, repeated.map((name) => `${name}: is given twice`).join("; "));
}
