// `hookbell devices`: lists, pairs and revokes the browsers that may open the page.
import { inviteDevice, listDevices, revokeDevice, type Device, type Right } from "../../../answers/browsers/devices.ts";
import { pageOrigin } from "../../../answers/browsers/open-page.ts";
import { fingerprintOf } from "../../../answers/browsers/page-key.ts";
import { ageOf } from "../../../sessions/waiting.ts";
import { docsUrl, exitCodes, type ExitCode, usageError, UserError } from "../../../model/errors.ts";
import { layoutOf, type Layout } from "../../../outbox/layout.ts";
import { randomNonce } from "../../../system/crypto.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine, wrap } from "../../../console/output/text.ts";
import { pageCommands } from "../help.ts";
import { deviceName } from "./access.ts";
import { whyPairAgain } from "../contract.ts";
import { openPageKey } from "./shell.ts";

export async function devices(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, pageCommands.devices.flags, 2);
  const [verb, id] = positionals;
  const layout = layoutOf(io.places.stateDir);
  if (verb === undefined) io.stdout(values.json === true ? asJson(listDevices(layout)) : show(listDevices(layout), io));
  else if (verb === "add" && id === undefined) await add(layout, values, io);
  else if (verb === "revoke" && id !== undefined) revoke(layout, id, values.json === true, io);
  else throw usageError("devices", "expected add, or revoke and an id", "see: hookbell devices --help");
  return exitCodes.done;
}

async function add(
  layout: Layout,
  {
    name,
    answer,
    administer,
    json,
  }: Partial<Record<"answer" | "administer" | "json", boolean>> & { name?: string | undefined },
  io: CommandIo,
): Promise<void> {
  const origin = pageOrigin(layout);
  if (origin === undefined) {
    throw new UserError("devices.server", "the page is not being served", {
      hint: "start it in another terminal with: hookbell serve\nif browsers reach it through a proxy or another name: hookbell serve --url URL",
    });
  }
  const rights: Right[] = [
    "read",
    ...(answer === true ? ["answer" as const] : []),
    ...(administer === true ? ["administer" as const] : []),
  ];
  const named = name === undefined || deviceName(name) === "" ? undefined : deviceName(name);
  const link = pairingLink(layout, origin, { name: named, rights }, io.clock.now());
  if (json === true) return io.stdout(jsonLine({ link, rights }));
  const isOnlyHere = isLoopback(new URL(origin));
  const advice = isOnlyHere
    ? `Open this link in a browser on this computer. For a phone, and a QR code, start the server with an address that the phone can reach: hookbell serve --url https://... (${docsUrl("reference/PAGE.md")}).`
    : "Open this link in a browser, or scan the code with a phone.";
  const { renderUnicodeCompact } = await import("uqr");
  // Dark on light, whatever the terminal's colours are.
  const qr = isOnlyHere ? "" : `${renderUnicodeCompact(link, { border: 2, invert: true })}\n\n`;
  const limits = `It pairs one browser within ten minutes. That browser may ${listOf(rights)}.`;
  io.stdout(`${wrap(advice, io.columns)}\n\n${qr}${link}\n\n${wrap(limits, io.columns)}\n`);
}

/** Throws for a damaged key of the server. */
export function pairingLink(
  layout: Layout,
  origin: string,
  invitation: { name?: string | undefined; rights: readonly Right[] },
  nowMs: number,
): string {
  const server = openPageKey(layout, nowMs);
  const code = inviteDevice(layout, { ...invitation, rights: [...invitation.rights] }, nowMs);
  // Browsers send no fragment, so no log and no preview of a chat has the code. A new address is in no browser's cache.
  return `${origin}/?pair=${randomNonce()}#pair=${code}.${fingerprintOf(server.publicKey)}`;
}

function revoke(layout: Layout, id: string, isJson: boolean, io: CommandIo): void {
  const known = listDevices(layout);
  const found = known.filter((each) => each.id === id || each.name === id);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new UserError(
      "devices.unknown",
      `${found.length === 0 ? "no" : "more than one"} paired browser is ${JSON.stringify(id)}`,
      {
        hint: "hookbell devices lists them with their ids",
        exitCode: exitCodes.badInput,
      },
    );
  }
  revokeDevice(layout, only);
  io.stdout(isJson ? jsonLine({ revoked: only.id }) : `${only.name} (${only.id}) can no longer open the page\n`);
}

function listOf(rights: readonly Right[]): string {
  return rights.length < 3 ? rights.join(" and ") : `${rights.slice(0, -1).join(", ")} and ${rights.at(-1)}`;
}

function asJson(all: readonly Device[]): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  return jsonLine({
    devices: all.map(({ id, name, rights, pairedAt, seenAt, pairAgain }) => ({
      id,
      name,
      rights,
      paired: time(pairedAt),
      seen: time(seenAt),
      pairAgain,
    })),
  });
}

function show(all: readonly Device[], io: CommandIo): string {
  if (all.length === 0) return "no browser is paired; pair one with: hookbell devices add\n";
  const column = (of: (device: Device) => string): { cells: string[] } => ({ cells: all.map(of) });
  const table = renderTable(
    [
      { header: "Id", ...column(({ id }) => id) },
      { header: "Name", minWidth: 12, ...column(({ name }) => name) },
      { header: "May", ...column(({ rights }) => listOf(rights)) },
      { header: "Paired", omit: 1, ...column(({ pairedAt }) => new Date(pairedAt).toISOString().slice(0, 10)) },
      { header: "Seen", isRight: true, ...column(({ seenAt }) => `${ageOf(io.clock.now() - seenAt)} ago`) },
    ],
    io,
  );
  return `${table}${all.map((device) => pairAgainNote(device, io)).join("")}`;
}

function pairAgainNote({ name, pairAgain }: Device, io: CommandIo): string {
  if (pairAgain === undefined) return "";
  const note = `${name} must be paired again before it may do more than read: ${whyPairAgain[pairAgain]}. Run: hookbell devices add`;
  return `\n${wrap(note, io.columns)}\n`;
}
