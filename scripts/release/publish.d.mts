export function tagFor(version: string, published: readonly string[]): "latest" | "next" | undefined;
