/**
 * Gives all property tests one seed: what a change is checked with must not depend on luck. `npm run test:stress` sets
 * a new seed in each run and looks for new counterexamples. `TEST_SEED` repeats a run.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) });
