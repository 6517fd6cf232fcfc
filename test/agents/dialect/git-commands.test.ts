// How many commits and pull requests a command line makes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { countGitCommands } from "../../../src/agents/dialect/tool-usage.ts";
import { everyRow } from "../../support/rows.ts";

test("commits and pull requests are counted in whatever a shell is told", () =>
  everyRow<[string, number, number]>(
    [
      ["git commit -m x", 1, 0],
      ["git add -A && git commit -m 'one; git commit' && git push", 1, 0],
      ["git -C /srv/shop -c user.name=A commit --amend", 1, 0],
      ["GIT_AUTHOR_NAME=A sudo git commit -m x", 1, 0],
      ["/usr/bin/git commit -am x", 1, 0],
      ["git commit --dry-run", 0, 0],
      ["git commit-graph write", 0, 0],
      ["git log --grep 'git commit'", 0, 0],
      ["echo git commit", 0, 0],
      ['echo "git commit -m x"', 0, 0],
      ["# git commit -m x", 0, 0],
      ["git status\ngit commit -m x\n", 1, 0],
      ["git commit \\\n  -m x", 1, 0],
      ["git commit -F - <<'EOF'\ngit commit\nEOF\ngh pr create --fill", 1, 1],
      ["bash -lc 'git commit -m x; gh pr create'", 1, 1],
      ["(cd a && git commit -m x) | tee log", 1, 0],
      ["gh pr create --title x", 0, 1],
      ["gh pr new", 0, 1],
      ["gh pr create --dry-run", 0, 0],
      ["gh pr list", 0, 0],
      ["glab mr create --fill", 0, 1],
      ["hub pull-request", 0, 1],
      ["git commit -m 'unclosed", 1, 0],
      ["", 0, 0],
    ],
    ([command, commits, pullRequests]) => {
      expect(countGitCommands(command)).toEqual({ commits, pullRequests });
    },
  ));

test("any text is counted, however strange", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const { commits, pullRequests } = countGitCommands(text);
      expect(commits + pullRequests).toBeGreaterThanOrEqual(0);
    }),
  );
});
