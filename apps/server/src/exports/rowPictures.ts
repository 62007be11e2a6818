/** Pictures by row: the designs that the cells of a list name, and what the drawing of its rows needs of them. */
import type { BatchRequest } from '@markwright/contract';
import {
  type ArtworkElement,
  areaAspect,
  artworksOf,
  type Composition,
  isArtwork,
  isEngraved,
} from '@markwright/scene';
import {
  bindRow,
  type PictureSource,
  type RowPicture,
  type RowPictures,
  templatesOf,
  toColumnKey,
  toPictureKey,
  toRow,
} from '@markwright/scene/rows';
import { findDesigns } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import type { DrawInput, RowsInput } from '../platform/ports/mediaJobs.ts';
import { type DrawnDesign, shownSettings } from '../tracing/tracing.ts';
import { artworkSizes, type RenderJob, readRenderJob } from './renderJob.ts';

/** A render job whose rows may have pictures of their own. */
export interface ListJob extends RenderJob {
  /** Absent where no artwork takes its picture from a column, or the list brought none. */
  readonly pictures?: ListPictures | undefined;
}

interface ListPictures extends PictureSource {
  /** By their ids. */
  readonly designs: ReadonlyMap<string, DrawnDesign>;
}

type Request = Pick<BatchRequest, 'composition' | 'pictures'>;

/**
 * Reads the composition of a list with the pictures that its rows may name. Throws as `readRenderJob`, and by the name
 * of the picture: notFound for a design that is missing or somebody else's, unprocessable for one that is not traced,
 * and invalid for two pictures with one name.
 */
export async function readListJob(
  context: Context,
  actor: Actor,
  { composition, pictures }: Request,
): Promise<ListJob> {
  const job = await readRenderJob(context, actor, composition);
  const artworks = artworksOf(job.composition).filter(({ pictureColumn }) => pictureColumn !== undefined);
  if (artworks.some((artwork) => isEngraved(artwork, job.composition.machine))) {
    throw new AppError(
      'unprocessable',
      'A photograph in dots takes no pictures from a list. Choose its trace instead.',
    );
  }
  if (artworks.length === 0 || !pictures) return job;
  const designs = await readDesigns(context, actor, pictures);
  const { product } = job;
  const ownComposition = withOwnAspects(job);
  return {
    ...{ ...job, composition: ownComposition },
    pictures: {
      pictures: nameDesigns(pictures, designs),
      designs,
      areaAspect: areaAspect(ownComposition, product),
    },
  };
}

type NamedDesigns = NonNullable<BatchRequest['pictures']>;

async function readDesigns(context: Context, actor: Actor, pictures: NamedDesigns) {
  const names = Object.entries(pictures);
  const designs = await findDesigns(context, actor, [...new Set(names.map(([, { designId }]) => designId))]);
  for (const [name, { designId }] of names) {
    const design = designs.get(designId);
    if (!design) {
      throw new AppError('notFound', `The picture “${name}” is not among your designs. Please upload it again.`);
    }
    if (design.mediaType === 'image/png' && !shownSettings(design)) {
      throw new AppError('unprocessable', `The picture “${name}” is not traced yet. Trace it first.`);
    }
  }
  return designs;
}

function nameDesigns(pictures: NamedDesigns, designs: ReadonlyMap<string, DrawnDesign>): RowPictures {
  const byKey = new Map<string, RowPicture>();
  for (const [filename, { designId, ink }] of Object.entries(pictures)) {
    const key = toPictureKey(filename);
    const twin = byKey.get(key);
    if (twin && twin.designId !== designId) {
      throw new AppError('invalid', `“${twin.filename}” and “${filename}” are one name in a list. Rename one of them.`);
    }
    const { width, height } = designs.get(designId)!;
    byKey.set(key, { designId, filename, aspect: width / height, ink });
  }
  return byKey;
}

/** Sets the aspects of artworks to those of their designs. The aspects of a caller's composition may be wrong. */
function withOwnAspects(job: RenderJob): Composition {
  const sizes = new Map(artworkSizes(job).map(({ id, width, height }) => [id, width / height]));
  const elements = job.composition.elements.map((element) =>
    isArtwork(element) ? { ...element, aspect: sizes.get(element.id) ?? element.aspect } : element,
  );
  return { ...job.composition, elements };
}

type Rows = readonly (readonly string[])[];

/**
 * Returns the render job of some rows: with the artworks of each, and of each picture one. It is what is traced and
 * read for them. Cost: linear in the rows.
 */
export function jobOfRows(job: ListJob, columns: readonly string[], rows: Rows): RenderJob {
  const { pictures, composition } = job;
  if (!pictures) return job;
  const artworks = new Map<string, ArtworkElement>();
  for (const cells of withoutSamePictures(job, columns, rows)) {
    const piece = bindRow(composition, toRow(columns, cells), pictures);
    for (const artwork of artworksOf(piece)) artworks.set(artwork.id, artwork);
  }
  const elements = [...artworks.values(), ...composition.elements.filter((element) => !isArtwork(element))];
  const pictureDesigns = [...artworks.values()].flatMap(({ id, designId }): [string, DrawnDesign][] => {
    const design = job.designs.has(id) ? undefined : pictures.designs.get(designId);
    return design ? [[id, design]] : [];
  });
  return {
    ...job,
    composition: { ...composition, elements },
    // The artworks on the stage are first: files are named after them.
    designs: new Map([...job.designs, ...pictureDesigns]),
  };
}

/** Returns a row for each choice of pictures: thousands of rows name some of the same few. */
function withoutSamePictures(
  { composition }: ListJob,
  columns: readonly string[],
  rows: Rows,
): Iterable<readonly string[]> {
  const keys = templatesOf(composition).flatMap(({ pictureColumn }) => toColumnKey(pictureColumn ?? '') || []);
  const places = columns.flatMap((column, place) => (keys.includes(toColumnKey(column)) ? [place] : []));
  return new Map(rows.map((cells) => [JSON.stringify(places.map((place) => cells[place])), cells])).values();
}

/** Returns what some rows need of an input that was made for `jobOfRows` of more: their own pictures. */
export function inputOfRows<Input extends Pick<DrawInput, 'composition' | 'artworks'>>(
  job: ListJob,
  input: Input,
  columns: readonly string[],
  rows: Rows,
): Input & Pick<RowsInput, 'pictures'> {
  if (!job.pictures) return input;
  const artworks = artworksOf(jobOfRows(job, columns, rows).composition);
  const ids = new Set(artworks.map(({ id }) => id));
  const designIds = new Set(artworks.map(({ designId }) => designId));
  return {
    ...input,
    composition: job.composition,
    artworks: input.artworks.filter(({ id }) => ids.has(id)),
    pictures: listPictures(job)?.filter(({ designId }) => designIds.has(designId)),
  };
}

/** Returns the pictures that rows may name, as the media jobs take them. */
export const listPictures = ({ pictures }: ListJob): RowsInput['pictures'] =>
  pictures && [...pictures.pictures.values()];
