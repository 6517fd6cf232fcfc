// A table and a chart that belong to an event's message.
import * as z from "zod";

export const figuresSchema = z.lazy(() =>
  z.object({
    /** One text for each column; the first names the row. */
    table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
    /** One value for each label. */
    chart: z.object({ title: z.string(), labels: z.array(z.string()), values: z.array(z.number()) }).optional(),
  }),
);
export type Figures = z.infer<typeof figuresSchema>;
