// Ten mebibytes of text through each channel that has a markup or a reader of its own. The others put plain text into
// JSON, as ntfy does.
import { afterAll, expect, it } from "vitest";
import { shownTypes, stopShowing } from "../../support/channels/shown-types.ts";
import { expectWithinLimits } from "../../support/desktop/sound-text.ts";

afterAll(stopShowing);

const markups = ["slack", "discord", "telegram", "google-chat", "mattermost", "matrix", "teams", "desktop", "email"];
const oneOfEachSyntax = new Set([...markups, "speech", "terminal", "command", "home-assistant-app", "ntfy"]);
const types = shownTypes.filter(({ type }) => oneOfEachSyntax.has(type));

it("knows every one of them", () => {
  expect(types.map(({ type }) => type).toSorted()).toEqual([...oneOfEachSyntax].toSorted());
});

it.each(types)("$type keeps to its limits with ten mebibytes of anything", async (shown) => {
  await expectWithinLimits(shown, 10 * 1024 * 1024);
});
