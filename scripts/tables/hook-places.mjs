// The table of docs/reference/GUARD.md: where each agent finds the programs that it starts.
import { table } from "./agent-tables.mjs";

const scopes = {
  user: "yours",
  project: "project",
  local: "project, yours alone",
  managed: "administrator",
  "plug-in": "plug-ins",
};

/** The document with the table between its two marks made anew from the wing's table; folders of agents are those of their hook setups. */
export function withHookPlaces(document, placesOf, agents, findHookSetup) {
  const rows = agents
    .filter(({ id }) => placesOf[id] !== undefined)
    .map(({ id, name }) => {
      const folder = findHookSetup(id)?.folders[0]?.path ?? "";
      const cells = Object.keys(scopes).map((scope) =>
        placesOf[id]
          .filter((place) => place.scope === scope)
          .map((place) => `\`${shownPath(place, folder)}\``)
          .join(" "),
      );
      return [name, ...cells];
    });
  const text = table(["agent", ...Object.values(scopes)], rows);
  return document.replace(
    /(<!-- made by npm run generate -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${text}\n${end}`,
  );
}

function shownPath({ from, path }, folder) {
  if (from === "agent") return `~/${folder}/${path}`;
  return from === "home" ? `~/${path}` : path;
}
