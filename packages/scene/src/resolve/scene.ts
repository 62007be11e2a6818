/** The scene: a composition resolved to absolute shapes in millimeters, without percentages, fonts or defaults. */
import type { Artwork, Gradient } from '../artwork/artwork.ts';
import type { AreaClip } from '../document/areaClips.ts';
import type { ElementWhite, FigureElement, FractionRect, MachineMode, Operation } from '../document/composition.ts';
import type { ElementId } from '../document/elements.ts';
import type { Matrix, Point } from '../geometry/matrix.ts';
import type { Contour, PathData } from '../geometry/pathData.ts';
import type { PlacedSurface, RoundSurface } from '../surface/surface.ts';
import type { SvgNode } from '../svg/svg.ts';

/** A shape with its paint, and what the machine does with it. */
export interface ScenePath {
  readonly kind: 'path';
  /** Path data in the element's own space (artwork units, or ems for text); the group's matrix makes it millimeters. */
  readonly d: PathData;
  /** The same as `d`, of a path that was not read from text. Who needs places takes these, and no text is made. */
  readonly contours?: readonly Contour[] | undefined;
  readonly operation: Operation;
  /** The place of an engraved shape among its artwork's tones, from 0, where a person has set their order. */
  readonly tone?: { readonly index: number; readonly count: number } | undefined;
  /** The artwork's own color, `#rrggbb`. A material's finish or a machine's layer color replaces it later. */
  readonly fill: string | undefined;
  /** In the element's own space. Ink shows it instead of `fill`, which is its mean color: a laser knows only that. */
  readonly gradient?: Gradient | undefined;
  readonly stroke: string | undefined;
  /** In the element's own space. */
  readonly strokeWidth: number;
  /** 0…1. */
  readonly opacity: number;
}

/**
 * A picture without a trace, from 0, 0 to width, height of the element's own space. It is shown and printed; a laser
 * file cannot hold it.
 */
export interface SceneImage {
  readonly kind: 'image';
  readonly href: string;
  readonly width: number;
  readonly height: number;
  /** Maps it to the element's own space. Absent: it is there already. */
  readonly matrix?: Matrix | undefined;
  readonly opacity: number;
}

/**
 * A picture that a laser burns dot by dot. Its pixels are squares of `intervalMm` along the edges of the machine area,
 * so the raster is made for one rotation and size of its element.
 */
export interface SceneRaster {
  readonly kind: 'raster';
  /** Address of a picture of `width` by `height` pixels: white, and opaque where it is burnt. */
  readonly href: string;
  readonly width: number;
  readonly height: number;
  /** Maps the pixels to the element's own space. */
  readonly matrix: Matrix;
  readonly intervalMm: number;
  /** A raster has its tones in its dots. */
  readonly opacity: 1;
  /**
   * How much of the area dots gain where half of it is burnt, 0…0.25: char spreads. Preview and mockup only. Undefined
   * for a sketch, whose picture has the gain already.
   */
  readonly dotGain: number | undefined;
  /** The raster for a file. Absent on a screen. */
  readonly file?: RasterFile | undefined;
}

/** The pixels that a machine burns. */
export interface RasterFile {
  /**
   * Row by row, each of whole bytes: a bit for each pixel, the first one the highest, of which a set one is bare. In
   * gray a byte, of which 0 is burnt and 255 is bare. Bits beyond the last pixel of a row are 0.
   */
  readonly rows: Uint8Array;
  /** True when there are tones between, for a machine that controls its power. */
  readonly isGray: boolean;
}

/** The picture of an artwork as a laser burns it. */
export interface EngravedArtwork {
  readonly children: readonly (ScenePath | SceneRaster)[];
  /** The box around what is burnt, in fractions of the artwork's frame. Undefined when nothing is. */
  readonly ink: FractionRect | undefined;
}

/** A rotated box in scene mm. */
export interface ElementBox {
  /** Clockwise from the element's own top left, rotated with it. */
  readonly corners: readonly [Point, Point, Point, Point];
  readonly sizeMm: { readonly width: number; readonly height: number };
}

/** One element. Its children stay the same while it is moved, rotated or resized: only `matrix` changes. */
export interface SceneGroup extends ElementBox {
  readonly kind: 'group';
  readonly elementId: ElementId;
  readonly label: string;
  /** 0…1, of the element as a whole. */
  readonly opacity: number;
  /** Absent: white ink lies under what is printed of it. */
  readonly white?: ElementWhite | undefined;
  /** Maps the element's own space to scene mm. */
  readonly matrix: Matrix;
  readonly children: readonly (ScenePath | SceneImage | SceneRaster)[];
  /** Gaps in its cuts up to this are closed in a file, mm. Absent: only those that every file closes. */
  readonly gapMm?: number | undefined;
  /**
   * The box of a text's lines, whatever its letters are, with the text's position in its middle. The box of every
   * element itself is that of its ink: handles, sizes, alignment and snapping speak of what is made.
   */
  readonly lineBox?: ElementBox;
  /** Of a text on a circle, whose box of lines is that of the circle: the band of letters, from its middle. */
  readonly bandMm?: { readonly inner: number; readonly outer: number };
  /** Of a code. */
  readonly code?: PlacedCode | undefined;
}

/** What a code needs to be read. */
export interface PlacedCode {
  /** The width of a module. */
  readonly moduleMm: number;
  /** The corners of the code with the space around it that must stay free, in scene mm, like those of a box. */
  readonly quietZone: ElementBox['corners'];
}

/** Returns the box that an element is placed by: that of its lines for a text. */
export const placedBox = (group: SceneGroup): ElementBox => group.lineBox ?? group;

/** Everything that a target draws, in mm from the machine area's top left corner, y down. */
export interface Scene {
  readonly machine: MachineMode;
  /** The machine area: the frame of every production file. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** What else limits the marks, besides the machine area. Absent: nothing. */
  readonly area?: readonly AreaClip[] | undefined;
  readonly groups: readonly SceneGroup[];
  /** The texts with letters that no font has. Absent where there are none. */
  readonly missingLetters?: readonly MissingLetters[] | undefined;
  /** The codes whose data cannot be encoded. Absent where there are none. */
  readonly codeFaults?: readonly CodeFault[] | undefined;
  /** The product picture and where the machine area is on it. Undefined without a product. */
  readonly backdrop: Backdrop | undefined;
  /** Set when the groups are their picture on a round blank (`wrapScene`). Preview and mockup only. */
  readonly wrap?: SceneWrap | undefined;
  /** Paints marks as the material shows them. Without it they are plain colors. Preview and mockup only. */
  readonly markPainter?: MarkPainter | undefined;
}

/** The letters of a text that no loaded font has, each once. They are drawn by no target. */
export interface MissingLetters {
  readonly elementId: string;
  readonly letters: readonly string[];
}

/** A code that cannot be made, and why, in a sentence. It is drawn by no target. */
export interface CodeFault {
  readonly elementId: string;
  readonly sentence: string;
}

/** The product picture under the machine area. Preview and mockup only. */
export interface Backdrop {
  readonly pictureHref: string;
  readonly pictureWidthMm: number;
  readonly pictureHeightMm: number;
  /** The machine area's top left corner on the picture, mm. Scene mm = picture mm - this. */
  readonly originMm: Point;
  /** Rotation of the machine area on the picture, in degrees clockwise. */
  readonly angleDeg: number;
  readonly finish: MaterialFinish;
  /** The surface of a round blank. Absent: flat. */
  readonly surface?: BackdropSurface | undefined;
}

/** A round blank in its picture. */
export interface BackdropSurface {
  readonly form: RoundSurface;
  /** The middle of the product's print area, scene mm: the surface is calibrated there. */
  readonly middleMm: Point;
}

/** What a wrapped scene is drawn with. */
export interface SceneWrap {
  /** Light and shadow of the product's picture, over the marks. Absent: none. */
  readonly light?: SceneLight | undefined;
}

/** A picture over the marks, scene mm. */
export interface SceneLight {
  readonly href: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The look of a mark on a material. Preview and mockup only. */
export interface MaterialFinish {
  readonly material: string;
  /** The color of a laser mark. */
  readonly markColor: string;
  /**
   * Address of a square picture of brushed steel that tiles. Without it, or until it loads, a drawn gradient is shown.
   */
  readonly brushedHref?: string | undefined;
}

/** Implemented in render/markPainter.ts, which a page loads when there is something to mark. */
export interface MarkPainter {
  paintsFor(scene: Scene, matrix: Matrix): MarkPaints;
  edgeOf(scene: Scene, group?: SceneGroup): SvgNode | undefined;
}

/** The paints of one element's laser marks, and the SVG definitions they need. */
export interface MarkPaints {
  /** Equal for elements of the same rotation and scale, wherever they are. */
  readonly key: string;
  /** The fill of a mark. */
  readonly mark: string;
  /** The fill of bare brushed steel; equal to `mark` when the material has no steel below. */
  readonly steel: string;
  /** Returns the definitions of the paints that a drawing uses. */
  defs(usage: { readonly mark: boolean; readonly steel: boolean }): readonly SvgNode[];
}

/** The input of `resolveScene` besides the composition. The browser has it in caches, the server in its database. */
export interface Assets {
  readonly product: ProductAsset | undefined;
  /** By the id of the element that shows it. */
  readonly artworks: ReadonlyMap<string, Artwork>;
  /** The engravings of artworks, by the id of their elements, as far as they are made. */
  readonly engravings?: ReadonlyMap<string, EngravedArtwork> | undefined;
  readonly fonts: FontSource;
  /** Absent until it is loaded: codes and shapes are then not drawn. */
  readonly figures?: FigureSource | undefined;
  readonly markPainter?: MarkPainter | undefined;
}

/** The facts about a product that a scene needs. */
export interface ProductAsset {
  readonly pictureHref: string;
  /** Width over height of the picture. */
  readonly pictureAspect: number;
  /** In fractions of the picture. */
  readonly printArea: FractionRect;
  /** The shape of the print area (`productArea`), in mm from its rectangle's top left corner. Absent: all of it. */
  readonly area?: readonly AreaClip[] | undefined;
  readonly printWidthInches: number;
  readonly printHeightInches: number;
  readonly finish: MaterialFinish;
  /** Absent: flat. */
  readonly surface?: PlacedSurface | undefined;
}

/** Draws codes and shapes; implemented in figures/figures.ts, which is loaded with the first of them. */
export interface FigureSource {
  /** Returns undefined while the font of a code's letters is not loaded. */
  draw(figure: FigureElement, fonts: FontSource): FigureDrawing | undefined;
}

/** A code or a shape in its own space. */
export interface FigureDrawing {
  /** The same object for the same look, whatever its place and, of a code, its size. */
  readonly outlines: FigureOutlines;
  /** Length of the own unit: that of a module in a code. */
  readonly unitMm: number;
  /** Of a code. */
  readonly quietZone?: OwnBox | undefined;
  /** Why a code cannot be made, in a sentence; empty when there is no data yet. It has no outlines then. */
  readonly fault?: string | undefined;
}

export interface FigureOutlines {
  /** What is filled, by even-odd. */
  readonly fill: PathData;
  /** What a tool follows. */
  readonly lines: PathData;
  /** The box around it. */
  readonly box: OwnBox;
}

/** A box in an own space. */
export interface OwnBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Outlines a line of text; implemented in text/text.ts. Returns undefined while the font is not loaded. */
export interface FontSource {
  outline(line: TextLine): OutlinedText | undefined;
}
/** One line of text and everything that changes its outline. */
export interface TextLine {
  readonly text: string;
  readonly fontFamily: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** The underline is part of the outline, because it is joined with letters where they touch. */
  readonly isUnderlined?: boolean;
  /** Extra space between letters in ems; absent means 0. Any other value splits ligatures. */
  readonly letterSpacing?: number;
  /**
   * Radius, in ems, of the circle that the baseline follows. The center of the circle is below the middle of the line,
   * or above it when the radius is negative. Absent for a straight line.
   */
  readonly arcRadius?: number;
}
/** The outline of a line: one em is 1 unit, y points down, the origin is the left end of the baseline. */
export interface OutlinedText {
  readonly d: PathData;
  /** The width of the line along its baseline, in ems, as are ascent and descent. */
  readonly advance: number;
  readonly ascent: number;
  readonly descent: number;
  /** The height of the letter H. Absent: the font has none. */
  readonly capHeight?: number | undefined;
  /** True where `d` is strokes that a tool follows, and no outlines: the letters of a single-line font. */
  readonly isSingleLine?: boolean;
  /** The characters that no loaded font has, each once. They are not drawn. */
  readonly leftOut?: readonly string[];
}
