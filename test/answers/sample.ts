// An open question as the hook writes it.
import { digestOf, sealOf, writeQuestion, type Question } from "../../src/answers/questions.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { ownPid } from "../../src/system/process/identity.ts";

export const askedAt = Date.UTC(2026, 10, 22, 12);
let count = 0;

export function openQuestion(layout: Layout, more: Partial<Question> = {}): Question {
  const question = sampleQuestion(more);
  writeQuestion(layout, question);
  return question;
}

/** It is on no disk. */
export function sampleQuestion(more: Partial<Question> = {}): Question {
  const asked = { tool: "Bash", session: "s1", cwd: "/home/u/shop-web", host: "testhost" };
  const question = {
    id: `${askedAt}-0000000000abc-${(count += 1)}`,
    agent: "claude-code",
    kind: "permission" as const,
    fields: [],
    ...asked,
    text: "npm test",
    isWhole: true,
    isAllowable: true,
    digest: digestOf({ ...asked, input: { command: "npm test" } }),
    askedAt,
    expiresAt: askedAt + 300_000,
    pid: ownPid,
    asker: [],
    routes: {},
    nonces: [],
    shown: [],
    ...more,
  };
  return { ...question, seal: sealOf(question) };
}
