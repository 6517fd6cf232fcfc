// Rows of a board as its tests need them.
import { boardRows, type BoardRow } from "../../../src/overview/board.ts";
import { textOfCall } from "../../../src/answers/card/card.ts";
import type { Question } from "../../../src/answers/questions.ts";
import type { KeyPress } from "../../../src/system/terminal/full-screen.ts";
import type { SessionRecord } from "../../../src/outbox/sessions.ts";
import { sampleQuestion } from "../../answers/sample.ts";
import { hour, minute, noon } from "../../policies/messages.ts";
import { recordOf } from "../../support/project/session-record.ts";

/** A session that asks to run the command; its hook waits unless `isOpen` is false. */
export function asking(session: string, command: string, more: Partial<Question> = {}, isOpen = true): Asking {
  const open = [
    {
      id: `evt_${session}`,
      at: noon - minute,
      name: "PermissionRequest",
      words: `run \`${command}\`?`,
      position: session,
    },
  ];
  const facts = { agent: "claude-code", session, project: session, folder: `/home/you/${session}`, open };
  const asked = { id: session, session, askedAt: noon, expiresAt: noon + hour, ...textOfCall({ command }), ...more };
  return { record: recordOf(facts), question: isOpen ? sampleQuestion(asked) : undefined };
}

export function working(session: string, since = noon - minute): Asking {
  const state = { kind: "working", reason: "A tool call began.", source: "hook", since, turn: { helpers: 0 } } as const;
  return {
    record: recordOf({ agent: "codex", session, project: session, lastSeenAt: noon, state }),
    question: undefined,
  };
}

interface Asking {
  record: SessionRecord;
  question: Question | undefined;
}

export function rowsOf(...all: Asking[]): BoardRow[] {
  const questions = all.flatMap(({ question }) => (question === undefined ? [] : [{ question, answer: undefined }]));
  const facts = { sessions: all.map(({ record }) => record), questions, mutes: [], tellingOf: () => undefined };
  return boardRows(facts, noon);
}

/** As Node names them. */
export function keyOf(name: string, more: Partial<KeyPress> = {}): KeyPress {
  return { name: name.toLowerCase(), text: name.length === 1 ? name : "", isCtrl: false, isPasted: false, ...more };
}
