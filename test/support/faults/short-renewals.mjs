// Loaded into a dispatcher before anything else: it renews its lease every half second in place of every five.
const setTimer = globalThis.setTimeout;
globalThis.setTimeout = (callback, delayMs, ...more) => setTimer(callback, delayMs === 5000 ? 500 : delayMs, ...more);
