import { describe, expect, it } from "vitest";
import { parseArguments, type Flags } from "../../src/console/arguments.ts";
import { UserError } from "../../src/model/errors.ts";

const flags = {
  json: { meaning: "print JSON" },
  config: { value: "FILE", meaning: "the rules file" },
  channel: { value: "NAME", multiple: true, meaning: "a channel" },
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
    [["--jsno"], 0, "there is no flag --jsno", 'did you mean "--json"?'],
    [["--jsno=1"], 0, "there is no flag --jsno", 'did you mean "--json"?'],
    [["--frobnicate"], 0, "there is no flag --frobnicate", "flags: --json, --config, --channel"],
    [
      ["-5"],
      undefined,
      "there is no flag -5",
      "flags: --json, --config, --channel\nput arguments that start with a dash after --",
    ],
    [["--config", "-x"], 0, '--config needs a value; one that starts with a dash follows "="', "see --help"],
    [["--config"], 0, "--config needs a value", "see --help"],
    [["--json=1"], 0, "--json takes no value", "see --help"],
    [["a", "b"], 1, 'unexpected argument "b"', "see --help"],
    [["\u001b[2J"], 0, 'unexpected argument "\\u001b[2J"', "see --help"],
  ])("refuses %j", (args, mostWords, message, hint) => {
    expect(complaint(args, flags, mostWords)).toEqual([64, message, hint]);
  });
});
