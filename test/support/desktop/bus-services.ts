// Programs of a desktop that answer on its bus, such as a screen saver that says the screen is locked.
import { onTestFinished } from "vitest";
import { startDesktop, type DesktopSession } from "./desktop-session.ts";

/** Answers one call for each name, by the value or by what it returns; returns how to end it. */
export async function serveOnBus(
  desktop: DesktopSession,
  services: Record<string, { member: string; signature: string; value: unknown }>,
): Promise<() => void> {
  const { sessionBus } = (await import("@homebridge/dbus-native")) as unknown as {
    sessionBus(options: { busAddress: string | undefined }): {
      requestName(name: string, flags: number, callback: () => void): void;
      exportInterface(service: object, path: string, description: object): void;
      connection: { end(): void };
    };
  };
  const bus = sessionBus({ busAddress: desktop.env.DBUS_SESSION_BUS_ADDRESS });
  for (const [name, { member, signature, value }] of Object.entries(services)) {
    await new Promise<void>((resolve) => bus.requestName(name, 4, resolve));
    const path = name.endsWith("IdleMonitor") ? "/org/gnome/Mutter/IdleMonitor/Core" : "/org/gnome/ScreenSaver";
    bus.exportInterface({ [member]: () => (typeof value === "function" ? (value as () => unknown)() : value) }, path, {
      name,
      methods: { [member]: ["", signature, [], ["out"]] },
    });
  }
  return () => bus.connection.end();
}

export const awayParts = ["dbus-daemon"];

/** The environment of a person who has locked the screen, until the test ends. */
export async function lockedScreen(): Promise<Record<string, string>> {
  const desktop = await startDesktop("none");
  onTestFinished(desktop.stop);
  const screenSaver = { member: "GetActive", signature: "b", value: true };
  onTestFinished(await serveOnBus(desktop, { "org.gnome.ScreenSaver": screenSaver }));
  return busOf(desktop);
}

/** A person at the computer, who types all the time until they leave. */
export async function personAtDesk(): Promise<{
  env: Record<string, string>;
  leave(): void;
  comeBack(): void;
}> {
  const desktop = await startDesktop("none");
  onTestFinished(desktop.stop);
  let lastInput: number | undefined;
  const value = (): number => (lastInput === undefined ? 0 : Date.now() - lastInput);
  const idleTime = { member: "GetIdletime", signature: "t", value };
  onTestFinished(await serveOnBus(desktop, { "org.gnome.Mutter.IdleMonitor": idleTime }));
  return {
    env: busOf(desktop),
    leave: () => void (lastInput = Date.now()),
    comeBack: () => void (lastInput = undefined),
  };
}

function busOf({ env }: DesktopSession): Record<string, string> {
  const { DBUS_SESSION_BUS_ADDRESS = "", XDG_RUNTIME_DIR = "" } = env;
  return { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR };
}
