// What a click on a notification does: raises the session's terminal, or opens a link.
import type { NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import { openLink } from "../../../system/terminal/open-link.ts";
import type { ChannelTools, ClickWatch } from "../../channel-type.ts";
import type { DesktopSettings } from "./appearance.ts";

type Server = Pick<NotificationServer, "name" | "capabilities">;
type Tools = Pick<ChannelTools, "env" | "platform">;
type Click = DesktopSettings["click"];

export async function actOnClick(
  click: Click,
  { place }: ClickWatch,
  activationToken: string | undefined,
  { env, platform }: Tools,
): Promise<string> {
  if (click !== "terminal") {
    return openLink(click, env, platform, activationToken)
      ? `opened ${new URL(click).host || click}`
      : "opened no link: there is no xdg-open";
  }
  const { terminal, folder } = place();
  if (terminal === undefined) return "not raised: the agent's terminal is not known";
  const { raiseTerminal } = await import("../../../system/terminal/raise-terminal.ts");
  return await raiseTerminal({ terminal, folder, activationToken }, env);
}

const waysToClick: Readonly<Record<string, string>> = {
  dunst: "a click (the middle button, unless its mouse_left_click is do_action)",
  "Xfce Notify Daemon": "its button",
};

/** Says for `doctor` what a click does on this machine, or why it does nothing. Undefined if it is not set. */
export async function describeClick(click: Click, server: Server, { env }: Tools): Promise<string | undefined> {
  if (click === "none") return undefined;
  if (!server.capabilities.includes("actions")) return "a click does nothing: this daemon does not report it";
  const acting = waysToClick[server.name] ?? "a click";
  if (click !== "terminal") return `${acting} opens ${new URL(click).host || click}`;
  const { describeRaising } = await import("../../../system/terminal/raise-terminal.ts");
  return `${acting} ${await describeRaising(env)}`;
}

/** This follows the documentation and was not tried. */
export function describeToastClick(click: Click, { env, platform }: Tools): string {
  if (platform === "win32") return "a click does nothing: Windows lets no program raise another one's window";
  if (click !== "terminal")
    return click === "none" ? "a click does nothing" : `a click opens ${new URL(click).host || click}`;
  const { __CFBundleIdentifier: application } = env;
  return application ? `a click raises ${application}` : "a click raises nothing: this terminal does not say its name";
}
