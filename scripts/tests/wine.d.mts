export function wineEnv(prefix: string): Record<string, string>;
export function makeWindows(prefix: string, nodeBin: string): void;
export function endWindows(prefix: string): void;
