// Whether an agent would run what its files say: switches, approvals and trust, as each agent keeps them.
import { sep } from "node:path";
import { findHookSetup } from "../../../agents/hook-setups.ts";
import { memberAt } from "../../../jsonc/nodes.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../../model/json.ts";
import { pathBelow } from "../../../model/places/folder.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { LookedAt } from "./find.ts";
import type { Launch } from "./launch.ts";

export interface WillRun {
  runs: "yes" | "no" | "unknown";
  /** Why not, or on what it depends. */
  why?: string;
}

const yes: WillRun = { runs: "yes" };
const no = (why: string): WillRun => ({ runs: "no", why });

/** `files` are all that were looked at. */
export function willRun(launch: Launch, files: readonly LookedAt[]): WillRun {
  if (launch.isOff === true) return no("it is disabled there");
  const ofAgent = files.filter(({ agent }) => agent === launch.agent);
  const found =
    switchedOff(launch, ofAgent) ??
    replaced(launch, ofAgent) ??
    unapproved(launch, ofAgent) ??
    disabled(launch, ofAgent) ??
    untrusted(launch, ofAgent);
  return found ?? (launch.doubt === undefined ? yes : { runs: "unknown", why: launch.doubt });
}

function switchedOff({ agent, kind, scope }: Launch, files: readonly LookedAt[]): WillRun | undefined {
  const setup = findHookSetup(agent);
  if (setup === undefined || kind !== "hook") return undefined;
  const switches = [
    ...setup.files.flatMap(({ offSwitch, offValue = true }) =>
      offSwitch === undefined ? [] : [{ member: offSwitch, value: offValue }],
    ),
    ...(setup.switches ?? []),
  ];
  const managed = setup.managed?.switches ?? [];
  for (const { path, settings, scope: of } of files) {
    const isSet = ({ member, value }: { member: readonly string[]; value: boolean }): boolean =>
      memberAt(settings, member) === value;
    const off = of === "plug-in" ? undefined : switches.find(isSet);
    if (off !== undefined) return no(`"${off.member.join(".")}" in ${path} switches hooks off`);
    const locked = of === "managed" && scope !== "managed" ? managed.find(isSet) : undefined;
    if (locked !== undefined) return no(`your administrator's "${locked.member.join(".")}" switches it off`);
  }
  return undefined;
}

/** In each folder, Droid takes the hooks of the first of these that has some. */
const hookFilesInOrder: Readonly<Record<string, readonly string[]>> = {
  droid: ["hooks.json", "hooks/hooks.json", "settings.json"],
};

function replaced({ agent, kind, path }: Launch, files: readonly LookedAt[]): WillRun | undefined {
  const order = (hookFilesInOrder[agent] ?? []).map((name) => `${sep}${name.replaceAll("/", sep)}`);
  const before = order.flatMap((name, index) =>
    path.endsWith(name) ? order.slice(0, index).map((other) => `${path.slice(0, -name.length)}${other}`) : [],
  );
  const first = files.find((file) => before.includes(file.path) && file.launches.some((each) => each.kind === "hook"));
  return kind === "hook" && first !== undefined ? no(`the hooks of ${first.path} take its place`) : undefined;
}

/** Codex keeps a hash of each hook that was approved; Claude Code the names of a project's servers. */
function unapproved(launch: Launch, files: readonly LookedAt[]): WillRun | undefined {
  const { agent, kind, name, scope, path, project, at } = launch;
  const approvals = findHookSetup(agent)?.approvals;
  if (approvals !== undefined && kind === "hook" && scope !== "managed" && scope !== "plug-in") {
    const [, event, group, , handler] = at;
    if (typeof event !== "string" || typeof group !== "number" || typeof handler !== "number") return undefined;
    const file = files.find((each) => each.path === path);
    const groupValue = memberAtPlace(file?.settings, at.slice(0, 3));
    const key = approvals.keyOf({ file: path, event, group, handler });
    const hook = objectOf(memberAtPlace(file?.settings, at));
    const text = approvals.textOf({ event, matcher: objectOf(groupValue).matcher, handler: hook });
    const records = files.map(({ settings }) => objectOf(objectOf(memberAt(settings, approvals.member))[key]));
    const wanted = approvals.recordOf(sha256(text));
    if (records.some(({ enabled }) => enabled === false)) return no("it is switched off in Codex (/hooks)");
    const isApproved = records.some((record) =>
      Object.entries(wanted).every(([name, value]) => record[name] === value),
    );
    return isApproved
      ? undefined
      : no("it is not approved in Codex (/hooks); codex exec --dangerously-bypass-hook-trust runs it all the same");
  }
  if (agent === "claude-code" && kind === "server" && path.endsWith(`${sep}.mcp.json`) && scope === "project") {
    const settings = files.flatMap((each) => [
      each.settings,
      objectOf(memberAt(each.settings, ["projects", project ?? ""])),
    ]);
    const has = (member: string): boolean => settings.some((each) => listOf(each[member]).includes(name));
    if (has("disabledMcpjsonServers")) return no("you have refused it in Claude Code");
    const isEnabled = has("enabledMcpjsonServers") || settings.some((each) => each.enableAllProjectMcpServers === true);
    const why = "only after you approve it in Claude Code; claude -p starts it all the same";
    return isEnabled ? undefined : { runs: "unknown", why };
  }
  return undefined;
}

function memberAtPlace(value: unknown, at: readonly (string | number)[]): unknown {
  return at.reduce<unknown>(
    (found, name) => (typeof name === "number" ? listOf(found)[name] : objectOf(found)[name]),
    value,
  );
}

/** A plug-in that is installed, and off wherever settings say so. */
function disabled({ agent, scope, path, content, at }: Launch, files: readonly LookedAt[]): WillRun | undefined {
  if (scope !== "plug-in") return undefined;
  const isOn = (isIt: (plugIn: string, market: string) => boolean): boolean | undefined => {
    const said = files.flatMap(({ settings }) =>
      Object.entries(objectOf(settings.enabledPlugins)).flatMap(([name, isOn]) => {
        const [plugIn = "", market = ""] = name.split("@");
        return isIt(plugIn, market) ? [isOn !== false] : [];
      }),
    );
    return said.length === 0 ? undefined : said.includes(true);
  };
  if (agent === "claude-code") {
    const parts = path.split(/[\\/]/);
    const listed = objectOf(listOf(files.find((each) => each.path === path)?.settings.plugins)[Number(at[1])]);
    const isOff =
      isOn((plugIn, market) =>
        content.kind === "market" ? listed.name === plugIn : parts.includes(plugIn) && parts.includes(market),
      ) === false;
    return isOff ? no("its plug-in is disabled") : undefined;
  }
  if (agent === "copilot-cli") {
    const record = files
      .flatMap(({ settings }) => [...objectsOf(settings.installedPlugins), ...objectsOf(settings.installed_plugins)])
      .find(({ cache_path: folder }) => pathBelow(textOf(folder) ?? "", path) !== undefined);
    if (record === undefined) return undefined;
    const said = isOn((plugIn, market) => plugIn === record.name && market === record.marketplace);
    return (said ?? record.enabled === true) ? undefined : no("its plug-in is disabled");
  }
  return undefined;
}

/** A folder that you have not trusted yet. */
function untrusted({ agent, scope, project, kind }: Launch, files: readonly LookedAt[]): WillRun | undefined {
  const settings = files.map((each) => each.settings);
  if (project === undefined || (scope !== "project" && scope !== "local")) return undefined;
  if (agent === "claude-code") {
    const isTrusted = settings.some((each) => {
      const known = objectOf(each.projects);
      return [...ancestorsOf(project)].some((folder) => objectOf(known[folder]).hasTrustDialogAccepted === true);
    });
    if (isTrusted) return undefined;
    return { runs: "unknown", why: "only after you trust this folder in Claude Code; claude -p runs it all the same" };
  }
  if (agent === "codex" && kind !== "code") {
    const isTrusted = settings.some((each) =>
      [...ancestorsOf(project)].some((folder) => objectOf(objectOf(each.projects)[folder]).trust_level === "trusted"),
    );
    return isTrusted ? undefined : no("you have not trusted this folder in Codex");
  }
  const trusting = trustsFolders[agent];
  if (trusting !== undefined) return { runs: "unknown", why: `only after you trust this folder in ${trusting}` };
  return undefined;
}

/** Agents that ask before they read a folder's files, and keep the answer where hookbell does not look. */
const trustsFolders: Readonly<Record<string, string>> = {
  "copilot-cli": "Copilot CLI",
  pi: "pi",
  "kimi-code": "Kimi Code",
  vscode: "VS Code, and allow such tasks",
};

function* ancestorsOf(folder: string): Generator<string> {
  let above = folder;
  for (;;) {
    yield above;
    const end = Math.max(above.lastIndexOf("/"), above.lastIndexOf("\\"));
    if (end <= 0) return;
    above = above.slice(0, end);
  }
}
