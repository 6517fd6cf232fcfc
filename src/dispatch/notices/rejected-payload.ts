// Tells the user, once for each agent and kind of fault, that a payload did not validate: the shell hook cannot.
import { describePayloadProblem, type PayloadReading } from "../../agents/read-payload.ts";
import type { DeliveryFile } from "../../outbox/deliveries.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { notifyPerson } from "./notify-person.ts";
import { sha256 } from "../../system/crypto.ts";

export function notifyRejectedPayload(
  dispatcher: Dispatcher,
  { agentId, eventName, problems }: PayloadReading & { status: "invalid" },
): DeliveryFile[] {
  const [first] = problems;
  if (first === undefined) return [];
  const fault = [agentId, eventName, ...problems.map(({ field, expected }) => `${field} ${expected}`)].join("\n");
  const digest = sha256(fault);
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return notifyPerson(dispatcher, `rejected ${digest}`, {
    title: `hookbell: a payload of ${agentId} did not validate`,
    body: `${describePayloadProblem(first, eventName)}${others}. It lies in ${dispatcher.layout.rejected}. You hear of this kind of fault once.`,
    plain: { title: "hookbell: a payload did not validate", body: "hookbell log --failed says why." },
  });
}
