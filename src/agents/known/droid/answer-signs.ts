// What Droid writes when its question is answered at its terminal.
import { type AnswerSigns, callsOfMessage } from "../../dialect/answer-signs.ts";
import { objectOf } from "../../dialect/values.ts";

export const droidAnswerSigns: AnswerSigns = {
  callsIn: (line) => (line.type === "message" ? callsOfMessage(objectOf(line.message)) : undefined),
};
