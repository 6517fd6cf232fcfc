// What `doctor` finds of the page.
import { listDevices } from "../../answers/browsers/devices.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { type Finding, warning } from "../../console/output/finding.ts";
import { printableLine } from "../../model/text.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { whyPairAgain } from "./contract.ts";

/** Empty if no browser must be paired again. */
export function examinePage({ places }: CommandIo): Finding[] {
  return listDevices(layoutOf(places.stateDir)).flatMap(({ name, pairAgain }) => {
    if (pairAgain === undefined) return [];
    const text = `${printableLine(name)} may only read on the page: ${whyPairAgain[pairAgain]}`;
    return [warning(text, "hookbell devices add", "pair that browser again, with the rights that it had:")];
  });
}
