// Writes the Homebrew formula and Arch's PKGBUILD of a release, with the checksum of its tarball. Called by the release workflow:
// node scripts/release/packages.mjs TARBALL FOLDER
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The texts by file name; `facts` is package.json, `sha256` the tarball's digest in hexadecimal digits. */
export function packageFiles(facts, sha256) {
  const { name, version, license, repository, engines } = facts;
  const home = repository.url.replace(/^git\+|\.git$/g, "");
  const tarball = `${home}/releases/download/v${version}/${name}-${version}.tgz`;
  const summary = "Hook runner and notification dispatcher for coding agents";
  const className = name[0].toUpperCase() + name.slice(1);
  const formula = `class ${className} < Formula
  desc "${summary}"
  homepage "${home}"
  url "${tarball}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
  end
end
`;
  const pkgbuild = `# Maintainer: The ${name} authors
pkgname=${name}
# A version of pacman's has no hyphen.
_version=${version}
pkgver=\${_version//-/}
pkgrel=1
pkgdesc="${summary}"
arch=(any)
url="${home}"
license=(${license})
depends=('nodejs${engines.node}')
makedepends=(npm)
source=("$url/releases/download/v$_version/$pkgname-$_version.tgz")
noextract=("$pkgname-$_version.tgz")
sha256sums=('${sha256}')

package() {
  npm install --global --ignore-scripts --cache "$srcdir/npm-cache" --prefix "$pkgdir/usr" "$srcdir/$pkgname-$_version.tgz"
  chown -R root:root "$pkgdir"
  install -Dm644 "$pkgdir/usr/lib/node_modules/$pkgname/LICENSE" "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
}
`;
  return { [`${name}.rb`]: formula, PKGBUILD: pkgbuild };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , tarball = "", folder = ""] = process.argv;
  const facts = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (basename(tarball) !== `${facts.name}-${facts.version}.tgz`) throw new Error(`${tarball} is of another version`);
  const sha256 = createHash("sha256").update(readFileSync(tarball)).digest("hex");
  for (const [name, text] of Object.entries(packageFiles(facts, sha256))) writeFileSync(join(folder, name), text);
}
