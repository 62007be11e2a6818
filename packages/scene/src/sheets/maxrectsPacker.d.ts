/**
 * The part of maxrects-packer that we call. The package's own entry is no module that Node can import names from, and
 * this file of it has no types.
 */
declare module 'maxrects-packer/dist/maxrects-packer.mjs' {
  export class Rectangle {
    width: number;
    height: number;
    x: number;
    y: number;
    /** True for one that was turned: width and height are then those on the sheet. */
    rot: boolean;
    /** True for one that is larger than the sheet. */
    oversized: boolean;
    constructor(width: number, height: number, x: number, y: number, rot: boolean, allowRotation: boolean);
  }
  export enum PACKING_LOGIC {
    MAX_AREA = 0,
    MAX_EDGE = 1,
    FILL_WIDTH = 2,
  }
  export interface Options {
    readonly smart: boolean;
    readonly pot: boolean;
    readonly square: boolean;
    readonly border: number;
    readonly allowRotation: boolean;
    readonly logic: PACKING_LOGIC;
  }
  export class MaxRectsPacker<T extends Rectangle> {
    readonly bins: readonly { readonly rects: readonly T[] }[];
    constructor(width: number, height: number, padding: number, options: Options);
    add(rect: T): T;
  }
}
