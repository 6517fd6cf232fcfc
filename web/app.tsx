// The whole page: pairing, its tabs, and what it says of the connection.
import { useEffect, useState } from "preact/hooks";
import type { Now, SessionOnPage } from "../src/commands/page/contract.ts";
import { follow, hasKey, pair, type Connection } from "./connection.ts";
import { BrokenRules } from "./broken-rules.tsx";
import { DeliveriesTab } from "./deliveries-tab.tsx";
import { Notices } from "./notice.tsx";
import { NotifyDevice } from "./notify-device.tsx";
import { NowTab } from "./now-tab.tsx";
import { LateTab, loadStyles } from "./late-tab.tsx";
import { Pairing } from "./pairing.tsx";
import { addressOf, tabs, useRoute, type Route } from "./route.ts";
import { useShownSession } from "./shown-session.ts";
import { setServerTime } from "./time.ts";
import { WhatIfTab } from "./what-if-tab.tsx";
import { WhyTab } from "./why-tab.tsx";

export function App() {
  const [now, setNow] = useState<Now>();
  const [connection, setConnection] = useState<Connection>({ state: "connecting" });
  useEffect(() => {
    const code = takeCode();
    let stop = (): void => {};
    let isOver = false;
    const start = (): void => {
      if (isOver) return;
      if (!hasKey()) setConnection({ state: "unpaired" });
      else stop = follow(keepCurrent(setNow), setConnection);
    };
    // A link that is opened in a tab with the page changes only what follows the #.
    const onHash = (): void => {
      if (pairingLink.test(location.hash)) location.reload();
    };
    addEventListener("hashchange", onHash);
    if (code === undefined) start();
    else
      pair(code).then(start, (error: unknown) => setConnection({ state: "unpaired", why: (error as Error).message }));
    return () => {
      isOver = true;
      removeEventListener("hashchange", onHash);
      stop();
    };
  }, []);
  const waiting = now?.groups.find(({ group }) => group === "needsYou")?.sessions.length ?? 0;
  useEffect(() => {
    document.title = waiting === 0 ? "hookbell" : `(${waiting}) hookbell`;
  }, [waiting]);
  const [route, go] = useRoute();
  useShownSession(() => go({ tab: "now", session: undefined }), [route, now]);
  if (connection.state === "unpaired") return <Pairing why={connection.why} />;
  return (
    <Notices>
      <header>
        <h1>hookbell</h1>
        {now === undefined ? null : <span class="host">{now.host}</span>}
        <ConnectionState connection={connection} />
        <nav aria-label="Tabs">
          {Object.entries(tabs).map(([name, title]) => (
            <a
              key={name}
              href={addressOf({ tab: name as Route["tab"], session: undefined })}
              aria-current={route.tab === name ? "page" : undefined}
            >
              {title}
              {name === "now" && waiting > 0 ? <span class="badge">{waiting}</span> : null}
            </a>
          ))}
        </nav>
      </header>
      <main>
        {now?.brokenRules === undefined ? null : <BrokenRules rules={now.brokenRules} />}
        {now === undefined ? <p class="empty">Loading…</p> : <Tab route={route} now={now} />}
      </main>
      <footer>{now === undefined ? null : <NotifyDevice />}</footer>
      <p class="unseen" role="status">
        {waiting === 0
          ? "No session needs you"
          : waiting === 1
            ? "1 session needs you"
            : `${waiting} sessions need you`}
      </p>
    </Notices>
  );
}

/** It has the library that draws, which the other tabs do not need. */
async function loadUsage() {
  const [{ UsageTab }] = await Promise.all([import("./usage/usage.tsx"), loadStyles("/page/usage.css")]);
  return UsageTab;
}

function Tab({ route: { tab, session }, now }: { route: Route; now: Now }) {
  if (tab === "why") return <WhyTab key={session} now={now} session={session} />;
  if (tab === "what-if") return <WhatIfTab mayAdminister={now.device.rights.includes("administer")} />;
  if (tab === "deliveries") return <DeliveriesTab mayAdminister={now.device.rights.includes("administer")} />;
  if (tab === "usage") return <LateTab load={loadUsage} now={now} />;
  return <NowTab now={now} />;
}

const pairingLink = /^#pair=([\w-]+)$/;

/** The code of a link, which is removed from the address bar and from the history. */
function takeCode(): string | undefined {
  const code = pairingLink.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, "", location.pathname);
  return code;
}

/** A server with a newer page has the browser load it. */
function keepCurrent(setNow: (now: Now) => void): (now: Now) => void {
  let build: string | undefined;
  const withSame = createKeeper();
  return (now) => {
    build ??= now.build;
    if (build !== now.build) location.reload();
    setServerTime(now.at);
    setNow(withSame(now));
  };
}

/** Sessions that have not changed stay the same objects, so that they are not drawn again. */
function createKeeper(): (now: Now) => Now {
  let known = new Map<string, { text: string; session: SessionOnPage }>();
  return (now) => {
    const seen: typeof known = new Map();
    const same = (session: SessionOnPage): SessionOnPage => {
      const text = JSON.stringify(session);
      const before = known.get(session.id);
      const kept = before?.text === text ? before : { text, session };
      seen.set(session.id, kept);
      return kept.session;
    };
    const groups = now.groups.map((group) => ({ ...group, sessions: group.sessions.map(same) }));
    known = seen;
    return { ...now, groups };
  };
}

function ConnectionState({ connection }: { connection: Connection }) {
  if (connection.state === "connected") return <span class="connection isLive">live</span>;
  const words = connection.state === "lost" ? (connection.why ?? "not connected") : "connecting…";
  return (
    <span class="connection isLost" role="alert">
      {words}
    </span>
  );
}
