// The software bill of materials of the package as CycloneDX JSON, on standard output: what is installed with it and what its
// bundles contain. `npm sbom` knows only what is installed, and takes bundled libraries for development tools. Needs a build.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Keeps the components that are shipped; `licences` is the text of dist/THIRD-PARTY-LICENSES.txt. */
export function shippedOnly(sbom, licences) {
  const bundled = new Set(
    [...licences.matchAll(/^((?:@[^/\s]+\/)?\S+) (\d\S*) \([^)]+\)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  );
  const isDevelopment = ({ properties = [] }) =>
    properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
  const isBundled = ({ "bom-ref": ref }) => bundled.has(ref);
  const components = sbom.components
    .filter((component) => !isDevelopment(component) || isBundled(component))
    .map((component) =>
      isBundled(component) ? { ...component, scope: "required", properties: withoutDevelopment(component) } : component,
    );
  const refs = new Set([sbom.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm names the package after its folder.
  const [name] = sbom.metadata.component["bom-ref"].split("@");
  const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name } };
  return { ...sbom, metadata, components, dependencies };
}

function withoutDevelopment({ properties = [] }) {
  return properties.filter(({ name }) => name !== "cdx:npm:package:development");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  // One line, since on Windows npm is a script of the shell's.
  const options = { cwd: root, shell: true, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };
  const sbom = JSON.parse(execFileSync("npm sbom --sbom-format cyclonedx --sbom-type application", options));
  const licences = readFileSync(`${root}dist/THIRD-PARTY-LICENSES.txt`, "utf8");
  process.stdout.write(`${JSON.stringify(shippedOnly(sbom, licences), null, 2)}\n`);
}
