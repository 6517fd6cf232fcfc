// Answering on the page: each button is bound to one device, one question and one choice, and gives no more than the list allows.
import { describe, expect, it } from "vitest";
import { textOfFields } from "../../../src/answers/card/card.ts";
import { readAnswer, type Question } from "../../../src/answers/questions.ts";
import type { Now, OpenOnPage } from "../../../src/wings/page/contract.ts";
import type { Done } from "../../../src/http-server/served.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { hostName } from "../../../src/system/process/identity.ts";
import { openStream, startPage, type PageServer, type TestDevice } from "../../support/usage/page-server.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { openQuestion } from "../../answers/sample.ts";

/** The question waits, and its session is known. */
function ask(server: PageServer, more: Partial<Question> = {}): Question {
  const at = Date.now();
  const question = openQuestion(server.layout, { askedAt: at, expiresAt: at + 60_000, ...more });
  const { agent, session, id } = question;
  const open = [{ id: `evt_${id}`, at, name: "PermissionRequest", words: "asks", position: id }];
  writeSession(server.layout, recordOf({ agent, session, project: "shop", open }));
  return question;
}

const openIn = ({ groups }: Now): OpenOnPage[] =>
  groups.flatMap(({ sessions }) => sessions.flatMap(({ questions }) => questions.flatMap(({ open }) => open ?? [])));

async function see(server: PageServer, device: TestDevice): Promise<OpenOnPage> {
  const stream = await openStream(server, device);
  const now = await stream.until((state) => openIn(state).length > 0);
  stream.close();
  return openIn(now)[0] as OpenOnPage;
}

const nonceOf = ({ buttons }: OpenOnPage, label: string): string =>
  buttons.find((button) => button.label === label)?.nonce ?? "none";

async function press(server: PageServer, device: TestDevice, body: object): Promise<Done> {
  return (await (await server.post("/page/answers", body, device)).json()) as Done;
}

describe("an answer on the page", () => {
  it("counts once, names the device, and says so to whom comes later", async () => {
    const server = await startPage();
    const [ann, ben] = [await server.pair(["read", "answer"]), await server.pair(["read", "answer"], "Ben's desk")];
    const question = ask(server);
    const [hers, his] = [await see(server, ann), await see(server, ben)];
    expect(hers).toMatchObject({ title: "Permission: Bash", body: question.text });
    const allow = { question: question.id, nonce: nonceOf(hers, "Allow") };
    expect(await press(server, ann, allow)).toMatchObject({
      isDone: true,
      text: expect.stringMatching(/^Allowed by Ann's phone in the page after/),
    });
    expect(readAnswer(server.layout, question.id)).toMatchObject({ choice: "allow", by: "Ann's phone" });
    const late = await press(server, ben, { question: question.id, nonce: nonceOf(his, "Deny") });
    expect(late).toMatchObject({ isDone: false, text: "Too late: this question is over." });
  });

  it("takes no button of another device, another question, or another server process", async () => {
    const server = await startPage();
    const [ann, ben] = [await server.pair(["read", "answer"]), await server.pair(["read", "answer"])];
    const question = ask(server);
    const hers = await see(server, ann);
    const nonce = nonceOf(hers, "Allow");
    const other = await startPage();
    const foreign = await other.pair(["read", "answer"]);
    for (const [device, body] of [
      [ben, { question: question.id, nonce }],
      [ann, { question: question.id, nonce: `${nonce.startsWith("A") ? "B" : "A"}${nonce.slice(1)}` }],
      [ann, { question: question.id, nonce: "" }],
      [ann, { question: "another", nonce }],
    ] as const) {
      expect(await press(server, device, body)).toMatchObject({ isDone: false });
    }
    expect((await server.post("/page/answers", { question: question.id, nonce }, foreign)).status).toBe(401);
    expect(readAnswer(server.layout, question.id)).toBeUndefined();
  });

  it("has no buttons for a device that may only read", async () => {
    const server = await startPage();
    const question = ask(server);
    const [reader, ann] = [await server.pair(["read"]), await server.pair(["read", "answer"])];
    expect((await see(server, reader)).buttons).toEqual([]);
    const { nonce = "" } = (await see(server, ann)).buttons[0] ?? {};
    expect((await server.post("/page/answers", { question: question.id, nonce }, reader)).status).toBe(403);
    expect(readAnswer(server.layout, question.id)).toBeUndefined();
  });

  it.each([
    ["that the list does not have", { isAllowable: false }],
    ["with a masked credential", { isWhole: false }],
  ])("can only deny a call %s, with a reason that the agent reads", async (_which, more) => {
    const server = await startPage();
    const question = ask(server, more);
    const ann = await server.pair(["read", "answer"]);
    const seen = await see(server, ann);
    expect(seen.buttons.map(({ choice }) => choice)).toEqual(["deny"]);
    const body = { question: question.id, nonce: nonceOf(seen, "Deny"), words: " Use another folder.\u0007 " };
    expect(await press(server, ann, body)).toMatchObject({ isDone: true });
    expect(readAnswer(server.layout, question.id)).toMatchObject({ choice: "deny", message: "Use another folder." });
  });

  it("says once what is asked: options as buttons with all of their words, and no fact of the session's line", async () => {
    const server = await startPage();
    const option = { label: `Postgres ${"x".repeat(80)}`, value: "p", description: "As the others do" };
    const options = [option, { label: "SQLite", value: "s" }];
    const field = { name: "db", text: "Which database?", options, takesOther: true, isMany: false, isOptional: false };
    const { text } = textOfFields("", [field]);
    ask(server, { kind: "question", text, fields: [field], cwd: "/work/shop", host: hostName() });
    const seen = await see(server, await server.pair(["read", "answer"]));
    expect(seen).toMatchObject({ title: "Question", body: "Which database?" });
    expect(seen.buttons.map(({ label, description, takes }) => [label, description, takes])).toEqual([
      [option.label, "As the others do", undefined],
      ["SQLite", undefined, undefined],
      ["Reply", undefined, "words"],
    ]);
    expect(seen.fields).toEqual([{ label: "folder", value: "/work/shop" }]);
    // A browser without buttons reads the options.
    expect((await see(server, await server.pair(["read"], "the hall"))).body).toBe(text);
  });

  it("says the branch where the session has another one by now", async () => {
    const server = await startPage();
    ask(server, { branch: "main" });
    const seen = await see(server, await server.pair(["read", "answer"]));
    expect(seen.fields).toContainEqual({ label: "branch", value: "main" });
  });

  it("shows what an agent writes as text, whatever it is", async () => {
    const server = await startPage();
    const text = '<img src=x onerror="alert(1)"></pre><script>alert(2)</script>\u202E\u0000';
    ask(server, { text: "x", tool: text, cwd: text, branch: text });
    const seen = await see(server, await server.pair(["read", "answer"]));
    expect(seen.fields.find(({ label }) => label === "folder")?.value).toContain("<script>alert(2)</script>⟨U+202E⟩");
  });
});
