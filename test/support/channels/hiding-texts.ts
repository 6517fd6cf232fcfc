// Calls of tools that are made to hide what they do, and a question as one channel shows it.
import fc from "fast-check";
import { textOfCall } from "../../../src/answers/card/card.ts";
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import { askedBy } from "../../../src/pipeline/answers/ask.ts";
import { routesOf } from "../../../src/pipeline/answers/route.ts";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import type { Question } from "../../../src/answers/questions.ts";
import type { Channel } from "../../../src/rules/rules.ts";
import { openQuestion } from "../../answers/sample.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { temporaryState } from "../project/temporary-state.ts";

/** What stands between the harmless beginning and the end that does harm. */
const paddings = [
  '"',
  "&",
  "<",
  "'",
  "\\",
  "`",
  "*_",
  "@a ",
  " /x",
  "{{",
  ".",
  "x",
  "W",
  "word ",
  "a-",
  "漢",
  "😀",
  "👩‍👩‍👧‍👦",
  "é",
  "\n",
  ":\n",
  "\n:",
  " \n",
  " ",
  "\t",
  "\u2800",
  "\u00A0",
  "\uFFFC",
  "\u200B",
  "\u3164",
  "e\u0301\u0489\u0327\u0300",
];

export interface HidingCall {
  command: string;
  tool: string;
  cwd: string;
  title?: string;
}

const padded = fc.record({
  sign: fc.constantFrom(...paddings),
  length: fc.oneof(
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 60, max: 1200 }),
    fc.integer({ min: 1200, max: 4200 }),
  ),
});

export const hidingCalls: fc.Arbitrary<HidingCall> = fc
  .record({ at: fc.constantFrom("command", "command", "tool", "cwd"), padding: padded })
  .map(({ at, padding: { sign, length } }) => {
    const filling = sign.repeat(Math.ceil(length / sign.length));
    return {
      command: at === "command" ? `npm test ${filling}; rm -rf ~/all` : "npm test",
      tool: at === "tool" ? `mcp__x__read${filling}_and_delete` : "Bash",
      cwd: at === "cwd" ? `/home/u/${filling}/evil` : "/home/u/shop-web",
    };
  });

/** The question that the hook of this call stores, and what the dispatcher hands to the channel. */
export function askOn(
  channelType: ChannelType,
  { command, tool, cwd, title = "shop-web: run it?" }: HidingCall,
): {
  question: Question;
  shown: Exclude<ReturnType<typeof askedBy>, { answered: string } | { noButtons: string } | undefined>;
} {
  const layout = temporaryState();
  const channel = { name: "phone", type: channelType.type, channelType, answers: true } as Channel;
  const here = { env: {}, home: "/home/u", rulesFile: "/home/u/rules.jsonc", stateDir: layout.root };
  const routes = routesOf({ phone: channel }, here);
  const question = openQuestion(layout, { tool, cwd, branch: "main", ...textOfCall({ command }), routes });
  const dispatcher = { layout, ...here, tools: { clock: systemClock, ...here } } as unknown as Dispatcher;
  const questionsAndClicks = { untilOver: () => new AbortController().signal };
  const event = { id: "evt_1" };
  const delivery = { kind: "question", question: question.id, event, message: { title } } as Delivery;
  const shown = askedBy(dispatcher, questionsAndClicks, delivery, channel);
  if (shown === undefined || !("asked" in shown)) throw new Error("the question is not asked");
  return { question, shown };
}

/** All that a person must have seen before they allow this. */
export function allOf({ text, cwd, host, branch = "", tool }: Question, visible: (text: string) => string): string[] {
  const line = (part: string): string => visible(part).replaceAll("\n", "⟨U+000A⟩");
  return [text.replace(/^/gm, "│ "), line(cwd), host, branch, line(tool)];
}
