import * as z from "zod/mini";

/** Building blocks of payload schemas; `zod/mini`, because the hook carries them. */
export const filledString = (): z.ZodMiniType =>
  z.string({ error: "expected a non-empty string" }).check(z.minLength(1, { error: "expected a non-empty string" }));
export const optionalString = (): z.ZodMiniType => z.optional(z.nullable(z.string({ error: "expected a string" })));
export const optionalBoolean = (): z.ZodMiniType => z.optional(z.boolean({ error: "expected a boolean" }));
export const optionalArray = (): z.ZodMiniType => z.optional(z.array(z.unknown(), { error: "expected an array" }));

/** An object with these fields; any others are let through. */
export function fields(shape: Record<string, z.ZodMiniType>): z.ZodMiniType {
  return z.looseObject(shape, { error: "expected an object" });
}
