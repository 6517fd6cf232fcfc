interface Component {
  "bom-ref": string;
  name: string;
  properties?: { name: string; value: string }[];
}
interface Sbom {
  metadata: { component: { "bom-ref": string; name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}
export function shippedOnly(sbom: Sbom, licences: string): Sbom;
