// The lists of docs/reference/HOOK-PLACES.md: where each agent finds the programs that it starts.
/** The document with the lists between its two marks made anew from the wing's table; folders of agents are those of their hook setups. */
export function withHookPlaces(document, { placesOf, scopes }, agents, findHookSetup) {
  const lists = agents
    .filter(({ id }) => placesOf[id] !== undefined)
    .map(({ id, name }) => {
      const folder = findHookSetup(id)?.folders[0]?.path ?? "";
      const lines = Object.entries(scopes).flatMap(([scope, title]) => {
        const paths = placesOf[id]
          .filter((place) => place.scope === scope)
          .map((place) => `\`${shownPath(place, folder)}\``);
        return paths.length === 0 ? [] : [`- ${title}: ${[...new Set(paths)].join(", ")}`];
      });
      return `## ${name}\n\n${lines.join("\n")}`;
    });
  return document.replace(
    /(<!-- made by npm run generate -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${lists.join("\n\n")}\n\n${end}`,
  );
}

function shownPath({ from, path }, folder) {
  if (from === "agent") return `~/${folder}/${path}`;
  return from === "home" ? `~/${path}` : path;
}
