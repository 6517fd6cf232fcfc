// Which project an event belongs to, and what is remembered of its session.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findWorkTree } from "../../../src/system/files/git.ts";
import { earlierAfter, detailsAfter, withProject } from "../../../src/pipeline/understand/locate.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { SessionRecord } from "../../../src/outbox/sessions.ts";
import { startOf } from "../../../src/system/process/identity.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { everyRow } from "../../support/rows.ts";

const start = Date.parse("2026-11-22T10:00:00Z");

function event(cwd: string, name = "Stop"): AgentEvent {
  const at = new Date(start).toISOString();
  return { id: "evt_1", name, agent: "droid", session: "s", cwd, project: "?", host: "h", at, level: "info" };
}

describe("the project of an event", () => {
  let top: string;
  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "hookbell-place-")));
    const git = (...args: string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { stdio: "pipe" });
    const shop = join(top, "shop-web");
    git("init", "-q", "-b", "main", shop);
    git("-C", shop, "commit", "-q", "--allow-empty", "-m", "first");
    git("-C", shop, "worktree", "add", "-q", "-b", "fix/cart", join(top, "trees", "cart"));
    git("clone", "-q", "--bare", shop, join(top, "store.git"));
    git("-C", join(top, "store.git"), "worktree", "add", "-q", "-b", "next", join(top, "store-next"));
    git("-C", shop, "worktree", "add", "-q", "--detach", join(top, "trees", "bisect"));
    for (const folder of ["shop-web/packages/ui", "plain/deep", "broken/.git", "home/notes", "odd"])
      mkdirSync(join(top, folder), { recursive: true });
    git("init", "-q", join(top, "home"));
    writeFileSync(join(top, "odd/.git"), "no git at all");
  });
  afterAll(() => {
    rmSync(top, { recursive: true });
  });

  it("is the folder of its repository", () =>
    everyRow<[what: string, folder: string, begunIn: string | undefined, expected: Partial<AgentEvent>]>(
      [
        ["the root of a repository", "shop-web", undefined, { project: "shop-web", branch: "main" }],
        ["a folder in it", "shop-web/packages/ui", undefined, { project: "shop-web", branch: "main" }],
        ["a folder that is gone", "shop-web/packages/gone", undefined, { project: "shop-web", branch: "main" }],
        ["a linked work tree", "trees/cart", undefined, { project: "shop-web", branch: "fix/cart", worktree: "cart" }],
        ["one between branches", "trees/bisect", undefined, { project: "shop-web", worktree: "bisect" }],
        [
          "one of a bare repository",
          "store-next",
          undefined,
          { project: "store", branch: "next", worktree: "store-next" },
        ],
        ["no repository", "plain/deep", undefined, { project: "deep" }],
        ["no repository, begun above", "plain/deep", "plain", { project: "plain" }],
        ["another folder than where it began", "plain", "shop-web/packages/ui", { project: "shop-web" }],
        ["a .git that is empty", "broken", undefined, { project: "broken" }],
        ["a .git that is something else", "odd", undefined, { project: "odd" }],
        ["a home folder under git", "home", undefined, { project: "home" }],
        ["a folder in such a home", "home/notes", undefined, { project: "notes" }],
      ],
      ([_what, folder, begunIn, expected]) => {
        const placed = withProject(
          event(join(top, folder)),
          findWorkTree(join(top, folder), join(top, "home")),
          begunIn && join(top, begunIn),
          join(top, "home"),
        );
        const { project, branch, worktree } = placed;
        const isHome = folder === "home";
        expect({ project, branch: isHome ? undefined : branch, worktree }).toEqual({
          branch: undefined,
          worktree: undefined,
          ...expected,
        });
      },
    ));

  it("is the last part of a path of another machine, and nothing without a folder", () => {
    expect(withProject(event("C:\\work\\shop"), undefined, undefined, "/home/u").project).toBe("shop");
    expect(withProject(event(""), undefined, undefined, "/home/u").project).toBe("?");
  });
});

describe("a session", () => {
  const record = (session: string, more: Partial<SessionRecord> = {}): SessionRecord =>
    recordOf({ agent: "droid", session, lastSeenAt: start, project: "shop", branch: "main", ...more });

  it("is remembered with its last prompt, which goes on after what an agent adds by itself", () => {
    const lastPrompt = (prompt: unknown, before: SessionRecord, isKept = true): string | undefined =>
      detailsAfter(before, event("/p", "UserPromptSubmit"), { prompt }, isKept).lastPrompt;
    const known = { ...record("s"), lastPrompt: "fix the cart" };
    expect(lastPrompt("/review\nthe cart", record("s"))).toBe("/review the cart");
    expect(lastPrompt("now the checkout", known)).toBe("now the checkout");
    expect(lastPrompt("<task-notification>done</task-notification>", known)).toBe("fix the cart");
    expect(lastPrompt(undefined, known)).toBeUndefined();
    expect(lastPrompt("secret plan", record("s"), false)).toBeUndefined();
    expect(detailsAfter(known, event("/p"), {}, true).lastPrompt).toBe("fix the cart");
  });

  it("is remembered with its folder, its name and its first prompt", () => {
    const prompt = event("/p", "UserPromptSubmit");
    const first = detailsAfter(record("s"), prompt, { prompt: "Fix the\ncart", session_title: "Cart" }, true);
    expect(first).toMatchObject({ folder: "/p", name: "Cart", prompt: "Fix the cart" });
    const moved = record("s", first);
    expect(detailsAfter(moved, event("/p/ui"), {}, true)).toMatchObject({ folder: "/p", prompt: "Fix the cart" });
    expect(detailsAfter(moved, prompt, { prompt: "now the checkout" }, true).prompt).toBe("Fix the cart");
    for (const words of ["/compact", "<task-notification>", "# Task", "  ", 7]) {
      expect(detailsAfter(record("s"), prompt, { prompt: words }, true).prompt).toBeUndefined();
    }
    const forgotten = detailsAfter({ ...moved, lastPrompt: "x" }, prompt, { prompt: "secret plan" }, false);
    expect(forgotten).toMatchObject({ prompt: undefined, lastPrompt: undefined });
  });
});

describe.runIf(process.platform === "linux")("a session's earlier processes", () => {
  const known = (pid: number): { pid: number; start: string } => ({ pid, start: startOf(pid) ?? "" });
  const [own, parent, ended] = [known(process.pid), known(process.ppid), { pid: process.pid, start: "1" }];
  const terminal = (of: typeof own) => ({ device: "/dev/pts/3", ...of });

  it("fits the place it is in, or is none", () =>
    everyRow<[string, Partial<SessionRecord>, Pick<SessionRecord, "process" | "terminal">, (typeof own)[] | undefined]>(
      [
        ["hold a process whose place another one takes", { process: own }, { process: parent }, [own]],
        ["hold a terminal's, too", { terminal: terminal(own) }, { terminal: terminal(parent) }, [own]],
        ["hold one that is no longer recorded at all", { process: own }, {}, [own]],
        ["stay", { earlierProcesses: [own] }, { process: parent }, [own]],
        ["lack one that has ended", { earlierProcesses: [ended], process: ended }, { process: parent }, undefined],
        ["lack one that is recorded again", { earlierProcesses: [own], process: parent }, { process: own }, [parent]],
        ["lack one that is still recorded", { process: own }, { process: own, terminal: terminal(own) }, undefined],
      ],
      ([_what, facts, place, expected]) => {
        expect(earlierAfter(recordOf({ agent: "claude-code", session: "s1", ...facts }), place)).toEqual(expected);
      },
    ));
});
