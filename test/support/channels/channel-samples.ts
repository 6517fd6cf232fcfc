// The sample of every channel type, found by its folder: test/channels/GROUP/TYPE/sample.ts or test/channels/TYPE/sample.ts.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { channelTypes } from "./all-types.ts";
import { template } from "../../../src/channels/_template/template.ts";
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import type { ChannelSample, HttpSample, HttpWay } from "./channel-sample.ts";

const folder = fileURLToPath(new URL("../../channels/", import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => basename(path) === "sample.ts",
);

/** By the name of the folder. */
export const samples: Readonly<Record<string, ChannelSample>> = Object.fromEntries(
  await Promise.all(
    files.map(async (path) => {
      const { sample } = (await import(join(folder, path))) as { sample?: ChannelSample };
      if (sample === undefined) throw new Error(`test/channels/${path} has to export "sample"`);
      return [basename(dirname(path)), sample] as const;
    }),
  ),
);

/** Beside the type's tests, in the same group as its source. */
export function sampleFileOf(type: string): string {
  const sources = readdirSync(join(folder, "../../src/channels"), { recursive: true, encoding: "utf8" });
  const source = sources.find((path) => basename(path, ".ts") === type && basename(dirname(path)) === type);
  return `test/channels/${source === undefined ? type : dirname(source)}/sample.ts`;
}

export const isHttp = (sample: ChannelSample): sample is HttpSample => "okBody" in sample;

/** Every registered type, and the template, with its sample. */
export const sampledTypes: readonly { type: string; channel: ChannelType; sample: ChannelSample }[] = [
  ...channelTypes,
  { ...template, type: "_template", summary: "A channel type to start from" },
].map((channel) => {
  const sample = samples[channel.type];
  if (sample === undefined) throw new Error(`${sampleFileOf(channel.type)} is missing`);
  return { type: channel.type, channel, sample };
});

/** Those that send over HTTP. */
export const httpTypes: readonly { type: string; channel: ChannelType; sample: HttpSample }[] = sampledTypes.flatMap(
  ({ sample, ...rest }) => (isHttp(sample) ? [{ ...rest, sample }] : []),
);

/** Every way in which a type speaks HTTP: a Slack bot has another place, other secrets and other answers than a webhook. */
export const httpWays: readonly { name: string; type: string; channel: ChannelType; way: HttpWay }[] =
  httpTypes.flatMap(({ type, channel, sample }) => [
    { name: type, type, channel, way: sample },
    ...Object.entries(sample.otherWays ?? {}).map(([name, way]) => ({
      name: `${type} as ${name}`,
      type,
      channel,
      way,
    })),
  ]);
