// What the machines that post their events add to `hookbell serve`.
import { openDispatcher } from "../../../commands/pipeline/open-dispatcher.ts";
import type { OpenPart } from "../../../console/command.ts";
import { serveHooks } from "../http-hooks.ts";
import { receiveHooks } from "../receive-hooks.ts";

export const openHooks: OpenPart = async ({ io }) => serveHooks(io.clock, receiveHooks(await openDispatcher(io), io));
