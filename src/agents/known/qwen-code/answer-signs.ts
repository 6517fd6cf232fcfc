// What Qwen Code writes when its question is answered at its terminal.
import type { AnswerSigns } from "../../answer-signs.ts";
import { objectsOf, objectOf, textOf } from "../../../model/json.ts";

export const qwenCodeAnswerSigns: AnswerSigns = {
  callsIn(line) {
    const parts = objectsOf(objectOf(line.message).parts);
    return {
      begun: parts.flatMap(({ functionCall }) => {
        const { id, name, args } = objectOf(functionCall);
        return typeof id === "string" && typeof name === "string" ? [{ id, tool: name, input: args }] : [];
      }),
      isInterrupted: objectOf(line.toolCallResult).status === "cancelled",
      ended: parts.flatMap(({ functionResponse }) => textOf(objectOf(functionResponse).id) ?? []),
    };
  },
  processIn(file, session, read) {
    const { pid } = file === `${session}.runtime.json` ? read() : {};
    return typeof pid === "number" ? pid : undefined;
  },
  // Measured with 0.24.4: hooks have the third as well. A shell may have replaced itself by the command already.
  commands: {
    variables: ["QWEN_CODE_SESSION_ID", "QWEN_CODE_PROMPT_ID", "QWEN_PROJECT_DIR"],
    of: (_argv, { QWEN_CODE_SESSION_ID: session, QWEN_CODE_PROMPT_ID: prompt, QWEN_PROJECT_DIR: ofHook }) =>
      session === undefined || prompt === undefined || ofHook !== undefined ? undefined : { session },
  },
};
