// "This device": what this browser is paired as, what it may do, and whether it is notified.
import type { Now } from "../src/wings/page/contract.ts";
import { NotifyDevice } from "./notify-device.tsx";

/** Each right with what it lets a browser do, and the flag that grants it. */
const rights = [
  ["answer", "Answer questions", "--answer"],
  ["administer", "Send failed messages again, start installations, try other rules", "--administer"],
] as const;

export function DeviceTab({ now: { device, host } }: { now: Now }) {
  const isMissing = rights.some(([right]) => !device.rights.includes(right));
  return (
    <div class="device">
      <section class="group" aria-label="this device">
        <h2>This device</h2>
        <div class="session">
          <p>
            <b>{device.name}</b> <span class="facts">paired with {host}</span>
          </p>
          <dl>
            {([["read", "See sessions, questions and the journal"], ...rights] as const).map(([right, what]) => (
              <div key={right}>
                <dt>{device.rights.includes(right) ? "May" : "May not"}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          {isMissing ? (
            <p class="hint">
              For all rights, pair it again with:{" "}
              <code>hookbell devices add {rights.map(([, , flag]) => flag).join(" ")}</code>
            </p>
          ) : null}
          <p class="hint">
            To end the pairing: <code>hookbell devices revoke "{device.name}"</code>
          </p>
        </div>
      </section>
      <section class="group" aria-label="notifications">
        <h2>Notifications</h2>
        <div class="session">
          <NotifyDevice />
        </div>
      </section>
    </div>
  );
}
