// What a person is told of a disk that takes no more files, while hooks lose what they are given.
import { describeWriteError } from "../model/errors.ts";
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import { notifyWithoutDisk } from "../pipeline/notices.ts";
import { sha256 } from "../system/crypto.ts";
import { noteElsewhere } from "../system/files/note-elsewhere.ts";
import { remedyFor } from "../system/files/unwritable.ts";

/** A disk that is full again and again is told again only after this time. */
const repeatAfterMs = 60 * 60_000;

/** Once an hour, however many dispatchers find it. */
export async function notifyOfDisk(dispatcher: Dispatcher, error: unknown): Promise<void> {
  const { layout, tools } = dispatcher;
  const { incoming, root } = layout;
  const note = `hookbell-disk-${sha256(root).slice(0, 16)}`;
  if (!noteElsewhere(note, tools.env.XDG_RUNTIME_DIR, tools.clock.now(), repeatAfterMs)) return;
  const { fix, command } = remedyFor(error, incoming);
  const advice = fix === undefined ? "To fix it:" : fix.charAt(0).toUpperCase() + fix.slice(1);
  const title = "hookbell: events are being lost";
  const body = `${describeWriteError(error)}: nothing can be kept in ${root}. ${advice} ${command}`;
  await notifyWithoutDisk(dispatcher, { title, body, plain: { title, body: "hookbell status says why." } });
}
