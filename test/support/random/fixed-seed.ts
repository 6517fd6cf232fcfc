// Property tests draw the same cases in every run, so that no run fails by luck. `.ci/run` draws others in a run of its own.
import fc from "fast-check";

const fixedSeed = 20_261_122;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.HOOKBELL_TEST_SEED ?? fixedSeed) });
