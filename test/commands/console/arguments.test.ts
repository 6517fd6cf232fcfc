import { describe, expect, it } from "vitest";
import { parseArguments, type Flags } from "../../../src/commands/console/arguments.ts";
import { UserError } from "../../../src/model/errors.ts";

const flags = {
  json: { type: "boolean" },
  config: { type: "string" },
  channel: { type: "string", multiple: true },
} as const;

function complaint(args: string[], options: Flags, mostWords?: number): unknown {
  try {
    return parseArguments(args, options, mostWords);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [error.exitCode, error.message, error.hint];
  }
}

describe("parseArguments", () => {
  it("reads flags and words", () => {
    const { values, positionals } = parseArguments(["a", "--json", "--channel=x", "--channel", "y", "--", "-b"], flags);
    expect({ ...values }).toEqual({ json: true, channel: ["x", "y"] });
    expect(positionals).toEqual(["a", "-b"]);
  });

  it.each<[string[], number | undefined, string, string]>([
    [["--jsno"], 0, "there is no flag --jsno here", 'did you mean "--json"?'],
    [["--jsno=1"], 0, "there is no flag --jsno here", 'did you mean "--json"?'],
    [["--frobnicate"], 0, "there is no flag --frobnicate here", "flags: --json, --config, --channel"],
    [
      ["-5"],
      undefined,
      "there is no flag -5 here",
      "flags: --json, --config, --channel\nwords that start with a dash stand behind --",
    ],
    [["--config"], 0, "Option '--config <value>' argument missing", "see --help"],
    [["--json=1"], 0, "Option '--json' does not take an argument", "see --help"],
    [["a", "b"], 1, '"b" is one word too many here', "see --help"],
    [["\u001b[2J"], 0, '"\\u001b[2J" is one word too many here', "see --help"],
  ])("refuses %j", (args, mostWords, message, hint) => {
    expect(complaint(args, flags, mostWords)).toEqual([64, message, hint]);
  });
});
