// Tells the user, once each, of a mistake in the rules file and of a state folder that others can change.
import type { DeliveryFile } from "../../outbox/deliveries.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { findDistrust } from "../../system/files/inspect-path.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { notifyPerson } from "./notify-person.ts";
import { sha256 } from "../../system/crypto.ts";

const applies = {
  file: "The rules file applies.",
  lastGood: "The last rules that were good go on applying.",
  builtIn: "The built-in rules apply meanwhile.",
};

export function notifyBrokenRules(dispatcher: Dispatcher): DeliveryFile[] {
  const { problems, text, origin } = dispatcher.rules();
  const [first] = problems;
  if (first === undefined) return [];
  const digest = sha256(`${text}\n${first.message}`);
  const [where = ""] = showProblems([first], { text, file: "rules.jsonc", isColor: false }).split("\n");
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return notifyPerson(dispatcher, `rules ${digest}`, {
    title: "hookbell: the rules file has a mistake",
    body: `${where}${others}. ${applies[origin]} hookbell check shows all.`,
    plain: { title: "hookbell: the rules file has a mistake", body: "hookbell check shows where." },
  });
}

export function notifyOpenState(dispatcher: Dispatcher): DeliveryFile[] {
  const distrust = findDistrust(dispatcher.layout.incoming);
  if (distrust === undefined) return [];
  const { path, why, fix } = distrust;
  return notifyPerson(dispatcher, `open ${path} ${why}`, {
    title: "hookbell: other users can change its files",
    body: `${path} ${why}, and with it what hookbell sends and runs. To fix it: ${fix}`,
    plain: { title: "hookbell: other users can change its files", body: "hookbell doctor says which." },
  });
}
