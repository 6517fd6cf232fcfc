import { expect, it } from "vitest";
import { agentAmong } from "../../src/answers/asker.ts";
import { inChain } from "./chain.ts";
import { everyRow } from "../support/rows.ts";

const person = inChain("bash", { leadsSession: true });
const window = inChain("gnome-terminal-server", { terminal: "" });
const init = inChain("systemd", { terminal: "", leadsSession: true });

/** The programs that count as the asking agent's, of the hook's ancestors. */
const namesOf = (...ancestors: ReturnType<typeof inChain>[]): string[] => {
  const known = agentAmong(ancestors);
  return ancestors.filter(({ pid }) => known.some((each) => each.pid === pid)).map(({ program }) => program);
};

it("the asking agent is found above shells and interpreters", () =>
  everyRow(
    [
      ["with the hook's shell", [inChain("sh"), inChain("claude"), person, window, init], ["sh", "claude"]],
      ["without one", [inChain("codex"), person, window, init], ["codex"]],
      [
        "with what stands between it and the hook",
        [
          inChain("sh", { leadsSession: true, terminal: "" }),
          inChain("timeout", { leadsGroup: true }),
          inChain("node"),
          person,
        ],
        ["sh", "timeout", "node"],
      ],
      [
        "with its launcher",
        [inChain("dash"), inChain("codex"), inChain("node"), person, window],
        ["dash", "codex", "node"],
      ],
      [
        "with the script that started it",
        [inChain("sh"), inChain("node"), inChain("bash"), person],
        ["sh", "node", "bash"],
      ],
      [
        "but no shell in which it was started",
        [inChain("sh"), inChain("claude"), inChain("fish", { leadsGroup: true }), person],
        ["sh", "claude"],
      ],
      [
        "but no editor above it",
        [inChain("sh"), inChain("claude"), inChain("code", { terminal: "" }), init],
        ["sh", "claude"],
      ],
      [
        "but no tmux above it",
        [inChain("sh"), inChain("claude", { leadsSession: true }), inChain("tmux", { terminal: "" }), init],
        ["sh", "claude"],
      ],
      [
        "but nothing above that editor either",
        [inChain("sh"), inChain("claude"), inChain("code", { terminal: "" }), inChain("gnome-shell", { terminal: "" })],
        ["sh", "claude"],
      ],
      [
        "with a hook's shell that leads a group as if a person had started it",
        [inChain("sh", { leadsGroup: true }), inChain("claude"), person],
        ["sh", "claude"],
      ],
      [
        "with a program that leads its group, or a shell that has no terminal",
        [
          inChain("sh"),
          inChain("claude"),
          inChain("node", { leadsGroup: true }),
          inChain("bash", { terminal: "", leadsGroup: true }),
          inChain("sh"),
          person,
        ],
        ["sh", "claude", "node", "bash", "sh"],
      ],
      ["but no parent of all programs", [inChain("sh"), init], []],
      ["but not the first program of a container", [inChain("sh"), { ...inChain("tini"), pid: 1, parentPid: 0 }], []],
      [
        "also where systemd itself runs something for the user",
        [inChain("sh"), { ...inChain("systemd", { terminal: "" }), parentPid: 812 }, init],
        ["sh", "systemd"],
      ],
      ["and nothing if only shells can be seen", [inChain("sh"), inChain("bash", { leadsGroup: true })], []],
    ],
    ([_what, ancestors, names]) => {
      expect(namesOf(...ancestors)).toEqual(names);
    },
  ));
