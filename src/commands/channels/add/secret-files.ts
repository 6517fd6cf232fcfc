// Moves a new channel's secrets into files beside the rules file.
import { dirname, join, sep } from "node:path";
import { describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import { removeIfThere, statIfThere } from "../../../system/files/files.ts";
import { writeWhole } from "../../../system/files/write.ts";
import { makeFolders } from "../../../system/files/settings-backup.ts";
import { secretFileName } from "../names.ts";
import { type ChannelDraft, secretsOfDraft, withSetting } from "./draft.ts";

export interface SecretFile {
  path: string;
  value: string;
}

/** Writes nothing yet. If the rules file is a link, the files go beside the link, since its target may be in a repository. */
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

/** Another channel's secret may have this name. */
function freePath(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? wanted : `${wanted}-${number}`;
    if (statIfThere(path) === undefined) return path;
  }
}

/** Only the owner can read them. Removes them again if one cannot be written, or if `writeRules` fails. */
export function withSecrets<T>(files: readonly SecretFile[], writeRules: () => T | undefined): T | undefined {
  let written: T | undefined;
  try {
    for (const { path, value } of files) writeSecret(path, value);
    written = writeRules();
    return written;
  } finally {
    if (written === undefined) for (const { path } of files) removeIfThere(path);
  }
}

function writeSecret(path: string, value: string): void {
  try {
    makeFolders(dirname(path));
    writeWhole(path, `${value}\n`);
  } catch (error) {
    throw new UserError("secret.unwritable", `cannot write ${path}: ${describeWriteError(error)}`, {
      hint: "nothing was written; fix that, or keep the secret elsewhere: --set KEY.env=NAME",
      exitCode: exitCodes.cannotWrite,
    });
  }
}
