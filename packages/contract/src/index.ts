import { admin } from './admin.ts';
import { auth } from './auth.ts';
import { billing } from './billing.ts';
import type { Call } from './call.ts';
import { catalogue } from './catalogue.ts';
import { company } from './company.ts';
import { compositions } from './compositions.ts';
import { designs } from './designs.ts';
import { exportCalls } from './exports.ts';
import { feedback } from './feedback.ts';
import { makers } from './makers.ts';
import { orderCalls } from './orders.ts';
import { shop } from './shop.ts';
import { site } from './site.ts';
import { users } from './users.ts';
import { widget } from './widget.ts';

export * from './admin.ts';
export * from './auth.ts';
export * from './billing.ts';
export * from './call.ts';
export * from './catalogue.ts';
export * from './company.ts';
export * from './compositions.ts';
export * from './designs.ts';
export * from './exports.ts';
export * from './feedback.ts';
export * from './labels.ts';
export * from './lists.ts';
export * from './makers.ts';

export * from './messages.ts';
export * from './orders.ts';
export * from './plans.ts';
export * from './shop.ts';
export * from './site.ts';
export * from './tracing.ts';
export * from './users.ts';
export * from './widget.ts';

/** Every call there is, by group: what the server mounts, the browser's client is made of, and the access test walks. */
export const calls = {
  admin,
  auth,
  billing,
  users,
  catalogue,
  company,
  shop,
  orders: orderCalls,
  designs,
  compositions,
  exports: exportCalls,
  feedback,
  makers,
  site,
  widget,
} satisfies Record<string, Record<string, Call>>;
