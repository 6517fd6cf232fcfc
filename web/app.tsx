// The whole page: pairing, its tabs, and what it says of the connection.
import { useEffect, useState } from "preact/hooks";
import type { Now, SessionOnPage } from "../src/wings/page/contract.ts";
import { follow, type Connection } from "./connection.ts";
import { BrokenChannels } from "./broken-channels.tsx";
import { BrokenRules } from "./broken-rules.tsx";
import { DeliveriesTab } from "./deliveries-tab.tsx";
import { DeviceTab } from "./device-tab.tsx";
import { Notices } from "./notice.tsx";
import { NowTab } from "./now-tab.tsx";
import { addressOf, tabs, useRoute, type Route } from "./route.ts";
import { useShownSession } from "./shown-session.ts";
import { setServerTime } from "./time.ts";
import { NoSession, pair, type Trouble } from "./trust/exchange.ts";
import { Alarm, PairAgain, reloadOnce, TroublePage } from "./trouble.tsx";
import { WhyTab } from "./why-tab.tsx";
import { wingTabs } from "./wing-tabs.tsx";

export function App() {
  const [now, setNow] = useState<Now>();
  const [connection, setConnection] = useState<Connection>({ state: "connecting" });
  useEffect(() => {
    const link = takeLink();
    let stop = (): void => {};
    let isOver = false;
    const onState = (state: Connection): void => {
      if (state.state === "foreignWorker" && reloadOnce()) return;
      setConnection(state);
    };
    const start = (): void => {
      if (!isOver) stop = follow(keepCurrent(setNow), onState);
    };
    // A link that is opened in a tab with the page changes only what follows the #.
    const onHash = (): void => {
      if (pairingLink.test(location.hash)) location.reload();
    };
    addEventListener("hashchange", onHash);
    if (link === undefined) start();
    else {
      pair(link.code, link.fingerprint).then(start, (error: unknown) => {
        const trouble = error instanceof NoSession ? error.trouble : "unreachable";
        // The link is not used yet.
        if (trouble === "foreignWorker") history.replaceState(null, "", link.address);
        const state = trouble === "unreachable" ? "unpaired" : trouble;
        onState({ state, why: (error as Error).message });
      });
    }
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
  const { state } = connection;
  if (isTrouble(connection) && (state !== "stranger" || now === undefined)) {
    return <TroublePage trouble={connection.state} why={connection.why} />;
  }
  const pairAgain = now?.device.pairAgain;
  return (
    <Notices>
      <header>
        <h1>hookbell</h1>
        {now === undefined ? null : <span class="host">{now.host}</span>}
        <ConnectionState connection={connection} />
        <nav aria-label="Tabs">
          {tabsOf(now).map(([name, title]) => (
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
        {now === undefined ? null : (
          <a
            class="device"
            href={addressOf({ tab: "device", session: undefined })}
            aria-current={route.tab === "device" ? "page" : undefined}
          >
            {tabs.device}
          </a>
        )}
      </header>
      <main>
        {state === "stranger" ? <Alarm /> : null}
        {pairAgain === undefined ? null : <PairAgain why={pairAgain} />}
        {now?.brokenRules === undefined ? null : <BrokenRules rules={now.brokenRules} />}
        {now === undefined || route.tab !== "now" ? null : <BrokenChannels channels={now.brokenChannels} />}
        <div inert={state === "stranger"}>
          {now === undefined ? <p class="empty">Loading…</p> : <Tab route={route} now={now} />}
        </div>
      </main>
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

const ownTabs = ["now", "why", "deliveries"];

/** The tab of a wing shows where both the server and this page have the wing. */
function tabsOf(now: Now | undefined): [string, string][] {
  const served = now?.tabs ?? Object.keys(wingTabs);
  return Object.entries(tabs).filter(
    ([name]) =>
      ownTabs.includes(name) ||
      (Object.hasOwn(wingTabs, name) && served.includes(name) && (name !== "what-if" || mayTryRules(now))),
  );
}

function mayTryRules(now: Now | undefined): boolean {
  return now?.device.rights.includes("administer") === true;
}

function isTrouble(
  connection: Connection,
): connection is Extract<Connection, { state: Exclude<Trouble, "unreachable"> }> {
  return !["connecting", "connected", "lost"].includes(connection.state);
}

function Tab({ route: { tab, session }, now }: { route: Route; now: Now }) {
  if (tab === "why") {
    const canTryRules = tabsOf(now).some(([name]) => name === "what-if");
    return <WhyTab key={session} now={now} session={session} canTryRules={canTryRules} />;
  }
  if (tab === "device") return <DeviceTab now={now} />;
  if (tab === "deliveries") return <DeliveriesTab mayAdminister={now.device.rights.includes("administer")} />;
  return wingTabs[tab]?.(now) ?? <NowTab now={now} />;
}

const pairingLink = /^#pair=([\w-]+)\.([0-9a-f]{32})$/;

/** The code of a link, which is removed from the address bar and from the history. */
function takeLink(): { code: string; fingerprint: string; address: string } | undefined {
  const [, code, fingerprint] = pairingLink.exec(location.hash) ?? [];
  if (code === undefined || fingerprint === undefined) return undefined;
  const address = location.href;
  history.replaceState(null, "", "/");
  return { code, fingerprint, address };
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
  const words =
    connection.state === "lost" ? connection.why : connection.state === "stranger" ? "not connected" : "connecting…";
  return (
    <span class="connection isLost" role="alert">
      {words}
    </span>
  );
}
