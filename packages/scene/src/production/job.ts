/**
 * The production job: all that a machine makes of one composition, as clean contours in mm. Every writer of a
 * production file reads only a job, so that all formats of a composition hold the same.
 */
import type { Gradient } from '../artwork/artwork.ts';
import type { AreaClip } from '../document/areaClips.ts';
import type { MachineMode } from '../document/composition.ts';
import type { Matrix, Point } from '../geometry/matrix.ts';
import type { Contour } from '../geometry/pathData.ts';
import type { RasterFile } from '../resolve/scene.ts';

/** In mm from the frame's top left corner, y down. No contour reaches outside the frame. */
export interface Job {
  readonly machine: MachineMode;
  /** The frame: the machine area, as wide and high as every file is. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** What else limits the marks, mirrored as they are. Absent: nothing but the frame. */
  readonly area?: readonly AreaClip[] | undefined;
  /** True for a job that is turned over for a transfer print: its contours are mirrored already. */
  readonly isMirrored: boolean;
  /** The pictures that a laser burns dot by dot, before its plates, back to front. */
  readonly rasters: readonly JobRaster[];
  /** In running order, none of them empty. Laser: engrave before score before cut, and guides last. */
  readonly plates: readonly Plate[];
  readonly findings: readonly JobFinding[];
}

/** A picture to burn dot by dot, clipped to the frame by whole pixels. It is an engrave layer of its own. */
export interface JobRaster {
  /** Unique in the job, of a-z, 0-9 and hyphens: `photo-1`. */
  readonly id: string;
  readonly elementId: string;
  /** The top left corner of the first pixel, in frame mm. */
  readonly x: number;
  readonly y: number;
  /** Of pixels, which are squares of `intervalMm`. */
  readonly width: number;
  readonly height: number;
  readonly intervalMm: number;
  /** Absent in a job that no file is made from: the preflight's. */
  readonly file?: RasterFile | undefined;
}

export type Plate = OutlinePlate | ColorPlate;

/** Outlines that one tool makes in one go. */
export interface OutlinePlate {
  /** `engrave`, `white` and `gloss` fill their outlines by even-odd; `score`, `cut` and `guide` follow them. */
  readonly kind: 'engrave' | 'score' | 'cut' | 'white' | 'gloss' | 'guide';
  /** Unique in the job, of a-z, 0-9 and hyphens: `engrave-c00`, `cut-c02`, `guide-t1`, `white`. */
  readonly id: string;
  /** `#rrggbb`: for a laser the exact color of LightBurn's palette. */
  readonly color: string;
  /** Compound outlines in the order in which they are made. Of cuts, inner ones come before outer ones. */
  readonly outlines: readonly JobOutline[];
}

export interface JobOutline {
  /** The element it came from; the first of several that were joined. */
  readonly elementId: string;
  /** Of a filling plate all are closed, and they do not cross. */
  readonly contours: readonly Contour[];
  /** True where they were too dense to look for crossings. */
  readonly mayCross?: true | undefined;
}

/** The artwork's own colors, back to front. Machines with ink alone have it. */
export interface ColorPlate {
  readonly kind: 'color';
  readonly id: 'color';
  readonly groups: readonly ColorGroup[];
}

/** One element. Its opacity is that of the whole: shapes that overlap do not show through each other. */
export interface ColorGroup {
  readonly elementId: string;
  readonly opacity: number;
  /** The area of white ink below the element, empty for none. Absent: white lies under what is printed of it. */
  readonly whiteArea?: readonly Contour[] | undefined;
  readonly shapes: readonly ColorShape[];
  /** Pictures without a trace, behind the shapes. The server refuses files with pictures; it never passes any. */
  readonly pictures: readonly ColorPicture[];
}

export interface ColorShape {
  readonly contours: readonly Contour[];
  /** `#rrggbb`. Filled by even-odd. All contours of a filled shape are closed. */
  readonly fill: string | undefined;
  /** In frame mm. It replaces `fill`, which is its mean color. */
  readonly gradient?: Gradient | undefined;
  /** Butt caps and miter joins (limit 4), as SVG draws by default. */
  readonly stroke: string | undefined;
  readonly strokeWidthMm: number;
  readonly opacity: number;
}

/** From 0, 0 to width, height of its own space, which `matrix` maps to frame mm. */
export interface ColorPicture {
  readonly href: string;
  readonly width: number;
  readonly height: number;
  readonly matrix: Matrix;
  readonly opacity: number;
}

/** A fact about the job that an operator has to know. Places are in frame mm: boxes, or outlines of what is gone. */
export interface JobFinding {
  readonly kind:
    | 'missingLetters'
    | 'openContour'
    | 'duplicateCut'
    | 'crossingCut'
    | 'clippedCut'
    | 'droppedDetail'
    | 'outerBeforeInner'
    | 'closedGap'
    | 'kerfLoss';
  readonly elementId: string;
  /** The other element, where lines of two lie on each other or cross. */
  readonly withId?: string | undefined;
  readonly count: number;
  readonly lengthMm: number;
  /** Of detail that was dropped. */
  readonly areaMm2?: number | undefined;
  /** Of cuts that cross: a shift by which the element's outlines no longer would. Absent where one crosses itself. */
  readonly clearBy?: Point | undefined;
  readonly places: readonly (readonly Point[])[];
}
