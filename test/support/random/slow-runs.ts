/**
 * How many cases a slow property test draws: all of them where they are new ones (fixed-seed.ts), and a third where they are
 * those of every run, because these find nothing new.
 */
export const slowRuns = (count: number): number =>
  process.env.HOOKBELL_TEST_SEED === undefined ? Math.ceil(count / 3) : count;
