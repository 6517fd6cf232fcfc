// The picture in the tray: a number that can be read, on a disc.
import { expect, it } from "vitest";
import { drawCount } from "../../../src/wings/board/tray-icon.ts";

/** White dots as `#`, those of the disc as `.`, and others as blanks; every fourth row and column. */
function sketch(count: number, step: number, left: number, top: number, columns: number): string[] {
  const { width, bytes } = drawCount(count);
  const dot = (x: number, y: number): string => {
    const at = (y * width + x) * 4;
    return bytes[at] === 0 ? " " : bytes[at + 1] === 0xff ? "#" : ".";
  };
  return Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: columns }, (__, column) => dot(left + column * step, top + row * step)).join(""),
  );
}

it("shows one digit in the middle", () => {
  expect(sketch(2, 4, 11, 7, 3)).toEqual(["###", "..#", "###", "#..", "###"]);
  expect(sketch(4, 4, 11, 7, 3)).toEqual(["#.#", "#.#", "###", "..#", "..#"]);
});

it("shows two digits beside each other, and never more", () => {
  expect(sketch(17, 3, 6, 9, 7)).toEqual([".#..###", ".#....#", ".#....#", ".#....#", ".#....#"]);
  expect(drawCount(1000)).toEqual(drawCount(99));
});

it("is an empty disc of another colour where no one waits", () => {
  const { bytes } = drawCount(0);
  expect([...bytes.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  const colours = new Set(Array.from({ length: 32 * 32 }, (_, at) => bytes.subarray(at * 4, at * 4 + 4).join()));
  expect(colours.size).toBe(2);
  expect(colours).not.toContain([...drawCount(1).bytes.subarray((16 * 32 + 2) * 4, (16 * 32 + 2) * 4 + 4)].join());
});
