/** The job `proof`: draws the pieces of a list on their product, for the customer to sign. */
import { boxAround, type SvgNode } from '@markwright/scene';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { LimitStep, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { openInput } from './draw.ts';
import { withoutLimit } from './drawingLimit.ts';
import { drawUpload } from './drawUpload.ts';
import { withPdfPictures } from './files/paintSvg.ts';
import { drawProofScene, drawProofSheet } from './files/proofSheet.ts';
import { fitAll } from './piece.ts';

/** The longer side of a picture on a page. */
const PICTURE_PX = 1400;
/** The most characters of path data in a proof: about 30 MB of a PDF. */
const MOST_PATH_CHARACTERS = 60_000_000;

/**
 * Throws as `draw`, naming the row, and unprocessable for pieces with more outlines than a file should have. Cost: that
 * of fitting and resolving each piece, besides its outlines.
 */
export async function drawProof(
  { columns, fit, pictures: rowPictures, cells, hasWatermark, facts, ...input }: MediaJobs['proof']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['proof']['output']> {
  const resolve = await openInput({ ...input, target: { kind: 'mockup' } }, limitStep);
  const { fits } = await fitAll({ ...input, columns, fit, pictures: rowPictures }, cells);
  const pictures = new Map<string, Promise<string>>();
  const dots = new Map<string, Promise<string>>();
  const toPdfPicture = (href: string) => {
    const picture = pictures.get(href) ?? convertPicture(href, limitStep);
    pictures.set(href, picture);
    return picture;
  };
  let characters = 0;
  const bytes = await drawProofSheet(facts, async (place) => {
    const scene = await resolve(fits[place]!.composition).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
      throw new AppError('unprocessable', `Row ${facts.pieces[place]!.number}: ${error.message}`);
    });
    const { drawing, view } = drawProofScene(scene, hasWatermark);
    characters += countPathCharacters(drawing);
    if (characters > MOST_PATH_CHARACTERS) {
      throw new AppError('unprocessable', 'The outlines are too many for one proof. Make it in parts: leave rows out.');
    }
    const box = boxAround(scene.groups);
    const sizeMm = box && { width: box.right - box.left, height: box.bottom - box.top };
    return { drawing: await withPdfPictures(drawing, toPdfPicture, dots), view, sizeMm };
  });
  return { bytes };
}

const countPathCharacters = ({ attrs, children }: SvgNode): number =>
  children.reduce((sum, child) => sum + countPathCharacters(child), attrs.d?.length ?? 0);

const SVG_HREF = 'data:image/svg+xml;base64,';

/** Returns a picture as a JPEG where it hides what is below it, and else as a PNG. */
async function convertPicture(href: string, limitStep: LimitStep): Promise<string> {
  const bytes = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64');
  const pixels = href.startsWith(SVG_HREF) ? await drawUpload(bytes.toString(), limitStep, PICTURE_PX) : bytes;
  const picture = sharp(pixels).resize(PICTURE_PX, PICTURE_PX, { fit: 'inside', withoutEnlargement: true });
  const { isOpaque } = await sharp(pixels).stats();
  const file = isOpaque ? await picture.jpeg({ quality: 88 }).toBuffer() : await picture.png().toBuffer();
  return `data:image/${isOpaque ? 'jpeg' : 'png'};base64,${file.toString('base64')}`;
}
