# Builds hookbell from this repository: `nix run github:hookbell/hookbell -- --help`.
{
  description = "The local hook runner and notification dispatcher for coding agents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      package = builtins.fromJSON (builtins.readFile ./package.json);
      hookbellFor =
        pkgs:
        pkgs.buildNpmPackage {
          pname = package.name;
          inherit (package) version;
          src = self;
          # The integrity of each dependency is in the lock file, so no hash has to be kept here.
          npmDeps = pkgs.importNpmLock { npmRoot = self; };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
          npmFlags = [ "--ignore-scripts" ];
          meta = {
            inherit (package) description homepage;
            license = pkgs.lib.licenses.mit;
            mainProgram = "hookbell";
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = hookbellFor nixpkgs.legacyPackages.${system};
      });
    };
}
