// Flags that several commands share.
export const json = { type: "boolean", meaning: "print JSON" } as const;
export const yes = { type: "boolean", short: "y", meaning: "do not ask" } as const;
export const dryRun = { type: "boolean", meaning: "show the changes and write nothing" } as const;
export const config = { type: "string", value: "FILE", of: "file", meaning: "use this rules file" } as const;
