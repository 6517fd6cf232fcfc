// What the page says where it has no session: another program answers, or this browser must be paired or loaded again.
import type { ComponentChildren } from "preact";
import { whyPairAgain } from "../src/wings/page/contract.ts";
import type { Now } from "../src/wings/page/contract.ts";
import type { Trouble } from "./trust/exchange.ts";

/** In the place of everything else. */
export function TroublePage({
  trouble,
  why = "",
}: {
  trouble: Exclude<Trouble, "unreachable">;
  why?: string | undefined;
}) {
  return (
    <main class="pairing">
      <h1>hookbell</h1>
      {trouble === "stranger" ? <Alarm /> : <Words trouble={trouble} why={why} />}
    </main>
  );
}

function Words({ trouble, why }: { trouble: Exclude<Trouble, "unreachable" | "stranger">; why: string }) {
  if (trouble === "unpaired") return <Unpaired why={why} />;
  if (trouble === "noCrypto") {
    return (
      <>
        <h2>This browser gives this page no keys</h2>
        <p>
          Browsers have keys only for pages that come over TLS, or from this computer itself. Open the page at the
          address that <code>hookbell serve</code> prints, or give the server a certificate.
        </p>
      </>
    );
  }
  return (
    <>
      <h2>Load this page again</h2>
      <p role="alert">
        {trouble === "foreignWorker"
          ? "Another program had put itself between this tab and your server. It was removed."
          : "This tab did not come from your server itself, or the browser is too old to say so."}{" "}
        Nothing was sent.
      </p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </p>
      <p class="hint">If that does not help, close all tabs of this address, then open it again.</p>
    </>
  );
}

function Unpaired({ why }: { why: string }) {
  return (
    <>
      <h2>This browser is not paired</h2>
      {why === "" ? null : <p role="alert">{`${why.charAt(0).toUpperCase()}${why.slice(1)}.`}</p>}
      <p>In a terminal on the computer whose sessions you want to see, run</p>
      <Command>hookbell devices add</Command>
      <p>
        and open the link that it prints. With <code>--answer</code>, this browser may also answer questions.
      </p>
      <p class="hint">
        If a link that you did not use was used already, look at <code>hookbell devices</code>, and revoke what is not
        yours.
      </p>
    </>
  );
}

/** Another program has the port of the server. */
export function Alarm() {
  return (
    <section class="alarm" role="alert">
      <h2>Another program answers at this address</h2>
      <p>
        It could not prove that it is your server, so nothing was sent to it: no key and no answer. This tab asks again
        every few seconds, and goes on when your server is back.
      </p>
      <p>
        Do not load this tab again meanwhile. In a terminal, find out which program has the port, end it, then start the
        server:
      </p>
      <Command>{`${findProgram()}\nhookbell serve`}</Command>
      <p>
        If you have set hookbell up anew, or gone back to an older version, pair this browser again with{" "}
        <code>hookbell devices add</code>.
      </p>
    </section>
  );
}

function findProgram(): string {
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return /\bLinux\b/.test(navigator.userAgent)
    ? `sudo ss -ltnp 'sport = :${port}'`
    : `sudo lsof -nP -iTCP:${port} -sTCP:LISTEN`;
}

/** This browser reads on, and may do nothing else. */
export function PairAgain({ why }: { why: NonNullable<Now["device"]["pairAgain"]> }) {
  return (
    <section class="alarm" role="alert">
      <h2>Pair this browser again to answer</h2>
      <p>
        It may only read: {whyPairAgain[why]}. Close all other tabs of this address, then run this in a terminal, with
        the rights that it had, and open the link here:
      </p>
      <Command>hookbell devices add --answer</Command>
    </section>
  );
}

function Command({ children }: { children: ComponentChildren }) {
  return (
    <pre tabIndex={0} aria-label="Command">
      {children}
    </pre>
  );
}

const reloaded = "hookbell-reloaded";

/** Loads the tab again unless that was done a moment ago; false then. */
export function reloadOnce(): boolean {
  const before = Number(sessionStorage.getItem(reloaded) ?? 0);
  if (performance.timeOrigin - before < reloadedForMs) return false;
  sessionStorage.setItem(reloaded, String(Date.now()));
  location.reload();
  return true;
}

const reloadedForMs = 10_000;
