/**
 * How many cases a slow property test draws, or how often a long text repeats its piece: all of them where the cases are new
 * ones (fixed-seed.ts), and a third where they are those of every run, because these find nothing new.
 */
export const slowRuns = (count: number): number =>
  process.env.HOOKBELL_TEST_SEED === undefined ? Math.ceil(count / 3) : count;
