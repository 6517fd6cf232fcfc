// The output formats of the platform commands: table, JSON and CSV.
import { usageError } from "../../../model/errors.ts";
import { suggest } from "../../../rules/nearest.ts";
import { formats } from "../help.ts";

export type Format = (typeof formats)[number];

export function readFormat(format: string | undefined, isJson: boolean | undefined): Format {
  if (isJson === true && (format === undefined || format === "json")) return "json";
  const wanted = formats.find((each) => each === (format ?? "table"));
  if (wanted !== undefined && isJson !== true) return wanted;
  const message =
    isJson === true ? `--json contradicts --format ${format}` : `unknown format ${JSON.stringify(format)}`;
  throw usageError(
    "format",
    message,
    isJson === true ? "leave out one of them" : suggest(format ?? "", formats, "formats"),
  );
}
