import packageJson from "../../package.json" with { type: "json" };

/** Our own version, as `package.json` says it; the bundle holds a copy. */
export const version: string = packageJson.version;
