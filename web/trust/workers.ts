// The service workers of this origin. The page's own only shows notifications, so none may stand between it and the server.
import { note } from "./store.ts";

const ownScript = "/page/worker.js";
/** No document is below it. */
const ownScope = "/page/worker/";
/** The one of 1.0.0-rc.1 had all pages. */
const oldScope = "/";

/** The content policy wants to know where a script's address comes from: it is always this one. */
const ownAddress = (window as WithTrustedTypes).trustedTypes?.createPolicy("hookbell-worker", {
  createScriptURL: () => ownScript,
});

interface WithTrustedTypes {
  trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown };
  };
}

/** Resolves when it can be subscribed. */
export async function registerOwn(): Promise<ServiceWorkerRegistration> {
  const address = ownAddress?.createScriptURL("") ?? ownScript;
  const options = { scope: ownScope, updateViaCache: "none" } as const;
  const registration = await navigator.serviceWorker.register(address as string, options);
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (worker === null) return registration;
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("the browser did not start the page's service worker"));
    };
    worker.addEventListener("statechange", look);
    look();
  });
  return registration;
}

export function findOwn(): Promise<ServiceWorkerRegistration | undefined> {
  return findAt(ownScope);
}

/** The worker of 1.0.0-rc.1. Only a browser that has not renewed its key yet can have it. */
export function findOld(): Promise<ServiceWorkerRegistration | undefined> {
  return findAt(oldScope);
}

async function findAt(scope: string): Promise<ServiceWorkerRegistration | undefined> {
  return (await all()).find((each) => each.scope === `${location.origin}${scope}` && scriptOf(each) === ownScript);
}

/**
 * Removes the workers of other programs, and notes that there were some. False if this tab is still behind a worker that was
 * removed: it is not any more when it is loaded again.
 */
export async function removeForeign(): Promise<boolean> {
  const own = await findOwn();
  const foreign = (await all()).filter((each) => each.scope !== own?.scope);
  if (foreign.length > 0) await note("foreignWorker");
  for (const each of foreign) await each.unregister();
  return !("serviceWorker" in navigator) || navigator.serviceWorker.controller === null;
}

async function all(): Promise<readonly ServiceWorkerRegistration[]> {
  return "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistrations() : [];
}

function scriptOf({ installing, waiting, active }: ServiceWorkerRegistration): string | undefined {
  const url = (installing ?? waiting ?? active)?.scriptURL;
  return url === undefined ? undefined : new URL(url).pathname;
}
