/** Outlines read from a file of a machine's or a drawing program, and the limits that every reader of them keeps. */
import type { Contour, PathBounds } from '../geometry/pathData.ts';

/** Thrown when a file is not accepted. The message is a sentence for the person who sent it. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** What a machine does with a layer. A `guide` is shown and never made. */
export type LayerOperation = 'engrave' | 'score' | 'cut' | 'guide';

/** All lengths are in mm, y points down. A file whose y points up is turned over at its origin: there y is below 0. */
export interface ContourFile {
  /** The sheet, if the file says its size. */
  readonly frame: PathBounds | undefined;
  /** True for a drawing without a unit, whose numbers are taken as mm. */
  readonly isUnitless?: boolean;
  /** The corner of the sheet that is the file's origin. */
  readonly origin: 'topLeft' | 'bottomLeft';
  /**
   * In running order if the file has one, otherwise in the order in which the file names them. A layer with two
   * operations is there twice.
   */
  readonly layers: readonly ContourLayer[];
  /** The pictures in the file, which are no outlines and dropped from uploads. */
  readonly pictures?: readonly FilePicture[];
  /** Names of what was left out because it is no outline (`TEXT`, `Bitmap`), sorted, to tell the person. */
  readonly droppedKinds: readonly string[];
}

/** A picture in a file. Its first row is the upper one. */
export interface FilePicture {
  /** The name of its layer. */
  readonly layer: string;
  /** The corners of its box in mm, as contours have them. */
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** True when the program burns its pixels as they are. */
  readonly passesThrough: boolean;
  readonly png: Uint8Array;
}

export interface ContourLayer {
  readonly name: string;
  /** `#rrggbb`, lower case. */
  readonly color: string | undefined;
  /** Undefined if the file does not say it. */
  readonly operation: LayerOperation | undefined;
  /** Compound outlines in the file's order. */
  readonly outlines: readonly (readonly Contour[])[];
}

export const CONTOUR_FILE_LIMITS = {
  /** More than any file of ours; what a person may upload is limited further. */
  bytes: 64 * 1024 * 1024,
  /** Coordinate pairs, after every reference is followed. */
  points: 1_000_000,
  /** Entities, shapes or commands, after every reference is followed. */
  entities: 200_000,
  /** Records or elements of the file's text. */
  records: 2_000_000,
  /** Pairs of a DXF file, after every block is followed. */
  tags: 8_000_000,
  layers: 1000,
  depth: 50,
  /** The largest coordinate, mm: a bed of 100 m. */
  coordinateMm: 100_000,
} as const;

/** Collects outlines by layer and keeps the limits. Every method throws `FileRefused`. */
export class ContourCollector {
  readonly #layers = new Map<string, Contour[][]>();
  readonly #dropped = new Set<string>();
  #points = 0;
  #entities = 0;
  #tags = 0;

  /** Adds an outline. Contours without a segment are left out. Its numbers must be finite and near enough. */
  add(layer: string, contours: readonly Contour[]): void {
    const usable = contours.filter(({ commands }) => commands.length > 0);
    if (usable.length === 0) return;
    for (const { points } of usable) {
      this.requireRoom(points.length / 2);
      this.#points += points.length / 2;
      // Written so that NaN fails, too.
      for (const value of points) {
        if (Math.abs(value) <= CONTOUR_FILE_LIMITS.coordinateMm) continue;
        throw new FileRefused('This file holds coordinates that are no places on a machine.');
      }
    }
    const outlines = this.#layers.get(layer);
    if (outlines) outlines.push(usable);
    else {
      if (this.#layers.size === CONTOUR_FILE_LIMITS.layers) throw new FileRefused('This file has too many layers.');
      this.#layers.set(layer, [usable]);
    }
  }

  /** Notes a kind of content that is no outline. A name that no program gives one is not repeated to the person. */
  drop(kind: string): void {
    if (this.#dropped.size < 100) this.#dropped.add(/^[\w-]{1,40}$/.test(kind) ? kind : 'unknown');
  }

  countEntity(): void {
    if (++this.#entities > CONTOUR_FILE_LIMITS.entities) throw new FileRefused('This file has too many parts.');
  }

  /** Counts pairs that are read, again for each time that a block is inserted: a few lines can insert it often. */
  countTags(count: number): void {
    this.#tags += count;
    if (this.#tags > CONTOUR_FILE_LIMITS.tags) throw new FileRefused('This file has too many parts.');
  }

  /** Throws where `count` further points are more than a file may have. */
  requireRoom(count: number): void {
    if (this.#points + count > CONTOUR_FILE_LIMITS.points) throw new FileRefused('This file has too many points.');
  }

  get layers(): ReadonlyMap<string, readonly (readonly Contour[])[]> {
    return this.#layers;
  }

  get droppedKinds(): string[] {
    return [...this.#dropped].sort();
  }
}

/** Returns the encoding that a byte order mark names, if it is UTF-16. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/**
 * Decodes the bytes of a text file: UTF-16 with its mark, UTF-8, or Latin-1 where they are no UTF-8, as older programs
 * write. Throws `FileRefused` for a file that is too large, empty or binary.
 */
export function decodeTextFile(bytes: Uint8Array): string {
  if (bytes.length > CONTOUR_FILE_LIMITS.bytes) throw new FileRefused('This file is too large.');
  if (bytes.length === 0) throw new FileRefused('This file is empty.');
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) throw new FileRefused('This file is binary, which is not accepted.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Throws `FileRefused` for a file without a single outline. */
export function requireOutlines(collector: ContourCollector): void {
  if (collector.layers.size === 0) throw new FileRefused('This file holds no outlines.');
}
