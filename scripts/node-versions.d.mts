export type FetchedNode = { version: string; path: string; bin: string } | { missing: string };
export function newestNode(): FetchedNode;
export function fetchNode(version: string, system?: string): FetchedNode;
