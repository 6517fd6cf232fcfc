import { dirname, join, sep } from "node:path";
import { describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import { removeIfThere, statIfThere, writeWhole } from "../../../system/files/files.ts";
import { makeFolder } from "../../../system/files/settings-backup.ts";
import { secretsOfDraft, withSetting, type ChannelDraft } from "./draft.ts";
import { secretFileName } from "../names.ts";

/** A secret that is to lie in a file of its own. */
export interface SecretFile {
  path: string;
  value: string;
}

/**
 * The draft with every secret in a file of its own beside the rules file; nothing is written yet. Where that is a link,
 * beside the link: what it leads to may lie in a repository that others read.
 */
export function moveSecrets(
  draft: ChannelDraft,
  rulesFile: string,
  home: string,
): { draft: ChannelDraft; files: SecretFile[] } {
  const files: SecretFile[] = [];
  let result = draft;
  for (const { path: setting, value } of secretsOfDraft(draft)) {
    const path = freePath(join(dirname(rulesFile), secretFileName(draft.name, setting.join("-"))));
    files.push({ path, value });
    result = withSetting(result, setting, { file: path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path });
  }
  return { draft: result, files };
}

/** Another channel's secret may lie there from before. */
function freePath(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? wanted : `${wanted}-${number}`;
    if (statIfThere(path) === undefined) return path;
  }
}

/** Writes them, readable by their owner alone; all or none. */
export function writeSecrets(files: readonly SecretFile[]): void {
  try {
    for (const { path, value } of files) {
      makeFolder(dirname(path));
      writeWhole(path, `${value}\n`);
    }
  } catch (error) {
    removeSecrets(files);
    const [{ path } = { path: "the secret's file" }] = files;
    throw new UserError("secret.unwritable", `cannot write ${path}: ${describeWriteError(error)}`, {
      hint: "nothing was written; fix that, or let the secret come from elsewhere: --set KEY.env=NAME",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

export function removeSecrets(files: readonly SecretFile[]): void {
  for (const { path } of files) removeIfThere(path);
}
