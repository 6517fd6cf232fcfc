// The tables of docs/reference/AGENTS.md that say how each agent's hooks are set up, made from the registry and the hook setups.

/** The document with what stands between its two marks made anew. */
export function withAgentTables(document, agents, findHookSetup, notificationTypeOf) {
  const isUntried = ({ id }) => findHookSetup(id)?.isUntried === true;
  const tried = agents.filter((agent) => !isUntried(agent));
  const untried = agents.filter(isUntried);
  const tables = [
    placesTable(tried, findHookSetup),
    eventsTable(tried, findHookSetup),
    "No one has seen these run with hookbell. `init` writes their hooks only where you name them, as in `hookbell init --agent qoder`:\n",
    placesTable(untried, findHookSetup),
    eventsTable(untried, findHookSetup),
    notificationsTable(agents, findHookSetup, notificationTypeOf),
  ];
  const text = tables.join("\n");
  return document.replace(
    /(<!-- made by npm run generate -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${text}\n${end}`,
  );
}

function placesTable(agents, findHookSetup) {
  const rows = agents.map((agent) => {
    const { id, name, docs, runsHooksOf } = agent;
    const hookSetup = findHookSetup(id);
    const other = agents.find((each) => each.id === runsHooksOf?.agentId);
    const row = (...cells) => [`[${name}](${docs})`, `\`${id}\``, ...cells];
    if (hookSetup !== undefined) {
      const told = Object.values(hookSetup.events).flatMap(({ mapsTo }) => mapsTo);
      return row(placesOf(hookSetup).join("<br>"), movedBy(hookSetup), toldOf(told), hookSetup.nextStep);
    }
    if (other !== undefined) return row(`runs the hooks of ${other.name}`, "", toldOf(runsHooksOf.mapsTo), "");
    return ["anything that can run a command", `\`${id}\``, "by hand: pipe JSON to `hookbell hook`", "", "any", ""];
  });
  return table(["agent", "id", "where `init` installs its hooks", "moved by", "what it tells", "afterwards"], rows);
}

function eventsTable(agents, findHookSetup) {
  const rows = agents.flatMap(({ id, name }) => {
    const events = Object.entries(findHookSetup(id)?.events ?? {});
    const namesOf = (isNamed) =>
      events
        .filter(([, { isOnlyIfNamed }]) => (isOnlyIfNamed === true) === isNamed)
        .map(([event, { isSupporting }]) => (isSupporting ? `_\`${event}\`_` : `\`${event}\``))
        .join(" ");
    return events.length === 0 ? [] : [[name, namesOf(false), namesOf(true)]];
  });
  return table(["agent", "events, by its own names", "only where a rule names them"], rows);
}

/** Every kind of Notification, its level, and when each agent sends it. */
function notificationsTable(agents, findHookSetup, notificationTypeOf) {
  const sent = agents.flatMap(({ id, name }) =>
    Object.entries(findHookSetup(id)?.notificationTypes ?? {}).map(([type, when]) => ({
      type,
      text: `${name}: ${when}`,
    })),
  );
  const rows = [...new Set(sent.map(({ type }) => type))].map((type) => [
    `\`${type}\``,
    notificationTypeOf(type)?.level ?? "attention",
    sent
      .filter((each) => each.type === type)
      .map(({ text }) => text)
      .join("<br>"),
  ]);
  return table(["`notificationType`", "level", "when it is sent"], rows);
}

/** The file that `init` makes, or those that must be there; files of our own. */
function placesOf({ folders: [folder], files, ownFiles = [], defaultFile }) {
  const inHome = (name, place = folder) => `\`~/${place.path}${name === "" ? "" : `/${name}`}\``;
  const usual = files.filter(({ name }) => defaultFile === undefined || name === defaultFile);
  const programs = ownFiles.some(({ event }) => event !== undefined) ? [`programs in ${inHome("")}`] : [];
  const plugIns = ownFiles.flatMap((file) => (file.event === undefined ? [inHome(file.name("linux"))] : []));
  return [...usual.map(({ name, place }) => inHome(name, place)), ...plugIns, ...programs];
}

function movedBy({ folders: [{ moved }] }) {
  return moved === undefined ? "" : `\`${moved.env}\``;
}

function toldOf(names) {
  const isAsking = names.some((name) => name === "Notification" || name === "PermissionRequest");
  const told = ["Stop", "StopFailure", "SubagentStop", "SessionEnd"].filter((name) => names.includes(name));
  return [...(isAsking ? ["questions"] : []), ...told.map((name) => `\`${name}\``)].join(", ");
}

/** The formatter writes columns of equal width, so this does too. */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |\n`;
  return line(head) + line(widths.map((width) => "-".repeat(width))) + rows.map(line).join("");
}
