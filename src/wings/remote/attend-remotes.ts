// Follows this person's other machines while this dispatcher has the lease.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { notifyPerson } from "../../pipeline/notices.ts";
import { fetchedScriptText } from "../../install/hook-script.ts";
import { followRemotes } from "./follow.ts";
import { maxWaiting } from "./hook-there.ts";
import type { Service } from "../../daemon/attend.ts";
import type { LeasedPart, LeasedParts } from "../../daemon/wing.ts";

export function attendRemotes({ dispatcher, asking, hasLease }: LeasedParts): LeasedPart {
  const { layout, tools } = dispatcher;
  const onDropped = (name: string, dropped: number): void => notifyDropped(dispatcher, name, dropped);
  const followers = followRemotes(layout, tools, { asking, hookText: fetchedScriptText, onDropped, hasLease });
  const service: Service = {
    name: "remotes",
    poll() {
      followers.look();
      return { nextAt: Infinity };
    },
    busy: () => (followers.isBusy() ? "stay" : undefined),
    stop: async () => await followers.finish(),
  };
  return { service };
}

function notifyDropped(dispatcher: Dispatcher, name: string, dropped: number): void {
  const events = dropped === 1 ? "1 event" : `${dropped} events`;
  const title = `hookbell: ${events} of ${name} ${dropped === 1 ? "is" : "are"} lost`;
  const body = `${maxWaiting} events waited there, so its hook dropped later ones.`;
  notifyPerson(dispatcher, `dropped ${name} ${dispatcher.tools.clock.now()}`, { title, body, plain: { title, body } });
}
