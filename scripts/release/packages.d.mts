interface PackageFacts {
  name: string;
  version: string;
  license: string;
  repository: { url: string };
  engines: { node: string };
}
export function packageFiles(facts: PackageFacts, sha256: string): Record<string, string>;
