/** The little of fontkit that is used; the package has no types. */
declare module 'fontkit' {
  export interface PathCommand {
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    readonly args: readonly number[];
  }
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly path: { readonly commands: readonly PathCommand[] };
    readonly bbox: { readonly maxY: number };
    /** Of a TrueType glyph: reads it without its components. Null for an empty one. */
    _decode?(): {
      readonly numberOfContours: number;
      readonly points?: readonly unknown[];
      readonly components?: readonly { readonly glyphID: number }[];
    } | null;
  }
  export interface GlyphPosition {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }
  export interface Font {
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly lineGap: number;
    readonly underlinePosition: number;
    readonly underlineThickness: number;
    readonly post?: {
      readonly underlinePosition: number;
      readonly underlineThickness: number;
      readonly italicAngle: number;
    };
    readonly numGlyphs: number;
    readonly fullName: string | null;
    readonly familyName: string | null;
    readonly directory: { readonly tables: Readonly<Record<string, TableEntry>> };
    readonly 'OS/2'?: { readonly usWeightClass: number; readonly capHeight?: number; readonly xHeight?: number };
    readonly GSUB?: LayoutTable;
    readonly GPOS?: LayoutTable;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(id: number): Glyph;
    layout(
      text: string,
      features?: Readonly<Record<string, boolean>>,
    ): { readonly glyphs: readonly Glyph[]; readonly positions: readonly GlyphPosition[] };
    /** The glyphs that were read, by their ids. */
    _glyphs: Record<number, Glyph>;
    /** Places the stream at a table, which a WOFF2 must have unpacked before. */
    _getTableStream(tag: string): { readBuffer(length: number): Uint8Array } | null;
  }
  /** `offset` is that in the file, `transformLength` the length of a table that WOFF2 stores in another form. */
  export interface TableEntry {
    readonly offset?: number;
    readonly length: number;
    readonly transformLength?: number | null;
  }
  /** Tables of letter combinations (GSUB) and of distances (GPOS). */
  export interface LayoutTable {
    readonly lookupList: {
      readonly length: number;
      get(index: number): { readonly lookupType: number; readonly subTables: readonly unknown[] };
    };
  }
  /** Reads TTF, OTF, WOFF and WOFF2. Throws an Error on anything else. */
  export function create(bytes: Uint8Array): Font;
}
