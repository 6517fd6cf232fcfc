// A key and a certificate that no one trusts, made anew for each run so that none can expire in the repository.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function makeSelfSigned(names: readonly string[]): { key: string; cert: string; certFile: string } {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-tls-"));
  const keyFile = join(folder, "key.pem");
  const certFile = join(folder, "cert.pem");
  const alternatives = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`)).join(",");
  const options = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=hookbell test"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...options, "-addext", `subjectAltName=${alternatives}`, "-keyout", keyFile, "-out", certFile],
    { stdio: "ignore" },
  );
  return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8"), certFile };
}
