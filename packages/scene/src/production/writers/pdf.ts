/** Writes a job as a PDF with named inks. */
import type { Gradient } from '../../artwork/artwork.ts';
import { type Contour, looseBounds } from '../../geometry/pathData.ts';
import type { ColorGroup, ColorPlate, ColorShape, Job, OutlinePlate, Plate } from '../job.ts';
import { createPdfFile, type Deflate, type PdfFile, pdfName, pdfNumbers, pdfText } from './pdfFile.ts';
import { gradientMatrix, isTranslucent, type PdfColors, pdfColors, pdfShading, type ToCmyk } from './pdfPaint.ts';
import { refuseRasters } from './segments.ts';
import { SPOT_LOOKS, type SpotNames, type SpotPlate } from './spots.ts';

export interface PdfOptions {
  readonly title: string;
  /** Converts the artwork's colors to inks. Without it they stay sRGB values (DeviceRGB). */
  readonly toCmyk?: ToCmyk | undefined;
  /** The color profile (ICC) of four inks that the colors were converted by, to go into the file with its name. */
  readonly profile?: { readonly name: string; readonly bytes: Uint8Array } | undefined;
  readonly spots: SpotNames;
  /**
   * The page is larger than the frame by this on each side, in mm, and the job goes on there as its mirror image. At
   * most the shorter side of the frame.
   */
  readonly bleedMm?: number | undefined;
  readonly deflate?: Deflate | undefined;
}

const POINTS_PER_MM = 72 / 25.4;
/** A line that a driver follows: 0.025 mm, as those of Trotec, Epilog and Universal want it. */
const HAIRLINE_MM = 0.025;
const MITER_LIMIT = 4;

/**
 * Writes a PDF 1.6 of one page. The frame is the trim box, in points of 1/72 inch; the media box and the bleed box are
 * the frame and its bleed. Each plate is an optional content group by the name of its ink. The colors come first, in
 * the artwork's own shapes, and the spot colors on top with overprint: so a separation finds each spot plate full and
 * leaves the colors whole. Guides are no part of it. A laser's plates are in their palette colors: engravings as fills,
 * scores and cuts as hairlines.
 *
 * An element's opacity is that of a transparency group. The same job and options give the same bytes. Cost: linear in
 * the nodes. Throws a RangeError for a coordinate that is not finite, and `FormatUnfit` for a photograph in dots.
 */
export function writePdf(job: Job, options: PdfOptions): Uint8Array {
  refuseRasters(job, 'PDF');
  const bleedMm = Math.min(Math.max(0, options.bleedMm ?? 0), job.widthMm, job.heightMm);
  const file = createPdfFile(options.deflate);
  const resources = createResources(file);
  const colors = pdfColors(options.toCmyk);
  const plates = inPaintingOrder(job);
  const layers = plates.map((plate) => addLayer(file, plateName(plate, job, options.spots)));
  const marks = plates
    .map((plate, i) => {
      const property = resources.add('Properties', `${layers[i]} 0 R`);
      return `/OC ${property} BDC\n${drawPlate(plate, { job, file, resources, colors, spots: options.spots })}EMC\n`;
    })
    .join('');

  const content = drawPage(job, bleedMm, marks, resources, file);
  const [width, height] = [job.widthMm, job.heightMm].map((mm) => (mm + 2 * bleedMm) * POINTS_PER_MM);
  const margin = bleedMm * POINTS_PER_MM;
  const pages = file.reserve();
  const page = file.add(
    [
      `<< /Type /Page /Parent ${pages} 0 R`,
      `/MediaBox [${pdfNumbers(0, 0, width!, height!)}] /BleedBox [${pdfNumbers(0, 0, width!, height!)}]`,
      `/TrimBox [${pdfNumbers(margin, margin, width! - margin, height! - margin)}]`,
      // Groups are blended in the color space of the file, whatever the program's own.
      `/Group << /Type /Group /S /Transparency /CS ${colors.space} >>`,
      `/Resources ${resources.number} 0 R /Contents ${content} 0 R >>`,
    ].join('\n'),
  );
  file.add(`<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`, pages);
  resources.finish();
  const list = layers.map((number) => `${number} 0 R`).join(' ');
  const groups = `/OCProperties << /OCGs [${list}] /D << /Order [${list}] /ON [${list}] >> >>`;
  const root = file.add(`<< /Type /Catalog /Pages ${pages} 0 R ${groups}${addOutputIntent(file, options.profile)} >>`);
  const info = file.add(`<< /Title ${pdfText(options.title)} /Producer ${pdfText('Markwright')} >>`);
  return file.finish(root, info);
}

/**
 * Adds the profile that says what the four inks mean, and returns its entry of the catalog. The colors stay as they are
 * (DeviceCMYK), so that a program which ignores it prints the same inks.
 */
function addOutputIntent(file: PdfFile, profile: PdfOptions['profile']): string {
  if (!profile) return '';
  const stream = file.addStream('/N 4', profile.bytes);
  const name = pdfText(profile.name);
  const intent = `/Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier ${name} /Info ${name}`;
  return ` /OutputIntents [<< ${intent} /DestOutputProfile ${stream} 0 R >>]`;
}

/** Lists the plates from the lowest in the file to the uppermost. */
function inPaintingOrder({ plates }: Job): Plate[] {
  const order: readonly Plate['kind'][] = ['color', 'engrave', 'white', 'gloss', 'score', 'cut'];
  return order.flatMap((kind) => plates.filter((plate) => plate.kind === kind));
}

const spotOf = ({ kind }: Plate, { machine }: Job): SpotPlate | undefined =>
  machine !== 'laser' && (kind === 'white' || kind === 'gloss' || kind === 'cut' || kind === 'score')
    ? kind
    : undefined;

function plateName(plate: Plate, job: Job, spots: SpotNames): string {
  const spot = spotOf(plate, job);
  if (spot) return spots[spot];
  return plate.kind === 'color' ? 'Color' : plate.id;
}

const addLayer = (file: PdfFile, name: string): number => file.add(`<< /Type /OCG /Name ${pdfText(name)} >>`);

/** Adds the content of the page: the marks, and with a bleed their mirror images at its sides. Returns its number. */
function drawPage(job: Job, bleedMm: number, marks: string, resources: Resources, file: PdfFile): number {
  const { widthMm, heightMm } = job;
  // Millimeters from the frame's top left corner, y down, as in the job.
  const k = POINTS_PER_MM;
  const space = `${pdfMatrix([k, 0, 0, -k, bleedMm * k, (heightMm + bleedMm) * k])} cm\n${MITER_LIMIT} M\n`;
  if (bleedMm === 0) return file.addStream('', `q\n${space}${marks}Q\n`);
  const base = addForm(file, resources, [0, 0, widthMm, heightMm], marks);
  const draw = resources.add('XObject', `${base} 0 R`);
  const placements: string[] = [];
  for (const [a, e] of [
    [1, 0],
    [-1, 0],
    [-1, 2 * widthMm],
  ] as const) {
    for (const [d, f] of [
      [1, 0],
      [-1, 0],
      [-1, 2 * heightMm],
    ] as const) {
      placements.push(`q ${pdfMatrix([a, 0, 0, d, e, f])} cm ${draw} Do Q\n`);
    }
  }
  return file.addStream('', `q\n${space}${placements.join('')}Q\n`);
}

/** Scales need more decimals than places: over 1,000 mm the eighth is a hundredth of a micron. */
const pdfMatrix = (numbers: readonly number[]): string =>
  numbers.map((value) => Number(value.toFixed(8)).toString()).join(' ');

function addForm(file: PdfFile, resources: Resources, box: readonly number[], marks: string, group = ''): number {
  const head = `/Type /XObject /Subtype /Form /BBox [${pdfNumbers(...box)}] /Resources ${resources.number} 0 R ${group}`;
  return file.addStream(head, marks);
}

/** The named resources of all contents: one dictionary, because a group may use what its page does. */
interface Resources {
  readonly number: number;
  /** Returns the name of a value, which is there once. */
  add(kind: ResourceKind, value: string): string;
  finish(): void;
}
const RESOURCE_KINDS = ['ColorSpace', 'ExtGState', 'Properties', 'Shading', 'XObject'] as const;
type ResourceKind = (typeof RESOURCE_KINDS)[number];

function createResources(file: PdfFile): Resources {
  const number = file.reserve();
  const names = new Map<ResourceKind, Map<string, string>>(RESOURCE_KINDS.map((kind) => [kind, new Map()]));
  return {
    number,
    add(kind, value) {
      const values = names.get(kind)!;
      const name = values.get(value) ?? `/${kind[0]}${values.size}`;
      values.set(value, name);
      return name;
    },
    finish() {
      const groups = [...names].map(([kind, values]) => {
        const entries = [...values].map(([value, name]) => `${name} ${value}`).join('\n');
        return values.size > 0 ? `/${kind} <<\n${entries}\n>>` : '';
      });
      file.add(`<< ${groups.join('\n')} >>`, number);
    },
  };
}

interface PlateContext {
  readonly job: Job;
  readonly file: PdfFile;
  readonly resources: Resources;
  readonly colors: PdfColors;
  readonly spots: SpotNames;
}

function drawPlate(plate: Plate, context: PlateContext): string {
  if (plate.kind === 'color') return drawColors(plate, context);
  const spot = spotOf(plate, context.job);
  const isFilled = plate.kind === 'engrave' || plate.kind === 'white' || plate.kind === 'gloss';
  const ink = spot ? setSpot(spot, isFilled, context) : setColor(plate, isFilled);
  const paths = plate.outlines.map(({ contours }) => `${pdfPath(contours, isFilled)}${isFilled ? 'f*' : 'S'}\n`);
  return `q\n${ink}\n${isFilled ? '' : `${HAIRLINE_MM} w\n`}${paths.join('')}Q\n`;
}

/** A laser's driver knows a layer by the exact value of its color. */
const setColor = ({ color }: OutlinePlate, isFilled: boolean): string => {
  const rgb = pdfColors(undefined);
  return isFilled ? rgb.fill(color) : rgb.stroke(color);
};

function setSpot(spot: SpotPlate, isFilled: boolean, { resources, spots }: PlateContext): string {
  const look = SPOT_LOOKS[spot];
  const tint = `<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [${pdfNumbers(...look)}] /N 1 >>`;
  const space = resources.add('ColorSpace', `[/Separation ${pdfName(spots[spot])} /DeviceCMYK ${tint}]`);
  const overprint = resources.add('ExtGState', '<< /Type /ExtGState /OP true /op true /OPM 1 >>');
  return `${overprint} gs ${isFilled ? `${space} cs 1 scn` : `${space} CS 1 SCN`}`;
}

const drawColors = ({ groups }: ColorPlate, context: PlateContext): string =>
  groups.map((group) => drawGroup(group, context)).join('');

function drawGroup({ opacity, shapes }: ColorGroup, context: PlateContext): string {
  const [first, ...others] = shapes;
  if (!first || opacity <= 0) return '';
  // One shape needs no group: its own opacity does.
  if (others.length === 0) return drawShape({ ...first, opacity: first.opacity * opacity }, context);
  const marks = shapes.map((shape) => drawShape(shape, context)).join('');
  return opacity < 1 ? drawTranslucent(marks, boxOf(shapes), opacity, context) : marks;
}

/** Draws marks as one transparency group, so that those which overlap do not show through each other. */
function drawTranslucent(marks: string, box: readonly number[], opacity: number, context: PlateContext): string {
  const { file, resources, colors } = context;
  const group = `/Group << /Type /Group /S /Transparency /CS ${colors.space} >>`;
  const form = addForm(file, resources, box, `${MITER_LIMIT} M\n${marks}`, group);
  return `q ${setOpacity(opacity, resources)} ${resources.add('XObject', `${form} 0 R`)} Do Q\n`;
}

const setOpacity = (opacity: number, resources: Resources): string => {
  const value = pdfNumbers(opacity);
  return `${resources.add('ExtGState', `<< /Type /ExtGState /ca ${value} /CA ${value} >>`)} gs`;
};

function drawShape(shape: ColorShape, context: PlateContext): string {
  const { opacity } = shape;
  const hasLine = shape.stroke !== undefined && shape.strokeWidthMm > 0;
  if (opacity <= 0 || (!shape.fill && !hasLine)) return '';
  const isBoth = shape.fill !== undefined && hasLine;
  const marks = `${drawFill(shape, context)}${hasLine ? drawLine(shape, context) : ''}`;
  if (opacity >= 1) return marks;
  if (isBoth || shape.gradient) return drawTranslucent(marks, boxOf([shape]), opacity, context);
  return `q ${setOpacity(opacity, context.resources)}\n${marks}Q\n`;
}

function drawFill({ contours, fill, gradient }: ColorShape, context: PlateContext): string {
  if (!fill) return '';
  const path = pdfPath(contours, true);
  if (!gradient) return `${context.colors.fill(fill)}\n${path}f*\n`;
  return `q\n${path}W* n\n${drawGradient(gradient, contours, context)}Q\n`;
}

function drawLine({ contours, fill, stroke, strokeWidthMm }: ColorShape, { colors }: PlateContext): string {
  const path = pdfPath(contours, fill !== undefined);
  return `${colors.stroke(stroke!)} ${pdfNumbers(strokeWidthMm)} w\n${path}S\n`;
}

/** Paints a gradient over all that the clip path leaves. */
function drawGradient(gradient: Gradient, contours: readonly Contour[], { file, resources, colors }: PlateContext) {
  const { a, b, c, d, e, f } = gradientMatrix(gradient);
  const place = `${pdfMatrix([a, b, c, d, e, f])} cm`;
  const shade = (kind: 'color' | 'opacity') =>
    `${place} ${resources.add('Shading', pdfShading(gradient, colors, kind))} sh\n`;
  if (!isTranslucent(gradient)) return shade('color');
  const group = '/Group << /Type /Group /S /Transparency /CS /DeviceGray >>';
  const { minX, minY, maxX, maxY } = looseBounds(contours);
  const mask = addForm(file, resources, [minX, minY, maxX, maxY], shade('opacity'), group);
  const state = `<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G ${mask} 0 R >> >>`;
  return `${resources.add('ExtGState', state)} gs ${shade('color')}`;
}

/** Returns the box of shapes with the reach of their lines: a miter is at most so many times as long as half a line. */
function boxOf(shapes: readonly ColorShape[]): number[] {
  const boxes = shapes.map((shape) => {
    const reach = shape.stroke ? (MITER_LIMIT * shape.strokeWidthMm) / 2 : 0;
    const { minX, minY, maxX, maxY } = looseBounds(shape.contours);
    return { minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach };
  });
  const least = (pick: (box: (typeof boxes)[number]) => number) =>
    boxes.reduce((m, box) => Math.min(m, pick(box)), Infinity);
  return [
    least(({ minX }) => minX),
    least(({ minY }) => minY),
    -least(({ maxX }) => -maxX),
    -least(({ maxY }) => -maxY),
  ];
}

/** Writes the operators of a path. With `isFilled` every contour is closed. */
function pdfPath(contours: readonly Contour[], isFilled: boolean): string {
  const parts: string[] = [];
  for (const { commands, points, isClosed } of contours) {
    parts.push(pdfNumbers(points[0]!, points[1]!), ' m\n');
    let p = 2;
    for (const command of commands) {
      const count = command === 'C' ? 6 : 2;
      parts.push(pdfNumbers(...points.slice(p, p + count)), command === 'C' ? ' c\n' : ' l\n');
      p += count;
    }
    if (isClosed || isFilled) parts.push('h\n');
  }
  return parts.join('');
}
