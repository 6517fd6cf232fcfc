// Reads what a request carries: JSON in UTF-8, of bounded depth.
import type { Context } from "hono";
import { isTooDeep } from "../../../agents/read-payload.ts";
import { HttpProblem } from "./problems.ts";

export async function readText(context: Context): Promise<string> {
  const bytes = await context.req.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, "the body is not UTF-8");
  }
}

export async function readJson(context: Context): Promise<unknown> {
  return parseJson(await readText(context));
}

export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new HttpProblem(400, "the body is nested too deep");
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, "the body is not JSON");
  }
}
