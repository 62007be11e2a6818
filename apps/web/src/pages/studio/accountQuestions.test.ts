import { expect, it } from 'vitest';
import { nextPlan } from './accountQuestions.ts';

it.each([
  ['free', 'vectorLimit', 'starter'],
  ['free', 'mockups', 'starter'],
  ['starter', 'production', 'pro'],
  ['pro', 'png', 'studio'],
  ['studio', 'customSvg', 'agency'],
  ['agency', 'vectorLimit', undefined],
] as const)('a person on %s who reaches %s is shown %s', (plan, reason, next) =>
  expect(nextPlan(plan, reason)?.id).toBe(next),
);
