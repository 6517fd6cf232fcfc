import { expect, it } from "vitest";
import { isDisabled } from "../../../src/system/environment.ts";

it.each([
  [undefined, false],
  ["", false],
  ["0", false],
  ["false", false],
  ["No", false],
  ["off", false],
  ["1", true],
  ["true", true],
  ["TRUE", true],
  ["yes", true],
])("HOOKBELL_DISABLE=%s drops everything: %s", (value, expected) => {
  expect(isDisabled({ HOOKBELL_DISABLE: value })).toBe(expected);
});
