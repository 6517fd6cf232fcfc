export type Import = readonly [from: string, to: string];
export function circlesOf(imports: readonly Import[]): string[][];
export function importsOfSources(): Import[];
