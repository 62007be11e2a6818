/** Every call with its schemas, and the types of what goes over the wire. */
import { calls as endpoints } from '../paths/index.ts';
import { admin } from './admin.ts';
import { apiKeyCalls } from './apiKeys.ts';
import { auth } from './auth.ts';
import { batchCalls } from './batches.ts';
import { billing } from './billing.ts';
import type { Call } from './call.ts';
import { catalogue } from './catalogue.ts';
import { company } from './company.ts';
import { compositions } from './compositions.ts';
import { designs } from './designs.ts';
import { exportCalls } from './exports.ts';
import { feedback } from './feedback.ts';
import { fileCalls } from './files.ts';
import { inkProfileCalls } from './inkProfiles.ts';
import { laserCalls } from './lasers.ts';
import { library } from './library.ts';
import { makers } from './makers.ts';
import { orderCalls } from './orders.ts';
import { ownFontCalls } from './ownFonts.ts';
import { shop } from './shop.ts';
import { site } from './site.ts';
import { toneCurveCalls } from './toneCurves.ts';
import { users } from './users.ts';
import { widget } from './widget.ts';

export * from './admin.ts';
export * from './apiKeys.ts';
export * from './auth.ts';
export * from './batches.ts';
export * from './billing.ts';
export * from './blank.ts';
export * from './call.ts';
export * from './catalogue.ts';
export * from './company.ts';
export * from './compositions.ts';
export * from './designs.ts';
export * from './engravings.ts';
export * from './exports.ts';
export * from './feedback.ts';
export * from './files.ts';
export * from './forms.ts';
export * from './inkProfiles.ts';
export * from './lasers.ts';
export * from './library.ts';
export * from './machineFiles.ts';
export * from './makers.ts';
export * from './orders.ts';
export * from './ownFonts.ts';
export * from './shop.ts';
export * from './site.ts';
export * from './toneCurves.ts';
export * from './users.ts';
export * from './widget.ts';

const groups = {
  admin,
  apiKeys: apiKeyCalls,
  auth,
  batches: batchCalls,
  billing,
  catalogue,
  company,
  compositions,
  designs,
  exports: exportCalls,
  feedback,
  files: fileCalls,
  inkProfiles: inkProfileCalls,
  ownFonts: ownFontCalls,
  lasers: laserCalls,
  library,
  makers,
  orders: orderCalls,
  shop,
  site,
  toneCurves: toneCurveCalls,
  users,
  widget,
} satisfies { readonly [Group in keyof typeof endpoints]: Record<string, Call> };

/**
 * Every call by group: the server mounts them, documents them and tests who may make them. They stand in the order of
 * the endpoints.
 */
export const calls = Object.fromEntries(
  (Object.keys(endpoints) as (keyof typeof endpoints)[]).map((group) => [group, groups[group]]),
) as typeof groups;
