import { auth } from './auth.ts';
import type { Call } from './call.ts';
import { catalogue } from './catalogue.ts';
import { designs } from './designs.ts';
import { exportCalls } from './exports.ts';
import { users } from './users.ts';

export * from './auth.ts';
export * from './call.ts';
export * from './catalogue.ts';
export * from './designs.ts';
export * from './exports.ts';
export * from './messages.ts';
export * from './plans.ts';
export * from './tracing.ts';
export * from './users.ts';

/** Every call there is, by group: what the server mounts, the browser's client is made of, and the access test walks. */
export const calls = { auth, users, catalogue, designs, exports: exportCalls } satisfies Record<
  string,
  Record<string, Call>
>;
