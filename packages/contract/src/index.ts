import { admin } from './schemas/admin.ts';
import { auth } from './schemas/auth.ts';
import { billing } from './schemas/billing.ts';
import type { Call } from './schemas/call.ts';
import { catalogue } from './schemas/catalogue.ts';
import { company } from './schemas/company.ts';
import { compositions } from './schemas/compositions.ts';
import { designs } from './schemas/designs.ts';
import { exportCalls } from './schemas/exports.ts';
import { feedback } from './schemas/feedback.ts';
import { makers } from './schemas/makers.ts';
import { orderCalls } from './schemas/orders.ts';
import { shop } from './schemas/shop.ts';
import { site } from './schemas/site.ts';
import { users } from './schemas/users.ts';
import { widget } from './schemas/widget.ts';

export * from './schemas/admin.ts';
export * from './schemas/auth.ts';
export * from './schemas/billing.ts';
export * from './schemas/call.ts';
export * from './schemas/catalogue.ts';
export * from './schemas/company.ts';
export * from './schemas/compositions.ts';
export * from './schemas/designs.ts';
export * from './schemas/exports.ts';
export * from './schemas/feedback.ts';
export * from './schemas/makers.ts';
export * from './schemas/orders.ts';
export * from './schemas/shop.ts';
export * from './schemas/site.ts';
export * from './schemas/users.ts';
export * from './schemas/widget.ts';
export * from './tracing.ts';
export * from './words/labels.ts';
export * from './words/messages.ts';
export * from './words/plans.ts';
export * from './words/products.ts';

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
