// The notifiers whose settings `hookbell import` reads.
import { anotifier } from "./anotifier.ts";
import { ccnotify } from "./ccnotify.ts";
import { codeNotify } from "./code-notify.ts";
import { peonPing } from "./peon-ping.ts";
import type { Peer } from "./peer.ts";

export const peers: readonly Peer[] = [peonPing, codeNotify, anotifier, ccnotify];
