// What Droid writes when its question is answered at its terminal.
import { type AnswerSigns, callsOfMessage } from "../../answer-signs.ts";
import { objectOf } from "../../../model/json.ts";

export const droidAnswerSigns: AnswerSigns = {
  callsIn: (line) => (line.type === "message" ? callsOfMessage(objectOf(line.message)) : undefined),
  /** Measured with 0.225.2. */
  commands: {
    variables: [],
    of: (argv) => (argv[3] === "factory-execute-supervisor" ? {} : undefined),
  },
};
