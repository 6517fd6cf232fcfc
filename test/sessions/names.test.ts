// What tells sessions of one project apart, in titles, lists and tables alike.
import { describe, expect, it } from "vitest";
import type { SessionRecord } from "../../src/outbox/sessions.ts";
import { idsMeant, namesOf, onlyOnes, sessionNameOf, shownName } from "../../src/sessions/names.ts";
import { sessionAfter } from "../../src/sessions/reduce.ts";
import { eventOf, hour, noon } from "../policies/messages.ts";
import { recordOf } from "../support/project/session-record.ts";
import { everyRow } from "../support/rows.ts";

const record = (session: string, more: Partial<SessionRecord> = {}): SessionRecord =>
  recordOf({ agent: "droid", session, lastSeenAt: noon, project: "shop", branch: "main", ...more });
const pane = { device: "/dev/pts/3", pid: 1, start: "1", env: { TMUX_PANE: "%4" } };
const ended = sessionAfter(record("o"), eventOf("SessionEnd", {}, noon)).state;

describe("a session beside others of its project", () => {
  it("has a name of its own, wherever it runs", () =>
    everyRow<[what: string, own: Partial<SessionRecord>, others: Partial<SessionRecord>[], names: object]>(
      [
        ["alone", { name: "cart", prompt: "fix it" }, [], {}],
        ["alone in a linked work tree", { branch: "fix", worktree: "w" }, [], {}],
        ["of another project", { prompt: "fix it" }, [{ project: "other" }], {}],
        ["beside one that has ended", { prompt: "fix it" }, [{ state: ended }], {}],
        ["beside a subagent", { prompt: "fix it" }, [{ helperOf: "s" }], {}],
        ["beside one that is silent for half a day", { prompt: "fix it" }, [{ lastSeenAt: noon - 13 * hour }], {}],
        ["beside hookbell's own", { prompt: "fix it" }, [{ agent: "hookbell" }], {}],
        ["on another branch", { branch: "fix", prompt: "fix it" }, [{}], {}],
        ["in another work tree, without a branch", { branch: undefined, worktree: "a" }, [{ branch: undefined }], {}],
        ["silent for hours", { prompt: "fix it" }, [{ lastSeenAt: noon - 3 * hour }], { sessionWords: "fix it" }],
        ["named", { name: "cart", prompt: "fix it" }, [{}], { sessionWords: "cart" }],
        ["with a newer prompt", { prompt: "fix it", lastPrompt: "now push" }, [{}], { sessionWords: "now push" }],
        [
          "with another prompt",
          { prompt: "fix it", terminal: pane },
          [{}],
          { sessionName: "tmux %4", sessionWords: "fix it" },
        ],
        ["with the same prompt", { prompt: "go", terminal: pane }, [{ prompt: "go" }], { sessionName: "tmux %4" }],
        ["with nothing of its own", {}, [{}], { sessionName: "91-eec88" }],
      ],
      ([_what, own, others, names]) => {
        const all = others.map((more, index) => record(`o${index}`, more));
        const id = "019aa001-c000-7000-a91-eec88";
        const mine = record(id, own);
        const tree = { branch: mine.branch, worktree: mine.worktree };
        const beside = "sessionWords" in names ? { sessionName: "91-eec88" } : {};
        expect(namesOf(mine, [record(id), ...all], noon)).toEqual({ ...tree, ...beside, ...names });
      },
    ));
});

it("a session is shown by its branch, else its work tree, and by what tells it from others there", () => {
  const shown = [
    sessionNameOf({ branch: "fix", worktree: "w" }),
    sessionNameOf({ branch: undefined, worktree: "w", sessionName: "tmux %4" }),
    sessionNameOf({ branch: "fix", worktree: undefined, sessionName: "tmux %4", sessionWords: "fix\nit" }),
    sessionNameOf({ branch: undefined, worktree: undefined }),
  ];
  expect(shown).toEqual(["fix", "w, tmux %4", "fix, fix it", undefined]);
  const long = shownName({ branch: "feature/a-very-long-branch-for-the-cart", worktree: undefined });
  expect(long).toBe("feature/a-very-long-branch-for-…");
});

it("agents and machines need no name where no other one is known", () => {
  const own = { agent: "droid" };
  const only = { isOnlyAgent: true, isOnlyHost: true };
  expect(onlyOnes(own, [own, own])).toEqual(only);
  expect(onlyOnes(own, [{ agent: "codex" }])).toEqual({ isOnlyHost: true });
  expect(onlyOnes(own, [{ agent: "droid", host: "server" }])).toEqual({ isOnlyAgent: true });
  expect(onlyOnes({ ...own, host: "server" }, [own])).toEqual({ isOnlyAgent: true });
  // `hookbell run` is no agent.
  expect(onlyOnes(own, [{ agent: "hookbell" }])).toEqual(only);
});

it("an id that is typed means itself, else all that begin or end with it", () => {
  const ids = ["ab-1", "ab-12", "2-ab-1", "c", "c"];
  expect(idsMeant("ab-1", ids)).toEqual(["ab-1"]);
  expect(idsMeant("ab", ids)).toEqual(["ab-1", "ab-12"]);
  expect(idsMeant("-1", ids)).toEqual(["ab-1", "2-ab-1"]);
  expect(idsMeant("b-1", ids)).toEqual(["ab-1", "2-ab-1"]);
  expect(idsMeant("c", ids)).toEqual(["c"]);
  expect(idsMeant("d", ids)).toEqual([]);
});
