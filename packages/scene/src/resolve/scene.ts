/** A scene: a composition resolved to absolute shapes in millimeters. Facts only: no percentages, no fonts, no defaults. */
import type { Artwork, Gradient } from '../artwork/artwork.ts';
import type { FractionRect, MachineMode } from '../document/composition.ts';
import type { Operation } from '../document/machine.ts';
import type { Matrix, Point } from '../geometry/matrix.ts';
import type { PathData } from '../geometry/pathData.ts';
import type { SvgNode } from '../svg/svg.ts';

export interface ScenePath {
  readonly kind: 'path';
  /** Path data in the element's own space (artwork units, or ems for text); the group's matrix makes it millimeters. */
  readonly d: PathData;
  readonly operation: Operation;
  /** What the art itself is painted with, `#rrggbb`. A material's finish or a machine's layer color replaces it later. */
  readonly fill: string | undefined;
  /** In the element's own space. What ink shows instead of `fill`, its mean, which is all a laser knows. */
  readonly gradient?: Gradient | undefined;
  readonly stroke: string | undefined;
  /** In the element's own space. */
  readonly strokeWidth: number;
  readonly opacity: number;
}

/** A picture not yet traced, from 0, 0 to width, height of the element's own space. Shown and printed; a laser file cannot hold it. */
export interface SceneImage {
  readonly kind: 'image';
  readonly href: string;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
}

/** One element. Its children never change while it is moved, turned or sized: only `matrix` does. */
export interface SceneGroup {
  readonly kind: 'group';
  /** `design`, or `text:<id>`. */
  readonly elementId: string;
  readonly label: string;
  /** 0…1, of the element as a whole. */
  readonly opacity: number;
  /** The element's own space to scene mm. */
  readonly matrix: Matrix;
  readonly children: readonly (ScenePath | SceneImage)[];
  /** The element's box in scene mm, clockwise from its own top left, turned with it. For handles and hit tests. */
  readonly corners: readonly [Point, Point, Point, Point];
  readonly sizeMm: { readonly width: number; readonly height: number };
}

export interface Scene {
  readonly machine: MachineMode;
  /** The machine area: the frame of every production file. */
  readonly widthMm: number;
  readonly heightMm: number;
  readonly groups: readonly SceneGroup[];
  /** Where the frame lies on the product picture; absent without a product. */
  readonly backdrop: Backdrop | undefined;
  /** What paints marks as the material shows them; without it they are plain colors. Preview and mockup only. */
  readonly markPainter?: MarkPainter | undefined;
}

export interface Backdrop {
  readonly pictureHref: string;
  readonly pictureWidthMm: number;
  readonly pictureHeightMm: number;
  /** The machine area's top left corner on the picture, mm. Scene mm = picture mm - this. */
  readonly originMm: Point;
  readonly angleDeg: number;
  readonly finish: MaterialFinish;
}

/** How a material shows a mark. Preview and mockup only. */
export interface MaterialFinish {
  readonly material: string;
  /** What a laser mark looks like. */
  readonly markColor: string;
  /** The tileable picture of brushed steel, square; a drawn gradient stands in where there is none or it does not load. */
  readonly brushedHref?: string | undefined;
}

/** Implemented in finish.ts, which a page loads when there is something to mark. */
export interface MarkPainter {
  paintsFor(scene: Scene, matrix: Matrix): MarkPaints;
  edgeOf(scene: Scene, group?: SceneGroup): SvgNode | undefined;
}

/** The paints of one element's laser marks, and the definitions they need. */
export interface MarkPaints {
  /** The same for elements that lie the same way at the same scale, wherever they lie. */
  readonly key: string;
  /** What a mark is filled with. */
  readonly mark: string;
  /** What bare brushed steel is filled with; the mark's own paint where no steel lies below. */
  readonly steel: string;
  /** Of the paints named: those a drawing uses. */
  defs(used: { readonly mark: boolean; readonly steel: boolean }): readonly SvgNode[];
}

/** What `resolveScene` needs besides the composition. The browser fills it from its caches, the server from its own truth. */
export interface Assets {
  readonly product: ProductAsset | undefined;
  readonly artwork: Artwork | undefined;
  readonly fonts: FontSource;
  readonly markPainter?: MarkPainter | undefined;
}

export interface ProductAsset {
  readonly pictureHref: string;
  /** Width over height of the picture. */
  readonly pictureAspect: number;
  readonly printArea: FractionRect;
  readonly printWidthInches: number;
  readonly printHeightInches: number;
  readonly finish: MaterialFinish;
}

/** Outlines a line of text; implemented in text.ts over loaded font files. `undefined` while the font is not loaded. */
export interface FontSource {
  outline(line: TextLine): OutlinedText | undefined;
}
export interface TextLine {
  readonly text: string;
  readonly fontFamily: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** Drawn with the letters, because it is joined with them where they touch. */
  readonly isUnderlined?: boolean;
  /** Between letters, ems; 0 where there is none. Anything else parts ligatures. */
  readonly letterSpacing?: number;
  /**
   * Of the circle the baseline goes round, ems: its middle lies so far below the middle of the line, or above it when
   * negative. Straight where there is none.
   */
  readonly arcRadius?: number;
}
/** One em is 1 unit; y down; origin at the left end of the baseline. */
export interface OutlinedText {
  readonly d: PathData;
  readonly advance: number;
  readonly ascent: number;
  readonly descent: number;
  /** The characters that no font has, each once: they are not drawn. */
  readonly leftOut?: readonly string[];
}
