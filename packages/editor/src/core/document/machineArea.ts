/** The machine area in true units, for fields and keys. Clamping is the command's. */
import {
  type Command,
  type Composition,
  type FractionRect,
  MIN_MACHINE_AREA,
  type Point,
  type ProductAsset,
} from '@markwright/scene';
import { MM_PER_INCH } from './measure.ts';

/** Size and place of the machine area, in mm. */
export interface MachineAreaMm {
  readonly width: number;
  readonly height: number;
  /** Where its middle is, from the middle of the print area, mm; x to the right, y down. */
  readonly x: number;
  readonly y: number;
}

export function readMachineAreaMm({ machineArea }: Composition, product: ProductAsset): MachineAreaMm {
  const { printArea } = product;
  const area = machineArea ?? printArea;
  const picture = pictureMm(product);
  return {
    width: area.width * picture.width,
    height: area.height * picture.height,
    x: (middle(area).x - middle(printArea).x) * picture.width,
    y: (middle(area).y - middle(printArea).y) * picture.height,
  };
}

/** Returns the range of each number in mm, while the others stay as they are. */
export function machineAreaLimitsMm({ machineArea }: Composition, product: ProductAsset) {
  const { printArea } = product;
  const area = machineArea ?? printArea;
  const picture = pictureMm(product);
  const from = middle(printArea);
  return {
    width: { min: MIN_MACHINE_AREA * picture.width, max: picture.width },
    height: { min: MIN_MACHINE_AREA * picture.height, max: picture.height },
    x: { min: (area.width / 2 - from.x) * picture.width, max: (1 - area.width / 2 - from.x) * picture.width },
    y: { min: (area.height / 2 - from.y) * picture.height, max: (1 - area.height / 2 - from.y) * picture.height },
  };
}

/**
 * Returns the command that sets some of the numbers. A new size keeps the middle where it is, unless the picture ends
 * there.
 */
export function setMachineAreaMm(
  composition: Composition,
  product: ProductAsset,
  changes: Partial<MachineAreaMm>,
): Command {
  const { printArea, pictureAspect } = product;
  const next = { ...readMachineAreaMm(composition, product), ...changes };
  const picture = pictureMm(product);
  const from = middle(printArea);
  const width = clampLength(next.width / picture.width);
  const height = clampLength(next.height / picture.height);
  const area = {
    x: from.x + next.x / picture.width - width / 2,
    y: from.y + next.y / picture.height - height / 2,
    width,
    height,
  };
  return { type: 'setMachineArea', area, printArea, pictureAspect };
}

/** Returns the command that moves the machine area by percent of its own width and height. */
export function nudgeMachineArea(composition: Composition, product: ProductAsset, dx: number, dy: number): Command {
  const { printArea, pictureAspect } = product;
  const area = composition.machineArea ?? printArea;
  const shiftedArea = { ...area, x: area.x + (dx / 100) * area.width, y: area.y + (dy / 100) * area.height };
  return { type: 'setMachineArea', area: shiftedArea, printArea, pictureAspect };
}

/** Returns the command that makes the machine area the whole print area again. */
export function resetMachineArea({ printArea, pictureAspect }: ProductAsset): Command {
  return { type: 'setMachineArea', area: undefined, printArea, pictureAspect };
}

function pictureMm({ printWidthInches, printArea, pictureAspect }: ProductAsset) {
  const width = (printWidthInches * MM_PER_INCH) / printArea.width;
  return { width, height: width / pictureAspect };
}

const clampLength = (fraction: number) => Math.min(1, Math.max(MIN_MACHINE_AREA, fraction));

const middle = ({ x, y, width, height }: FractionRect): Point => ({ x: x + width / 2, y: y + height / 2 });
