// Every channel type whose message can be looked at, and how.
import { isHttp, sampledTypes } from "./channel-samples.ts";
import { shownOverHttp } from "./shown-over-http.ts";
import type { Show } from "./shown.ts";

export const shownTypes = sampledTypes.flatMap(({ type, channel, sample }) => {
  const show: Show | undefined = isHttp(sample) ? shownOverHttp(channel, sample) : sample.show?.(channel);
  if (show === undefined) return [];
  const name = !isHttp(sample) && sample.isShownByShell ? `${type} (posix)` : type;
  return [
    { name, type, channel, sample, show, isRetold: sample.isRetold === true, isPassedOn: sample.isPassedOn === true },
  ];
});

/** Ends what was started to look at messages. */
export async function stopShowing(): Promise<void> {
  for (const { sample } of sampledTypes) if (!isHttp(sample)) await sample.stopShowing?.();
}
