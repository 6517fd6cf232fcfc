// One repository however its address is spelled, and one line of work however its branch is.
import { describe, expect, it } from "vitest";
import {
  isNamed,
  lineOf,
  repositoryName,
  repositoryOf,
  withoutPassword,
} from "../../../src/wings/platform/repository.ts";

describe("a repository's address", () => {
  it.each([
    "https://git.example.com/acme/shop",
    "https://git.example.com/acme/shop.git",
    "https://git.example.com/acme/shop/",
    "https://git.example.com/acme/shop.git/",
    "https://GIT.Example.com/Acme/Shop.GIT",
    "https://ann:secret@git.example.com/acme/shop",
    "https://git.example.com:443/acme/shop",
    "https://git.example.com:/acme/shop",
    "https://git.example.com//acme/shop",
    "http://git.example.com:8080/acme/shop",
    "ssh://git@git.example.com/acme/shop.git",
    "ssh://git@git.example.com:22/acme/shop.git",
    "git+ssh://git@git.example.com:2222/acme/shop",
    "git://git.example.com/acme/shop",
    "git@git.example.com:acme/shop.git",
    "git@git.example.com:/acme/shop.git",
    "git@git.example.com:2222/acme/shop",
    "git.example.com:acme/shop",
    "git.example.com/acme/shop",
    " git.example.com/acme/shop ",
  ])("%j is git.example.com/acme/shop", (address) => {
    expect(repositoryOf(address)).toBe("git.example.com/acme/shop");
    expect(repositoryName(address).toLowerCase()).toBe("acme/shop");
  });

  it.each(["https://git.example.com/acme/shop-2", "https://other.example.com/acme/shop", "/srv/git/acme/shop", ""])(
    "%j is another",
    (address) => {
      expect(repositoryOf(address)).not.toBe("git.example.com/acme/shop");
    },
  );

  it("may have many slashes", () => {
    expect(repositoryOf(`https://git.example.com/${"/".repeat(100_000)}x`)).toContain("git.example.com");
  });
});

it.each([
  ["acme/shop", true],
  ["ACME/Shop", true],
  ["git@git.example.com:acme/shop.git", true],
  ["shop", false],
  ["acme/shop-2", false],
])("a person who writes %j means the repository: %s", (wanted, isMeant) => {
  expect(isNamed("https://git.example.com/acme/shop", wanted)).toBe(isMeant);
});

it.each([
  [undefined, ""],
  ["", ""],
  ["main", ""],
  ["master", ""],
  ["refs/heads/main", ""],
  ["refs/remotes/origin/main", ""],
  ["feature/main", "feature/main"],
  ["refs/heads/feature", "feature"],
])("the branch %j is the line %j", (branch, line) => {
  expect(lineOf(branch)).toBe(line);
});

it.each([
  ["https://ann:secret@git.example.com/acme/shop", "https://git.example.com/acme/shop"],
  ["https://ghp_0123456789@github.com/acme/shop.git", "https://github.com/acme/shop.git"],
  ["ssh://git:secret@github.com/acme/shop", "ssh://git@github.com/acme/shop"],
  ["ssh://git@github.com:22/acme/shop", "ssh://git@github.com:22/acme/shop"],
  ["git@github.com:acme/shop", "git@github.com:acme/shop"],
])("keeps no password of %s", (address, kept) => {
  expect(withoutPassword(address)).toBe(kept);
});
