/** The calls that every page of the site may make, by group. Those of administrators and of orders come later. */
import { apiKeyCalls } from './apiKeys.ts';
import { auth } from './auth.ts';
import { batchCalls } from './batches.ts';
import { billing } from './billing.ts';
import { catalogue } from './catalogue.ts';
import { company } from './company.ts';
import { compositions } from './compositions.ts';
import { designs } from './designs.ts';
import type { Endpoints } from './endpoint.ts';
import { exportCalls } from './exports.ts';
import { feedback } from './feedback.ts';
import { fileCalls } from './files.ts';
import { inkProfileCalls } from './inkProfiles.ts';
import { laserCalls } from './lasers.ts';
import { library } from './library.ts';
import { makers } from './makers.ts';
import { ownFontCalls } from './ownFonts.ts';
import { shop } from './shop.ts';
import { site } from './site.ts';
import { toneCurveCalls } from './toneCurves.ts';
import { users } from './users.ts';
import { widget } from './widget.ts';

export const siteCalls = {
  auth,
  apiKeys: apiKeyCalls,
  billing,
  users,
  catalogue,
  company,
  shop,
  lasers: laserCalls,
  toneCurves: toneCurveCalls,
  inkProfiles: inkProfileCalls,
  ownFonts: ownFontCalls,
  designs,
  compositions,
  library,
  exports: exportCalls,
  files: fileCalls,
  batches: batchCalls,
  feedback,
  makers,
  site,
  widget,
} as const satisfies Record<string, Endpoints>;
