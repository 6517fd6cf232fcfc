// Tells the user, once for each state of the file, that the rules file has a mistake.
import type { DeliveryFile } from "../../outbox/deliveries.ts";
import { showProblems } from "../../rules/problems/show.ts";
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
