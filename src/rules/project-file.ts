// A repository's own `.hookbell.jsonc`. It is untrusted: it mutes, chooses among the user's channels, adds a label, and nothing else.
import { dirname, join } from "node:path";
import { scrub } from "../model/privacy/scrub.ts";
import * as z from "zod";
import { optionalSetting } from "../channels/settings.ts";
import type { Mute } from "../policies/mute.ts";
import { describeWriteError, type Problem } from "../model/errors.ts";
import { printableLine } from "../model/text.ts";
import { isAbsent, isLink } from "../system/files/inspect-path.ts";
import { readStartWithoutLinks } from "../system/files/read.ts";
import { parseDocument, valueOf } from "./problems/document.ts";
import { readNode } from "./problems/schema-issues.ts";
import { toJsonSchema } from "./schema/known-keys.ts";

export const projectFileName = ".hookbell.jsonc";

const maxBytes = 16 * 1024;
const maxLabelLength = 32;

export const projectFileSchema = z.strictObject({
  $schema: optionalSetting(() => z.string().describe("where editors find this schema")),
  mute: optionalSetting(() =>
    z
      .boolean()
      .describe(
        "true: news of this repository is dropped, and its questions and errors wait; hookbell status shows them",
      ),
  ),
  notify: optionalSetting(() =>
    z
      .array(z.string())
      .min(1, { error: 'expected at least one channel; for silence write "mute": true' })
      .describe("of the channels that your rules notify, only these, and those that your projectFiles names"),
  ),
  label: optionalSetting(() =>
    z
      .string()
      .min(1, { error: "a label cannot be empty" })
      .max(maxLabelLength, { error: `a label has at most ${maxLabelLength} characters` })
      .refine((text) => printableLine(text) === text, {
        error: "a label has no control characters and no leading, trailing or double spaces",
      })
      .describe("shown in titles, in front of the project's name"),
  ),
});

export interface ProjectFile extends Omit<z.infer<typeof projectFileSchema>, "$schema"> {
  path: string;
}

export type ProjectFileReading =
  | { status: "good"; file: ProjectFile }
  | { status: "broken"; path: string; text: string; problems: Problem[] };

/** The nearest one, from the folder up to the `root` of its repository. Outside of a repository there is none. */
export function readProjectFile(folder: string, root: string | undefined): ProjectFileReading | undefined {
  if (root === undefined) return undefined;
  for (let each = folder; ; each = dirname(each)) {
    const path = join(each, projectFileName);
    if (!isAbsent(path) || isLink(path)) return readProjectFileAt(path);
    if (each === root || dirname(each) === each) return undefined;
  }
}

export function readProjectFileAt(path: string): ProjectFileReading | undefined {
  const broken = (message: string): ProjectFileReading => {
    return { status: "broken", path, text: "", problems: [{ path: "", message }] };
  };
  try {
    if (isLink(path)) return broken("it is a symbolic link, which hookbell does not follow here");
    const bytes = readStartWithoutLinks(path, maxBytes + 1);
    if (bytes === undefined) return undefined;
    if (bytes.length > maxBytes) return broken(`it has more than ${maxBytes} bytes`);
    return parseProjectFile(path, bytes.toString("utf8"));
  } catch (error) {
    return broken(describeWriteError(error));
  }
}

function parseProjectFile(path: string, text: string): ProjectFileReading {
  const { root, problems } = parseDocument(text, {
    message: "the file is empty",
    hint: "{} is a file that sets nothing",
  });
  if (root === undefined) return { status: "broken", path, text, problems };
  const schema = () => toJsonSchema(projectFileSchema);
  const { value, problems: found = [] } = readNode(projectFileSchema, valueOf(root), {
    text,
    node: root,
    path: [],
    schema,
  });
  const all = [...problems, ...found];
  if (value === undefined || all.length > 0) return { status: "broken", path, text, problems: all };
  const { $schema: _, ...settings } = value;
  // A good file's path is only shown.
  return { status: "good", file: { path: scrub(path).text, ...settings } };
}

/** A broken file counts for nothing. */
export function goodFile(reading: ProjectFileReading | undefined): ProjectFile | undefined {
  return reading?.status === "good" ? reading.file : undefined;
}

export function mutesOf(project: ProjectFile | undefined): Mute[] {
  return project?.mute === true ? [{ scope: "file", name: project.path }] : [];
}
