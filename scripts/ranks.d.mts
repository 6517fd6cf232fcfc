export const ranks: readonly Readonly<Record<string, readonly string[]>>[];
export const rankOf: ReadonlyMap<string, number>;
export const mayImport: ReadonlyMap<string, readonly string[]>;
