import { describe, expect, it } from "vitest";
import { holdLease, renewEveryMs } from "../../../src/outbox/lease/lease.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

type Answer = boolean | "ENOSPC";

/** A lease whose renewals end so, one after the other; the last goes on. */
function kept(...answers: Answer[]) {
  const clock = createFakeClock();
  let lost = 0;
  let renewals = 0;
  const lease = {
    renew() {
      const answer = answers[Math.min(renewals, answers.length - 1)];
      renewals += 1;
      if (answer === "ENOSPC") throw Object.assign(new Error("no space"), { code: answer });
      return answer === true;
    },
    setTrouble() {},
    release() {},
  };
  const held = holdLease(lease, clock);
  held.lost.addEventListener("abort", () => (lost += 1));
  return { ...held, clock, losses: () => lost, renewals: () => renewals };
}

describe("the kept lease", () => {
  it("knows a disk in trouble from a lease that another dispatcher has", () => {
    const lease = kept(true, "ENOSPC", true, false, true);
    const renewLater = (): boolean => {
      lease.clock.turn(300);
      return lease.renew();
    };
    expect(renewLater()).toBe(true);
    expect(renewLater).toThrow("no space");
    expect([lease.renew(), lease.isLost(), lease.losses()]).toEqual([true, false, 0]);
    expect(renewLater()).toBe(false);
    // For good, and said once.
    expect([lease.renew(), lease.isLost(), lease.losses(), lease.renewals()]).toEqual([false, true, 1, 4]);
  });

  it("is looked at once in a moment, however many messages there are, and again when the clock was set back", () => {
    const lease = kept(true, true, false);
    expect([lease.renew(), lease.renew(), lease.renewals()]).toEqual([true, true, 1]);
    lease.clock.step(-1000);
    expect([lease.renew(), lease.renew(), lease.renewals()]).toEqual([true, true, 2]);
    lease.clock.step(20_000);
    expect([lease.renew(), lease.renewals()]).toEqual([false, 3]);
  });

  it("is renewed in the background through trouble, and no more once it is lost", () => {
    const lease = kept("ENOSPC", true, false);
    lease.clock.turn(2 * renewEveryMs);
    expect([lease.renewals(), lease.isLost()]).toEqual([2, false]);
    lease.clock.turn(5 * renewEveryMs);
    expect([lease.renewals(), lease.isLost(), lease.losses()]).toEqual([3, true, 1]);
  });
});
