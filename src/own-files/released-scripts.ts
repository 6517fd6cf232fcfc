// The hook scripts of all versions of hookbell: a script of an earlier one is hookbell's as well, until `init` writes it anew.

/** Scripts in the state folder, named as in `hooks/` of this package. */
export const scriptNames = ["hookbell-hook.sh", "hookbell-hook.cmd", "hookbell-hook.cjs"] as const;
export type ScriptName = (typeof scriptNames)[number];

/**
 * SHA-256 of each text in `hooks/`, the newest last: 0.1.0, 1.0.0-rc.1, and what was on main since, from which people have run
 * `init`, too. When a script changes, a test names the digest to add; none is ever removed.
 */
export const releasedScripts: Readonly<Record<ScriptName, readonly string[]>> = {
  "hookbell-hook.sh": [
    "a7813d76a04c9f39088f86b9856cc111cc4869baac666521ef5d723b91b46d9a",
    "397cefe30da3fb3178435987dc8d458e157875b26a6300fa9079acf69ec15383",
    "d8986d905d4bad1e20d2f181cb09b354411d14e28fe9f3874f1b3a68912d8eac",
    "f81346ff38f42ed41df897a4fbe5176eca24db39a1e4df6ef6378d297e4ad2a7",
    "bed3926f0763bf66c4b3f34b68c683db1b5392c8d56649e2d7999290a0e538c8",
    "ba66b30f93e6c07e5fc70cddc9ff705571bd3706b38154ec1000ceec248af7de",
  ],
  "hookbell-hook.cmd": ["f13105d415fb71b1c2300bfe1213f2166e8aa68fa40490b9a97425569ee4f8e2"],
  "hookbell-hook.cjs": ["3053db53614b1dde10dfb0e4083464979376e929f65a77f3379389320a3f95c0"],
};

const whyEmpty =
  "hookbell has been uninstalled. Agents that are still running call this; delete it when they have been restarted.";

/** The scripts after `uninstall`. */
export const emptyScripts: Readonly<Record<ScriptName, string>> = {
  "hookbell-hook.sh": `#!/bin/sh\n# ${whyEmpty}\nexit 0\n`,
  "hookbell-hook.cmd": `@rem ${whyEmpty}\r\n@exit /b 0\r\n`,
  "hookbell-hook.cjs": `// ${whyEmpty}\n`,
};
