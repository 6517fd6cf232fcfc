// The columns that an endpoint's rows have as CSV, so that a file without rows has its header.
import * as z from "zod";
import type { CsvColumn } from "../../../console/output/csv.ts";
import { endpoints } from "../contract/endpoints.ts";
import type { UsageName } from "./views.ts";

const bodies: Record<UsageName, { rows: RowsSchema; grouped?: RowsSchema }> = {
  tokens: { rows: endpoints.getTokens.success.body, grouped: endpoints.getTokens.grouped },
  tools: { rows: endpoints.getTools.success.body, grouped: endpoints.getTools.grouped },
  activity: { rows: endpoints.getActivity.success.body, grouped: endpoints.getActivity.grouped },
  productivity: { rows: endpoints.getProductivity.success.body },
  users: { rows: endpoints.getUsers.success.body },
};

interface RowsSchema {
  shape: { data: z.ZodArray<z.ZodObject> };
}

export function csvColumns(name: UsageName, isGrouped: boolean): CsvColumn[] {
  const { rows, grouped = rows } = bodies[name];
  return columnsOf((isGrouped ? grouped : rows).shape.data.element);
}

function columnsOf({ shape }: z.ZodObject): CsvColumn[] {
  return Object.entries(shape).flatMap(([name, field]): CsvColumn[] =>
    field instanceof z.ZodObject ? columnsOf(field).map((inner) => [name, ...inner]) : [[name]],
  );
}
