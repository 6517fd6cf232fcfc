// The service worker that replaces one of another program: it leaves a note for the page, and goes.
import { note } from "./store.ts";

const worker = self as unknown as {
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  addEventListener(
    type: "install" | "activate",
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
};

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => {
  event.waitUntil(leave());
});

async function leave(): Promise<void> {
  try {
    await note("foreignWorker");
  } finally {
    await worker.registration.unregister();
  }
}
