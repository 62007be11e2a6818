/** Fits the rows of a list in the browser, a few at a time, so that the page answers meanwhile. */
import { useEditorState } from '@markwright/editor';
import {
  type Assets,
  type Composition,
  type Features,
  type Finding,
  linesOf,
  preflight,
  resolveScene,
  type Scene,
  type SceneGroup,
} from '@markwright/scene';
import {
  bindRow,
  createFitter,
  type FitOptions,
  findDoubles,
  type Row,
  type RowFinding,
  type RowPictures,
  type RowText,
  type Template,
} from '@markwright/scene/rows';
import { MOST_NESTED, type PathBounds, pieceBox, type SilhouetteScene } from '@markwright/scene/sheets';
import type { FontBook } from '@markwright/scene/text';
import { useEffect, useMemo, useState } from 'react';
import { loadFontBook } from './fonts.ts';

/** How long the page waits for the rows of one slice, ms. */
const SLICE_MS = 12;

/** The assets of the stage, and the pictures of the rows. */
export interface PieceAssets extends Assets {
  readonly pictures?: RowPictures | undefined;
}

/** The lines and gaps of the pictures of rows, by the ids of the pieces' elements. */
export type PictureFeatures = ReadonlyMap<string, Features>;

const NO_FEATURES: PictureFeatures = new Map();

export interface FittedRow {
  readonly texts: readonly RowText[];
  readonly findings: readonly RowFinding[];
  /** What preflight says of the piece. Of what has to be measured, it knows the pictures of rows alone. */
  readonly preflight: readonly Finding[];
  /** The part of the frame that the piece takes. */
  readonly box: PathBounds;
  /** What is packed by its shape. Absent in a list that is too long for that. */
  readonly scene?: SilhouetteScene | undefined;
}

export interface Fits {
  /** By the places of the rows; shorter than the list while it is checked. */
  readonly fits: readonly FittedRow[];
  readonly problem: string | undefined;
}

/** A composition with placeholders, and the elements that rows change in it. */
export interface Binding {
  readonly composition: Composition;
  readonly templates: readonly Template[];
}

const NONE: Fits = { fits: [], problem: undefined };

/** Fits all rows again when the list or the way they are rowFit changes; one that is the same costs nothing. */
export function useFits(
  binding: Binding,
  rows: readonly Row[],
  { assets, features = NO_FEATURES }: { readonly assets: PieceAssets; readonly features?: PictureFeatures },
  options: FitOptions,
): Fits {
  const [fits, setFits] = useState(NONE);
  const unit = useEditorState((state) => state.unit);
  const { composition, templates } = binding;
  const { product, figures, artworks, pictures } = assets;
  // A row that was rowFit before, by its cells.
  const memory = useMemo(
    () => new Map<string, FittedRow>(),
    [composition, product, figures, artworks, pictures, features, options, unit],
  );
  useEffect(() => {
    let isOver = false;
    fitAll().catch((error: unknown) => {
      if (!isOver) setFits({ fits: [], problem: error instanceof Error ? error.message : 'The fonts did not load.' });
    });
    async function fitAll(): Promise<void> {
      const fonts = await loadFonts(composition, rows);
      const measures = { product, figures, pictures, fonts: fonts.unjoined };
      const fit = createFitter(composition, measures, options);
      const fitRow = (row: Row): FittedRow => {
        const { composition: piece, texts, findings } = fit(row);
        const scene = resolveScene(piece, { ...measures, artworks });
        const facts = { featuresOf: ({ elementId }: SceneGroup) => features.get(elementId), unit };
        const assetsOfPiece = { artworks, fonts: fonts.unjoined };
        const { groups, widthMm, heightMm, machine } = scene;
        return {
          ...{ texts, findings, preflight: preflight(piece, assetsOfPiece, scene, facts), box: pieceBox(scene) },
          scene: rows.length <= MOST_NESTED ? { groups, widthMm, heightMm, machine } : undefined,
        };
      };
      const doubles = findDoubles(templates, rows);
      const done: FittedRow[] = [];
      let start = performance.now();
      for (const [place, row] of rows.entries()) {
        if (performance.now() - start > SLICE_MS) {
          setFits({ fits: [...done], problem: undefined });
          await new Promise((resolve) => setTimeout(resolve));
          start = performance.now();
        }
        if (isOver) return;
        const key = JSON.stringify([...row]);
        const rowFit = memory.get(key) ?? fitRow(row);
        memory.set(key, rowFit);
        const { findings } = rowFit;
        const rowNumber = doubles[place];
        done.push({
          ...rowFit,
          findings: rowNumber === undefined ? findings : [...findings, { kind: 'double', rowNumber }],
        });
      }
      setFits({ fits: done, problem: undefined });
    }
    return () => {
      isOver = true;
    };
  }, [composition, templates, rows, product, figures, artworks, pictures, features, options, unit, memory]);
  return fits;
}

const loadFonts = (composition: Binding['composition'], rows: readonly Row[]): Promise<FontBook> =>
  loadFontBook([composition, ...rows.map((row) => bindRow(composition, row))].flatMap((piece) => linesOf(piece)));

/** Returns the scene of one row, as it will be made; undefined until its fonts are there. */
export function usePieceScene(
  { composition }: Pick<Binding, 'composition'>,
  row: Row | undefined,
  assets: PieceAssets,
  options: FitOptions,
): Scene | undefined {
  const [scene, setScene] = useState<Scene>();
  useEffect(() => {
    let isOver = false;
    if (!row) return;
    loadFonts(composition, [row]).then(
      (fonts) => {
        if (isOver) return;
        const fit = createFitter(composition, { ...assets, fonts: fonts.unjoined }, options);
        setScene(resolveScene(fit(row).composition, { ...assets, fonts }));
      },
      () => undefined, // the list says so
    );
    return () => {
      isOver = true;
    };
  }, [composition, row, assets, options]);
  return scene;
}
