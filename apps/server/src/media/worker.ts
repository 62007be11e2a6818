/** The process that reads untrusted pictures. It has no secrets and no connections, and may be killed at any moment. */

import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import { cutOut } from './cutOut.ts';
import { decodePicture } from './decode.ts';
import { draw } from './draw.ts';
import { drawTestCard, engrave } from './engrave.ts';
import { makeMachineFile } from './file.ts';
import { drawBatchSheet } from './files/batchSheet.ts';
import { finishCutout } from './finishCutout.ts';
import { checkInkProfile } from './inkProfile.ts';
import { readLibraryFile } from './materialLibrary.ts';
import { measure } from './measure.ts';
import { readOwnFont } from './ownFont.ts';
import { fitRows, makePiece } from './piece.ts';
import { makeProductPicture } from './productPicture.ts';
import { drawProof } from './proof.ts';
import { rasterize } from './rasterize.ts';
import { serveJobs } from './serveJobs.ts';
import { findSilhouettes, makeJig, makeSheet, planSheets } from './sheets.ts';
import { thumbnail } from './thumbnail.ts';
import { readTrace, shrink, toServicePicture, trace } from './trace.ts';

serveJobs<MediaJobs>({
  decode: ({ bytes }, _report, limitStep) => decodePicture(bytes, limitStep),
  productPicture: (input, _report, limitStep) => makeProductPicture(input, limitStep),
  trace,
  engrave,
  testCard: drawTestCard,
  shrink,
  cutOut,
  finishCutout,
  toServicePicture,
  readTrace,
  draw: (input, _report, limitStep) => draw(input, limitStep),
  file: (input, _report, limitStep) => makeMachineFile(input, limitStep),
  fitRows,
  piece: (input, _report, limitStep) => makePiece(input, limitStep),
  silhouettes: (input, _report, limitStep) => findSilhouettes(input, limitStep),
  planSheets,
  sheet: (input, _report, limitStep) => makeSheet(input, limitStep),
  jig: makeJig,
  batchSheet: async (input) => ({ bytes: await drawBatchSheet(input) }),
  proof: (input, _report, limitStep) => drawProof(input, limitStep),
  inkProfile: ({ bytes }) => checkInkProfile(bytes),
  materialLibrary: async ({ bytes }) => readLibraryFile(bytes),
  measure,
  ownFont: (input, _report, limitStep) => readOwnFont(input, limitStep),
  rasterize,
  thumbnail,
});
