// `doctor`: checks the state folder and the queue.
import { typedWord, unsetCommand } from "../../model/places/user-shell.ts";
import { join } from "node:path";
import { questionsFolder } from "../../answers/questions.ts";
import { printableLine } from "../../model/text.ts";
import { listDeliveries } from "../../outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { countDamaged, countRejected } from "../../outbox/rejected.ts";
import { findUnusableFolder, foldersOf, type Layout } from "../../outbox/layout.ts";
import { isDisabled } from "../../system/environment.ts";
import { hookScriptName } from "../../install/hook-script.ts";
import { statIfThere } from "../../system/files/files.ts";
import { findDistrust } from "../../system/files/inspect-path.ts";
import { addPhone, describeUnshown, findUnshown } from "../pipeline/waiting.ts";
import { remedyFor } from "../../system/files/unwritable.ts";
import { examineDispatcher } from "./dispatcher.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { broken, type Finding, ok, warning } from "../../console/output/finding.ts";

export function examineState(io: CommandIo, layout: Layout): Finding[] {
  const findings = [examineWriting(layout)];
  const mode = statIfThere(layout.root)?.mode ?? 0;
  const distrust = findDistrust(join(layout.root, hookScriptName(io.platform))) ?? findDistrust(layout.incoming);
  if (distrust !== undefined) {
    const text = `${distrust.path} ${distrust.why}; they decide what hookbell sends and runs`;
    findings.push(broken(text, distrust.fix));
  } else if (io.platform !== "win32" && (mode & 0o077) !== 0) {
    const text = `other users can read ${layout.root} (mode ${mode.toString(8)})`;
    findings.push(warning(text, `chmod 700 ${typedWord(layout.root)}`));
  }
  if (isDisabled(io.env)) {
    const text = `HOOKBELL_DISABLE=${printableLine(io.env.HOOKBELL_DISABLE ?? "")} is set: every event is dropped`;
    findings.push(warning(text, unsetCommand("HOOKBELL_DISABLE", io.platform)));
  }
  return findings;
}

const probeBytes = 16 * 1024;

function examineWriting(layout: Layout): Finding {
  const unusable = findUnusableFolder([...foldersOf(layout), questionsFolder(layout)], probeBytes);
  if (unusable === undefined) return ok(`${layout.root} is writable`);
  const { command, fix } = remedyFor(unusable.error, unusable.path);
  return broken(`${unusable.path} is not writable: ${unusable.why}`, command, fix);
}

export async function examineQueue(io: CommandIo, layout: Layout): Promise<Finding[]> {
  const incoming = listIncoming(layout);
  const outbox = listDeliveries(layout, "outbox").length;
  const unshown = findUnshown(layout)?.count ?? 0;
  const dead = listDeliveries(layout, "dead").length - unshown;
  const damaged = countDamaged(layout);
  const rejected = countRejected(layout) - damaged;
  const waiting =
    incoming.length + outbox === 0
      ? "nothing is waiting"
      : `${count(incoming.length, "payload")} and ${count(outbox, "delivery", "deliveries")} waiting`;
  const canStart = findUnusableFolder(foldersOf(layout), probeBytes) === undefined;
  const findings = [await examineDispatcher(io, layout, { waiting, incoming, outbox, canStart })];
  if (dead > 0) {
    const fix = "hookbell log --failed says why, hookbell discard --all deletes them; to send them again:";
    findings.push(warning(`${count(dead, "delivery", "deliveries")} given up`, "hookbell retry --all", fix));
  }
  if (unshown > 0) {
    const { what, fix } = describeUnshown(unshown);
    findings.push(warning(what, addPhone, `${fix}; hookbell discard --all deletes them:`));
  }
  if (damaged > 0) {
    const text = `${count(damaged, "file")} of the queue ${damaged === 1 ? "was" : "were"} damaged, and moved to ${layout.rejected}`;
    const fix = "a full disk or a power failure can cause this; read the files there, then delete them; to see which:";
    findings.push(warning(text, "hookbell log --failed", fix));
  }
  if (rejected > 0) {
    const fix = `call the hook with the right --agent ID, and delete the files in ${layout.rejected}; to see why:`;
    findings.push(warning(`${count(rejected, "payload")} did not validate`, "hookbell log --failed", fix));
  }
  return findings;
}
