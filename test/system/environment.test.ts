import { expect, it } from "vitest";
import { isDisabled } from "../../src/system/environment.ts";
import { disableValues } from "../support/home/disable-values.ts";

it.each(disableValues)("HOOKBELL_DISABLE=%j drops everything: %s", (value, expected) => {
  expect(isDisabled({ HOOKBELL_DISABLE: value })).toBe(expected);
});
