/**
 * The preflight: finds what a machine would make badly, before anything is made. Lines too thin or too close, text too
 * small to read, marks outside the machine area, pictures too coarse. A finding has a fix that one click applies and
 * that removes it. Where none is possible, its sentence says what to change and by how much. Findings are advice: they
 * never block an export.
 */
import type { Bounds } from '../arrange/arrange.ts';
import { isClear } from '../artwork/gradient.ts';
import type { Composition, TextElement } from '../document/composition.ts';
import { findElement, toElementName } from '../document/elements.ts';
import { isArtwork, isCode, isText } from '../document/initial.ts';
import { hasWhiteInk } from '../document/machine.ts';
import { applyMatrix, lengthScale, type Point } from '../geometry/matrix.ts';
import { findCircleRoom, MM_PER_INCH } from '../resolve/resolve.ts';
import type { Assets, MissingLetters, Scene, SceneGroup } from '../resolve/scene.ts';
import { badCode, codeChecks } from './codeChecks.ts';
import { cutChecks, type JobReview } from './cutChecks.ts';
import { corners, type Finding, toFinding } from './finding.ts';
import { type Check, enlargeArea, fitInside, noRoom, pastEdges, sizeBy, sizeLetters, trim } from './fixes.ts';
import { inkBounds, OUTSIDE_MM } from './ink.ts';
import { type MachineLimits, machineLimits } from './machineLimits.ts';

/** An upright box, in the element's own unit. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The measurement of an element that preflight needs. Equal requests have equal results, wherever the element is. */
export interface FeatureRequest {
  readonly children: SceneGroup['children'];
  /** Length of the element's own unit. */
  readonly unitMm: number;
  readonly limits: Pick<MachineLimits, 'lineMm' | 'gapMm' | 'cutGapMm'>;
  /** True for a machine with white ink: white on the bare blank then counts as ink. */
  readonly hasWhiteInk: boolean;
}

/** The result of `measureFeatures`, in the element's own space. */
export interface Features {
  /** False for an artwork of too many points: its lines and gaps are then unknown. */
  readonly isMeasured: boolean;
  /** Where it is not measured: the points of the largest connected part, and how many it may have. */
  readonly mostPoints?: number | undefined;
  readonly maxPoints?: number | undefined;
  /** Where it is not measured: without outlines up to this area it can be. In square units of the element. */
  readonly detailArea?: number | undefined;
  readonly lines?: ThinParts | undefined;
  readonly specks?: ThinParts | undefined;
  readonly gaps?: ThinParts | undefined;
  readonly cutGaps?: ThinParts | undefined;
}

/** The parts of an element that are narrower than a limit of the machine. */
export interface ThinParts {
  readonly count: number;
  /** If this were the limit, everything would pass. 0: next to nothing. */
  readonly narrowestMm: number;
  /** Boxes around the largest ones. */
  readonly boxes: readonly Box[];
  /** In square units of the element. */
  readonly largestArea: number;
}

interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The facts that preflight needs besides composition, assets and scene. */
export interface PreflightFacts {
  /** Returns undefined while an element is not measured yet. Checks that need no features still run. */
  readonly featuresOf: (group: SceneGroup) => Features | undefined;
  /** What the production job says of the scene; undefined while it is not known. */
  readonly review?: JobReview | undefined;
  /** Returns the picture that an artwork was traced from; undefined for an artwork of outlines. */
  readonly pictureOf?: (artworkId: string) => PictureSize | undefined;
  readonly unit?: 'mm' | 'in';
}

/** A check with the features of its element, once they are measured. */
interface MeasuredCheck extends Check {
  readonly features: Features | undefined;
}

/** Returns the request that measures an element by the limits of the scene's machine. */
export function featureRequest(scene: Scene, group: SceneGroup): FeatureRequest {
  const { lineMm, gapMm, cutGapMm } = machineLimits[scene.machine];
  return {
    children: group.children,
    unitMm: lengthScale(group.matrix),
    limits: { lineMm, gapMm, cutGapMm },
    hasWhiteInk: hasWhiteInk(scene.machine),
  };
}

/**
 * Returns all findings: letters that no font has and codes that cannot be made, then element by element from the back.
 * Pure. Cost: a few steps for each element, and linear in the points of what lies on a code; measuring is
 * `measureFeatures`.
 */
export function preflight(
  composition: Composition,
  assets: Pick<Assets, 'artworks' | 'fonts'>,
  scene: Scene,
  { featuresOf, review, pictureOf, unit = 'mm' }: PreflightFacts,
): Finding[] {
  const ofMissingLetters = (scene.missingLetters ?? []).map((missing) => missingLetters(missing, scene));
  const ofGroups = scene.groups.flatMap((group) => {
    const element = findElement(composition, group.elementId);
    const ink = inkBounds(group, scene.machine);
    if (!element || !ink) return [];
    const picture = isArtwork(element) ? pictureOf?.(element.id) : undefined;
    const check: MeasuredCheck = {
      group,
      element,
      ink,
      scene,
      limits: machineLimits[scene.machine],
      features: featuresOf(group),
      frame: isArtwork(element) ? assets.artworks.get(element.id) : undefined,
      length: (mm) => (unit === 'in' ? `${trim((mm / MM_PER_INCH).toFixed(3))} in` : `${trim(mm.toFixed(2))} mm`),
    };
    return [
      ...outside(check),
      ...smallText(check, assets),
      ...longArc(check, assets),
      // The lines and gaps of a code are its modules, which have a check of their own.
      ...(isCode(element)
        ? codeChecks(check, (id) => nameOf(composition, id))
        : [...thinLines(check), ...specks(check, picture !== undefined), ...narrowGaps(check)]),
      ...cutGaps(check),
      ...translucency(check),
      ...cutChecks(check, review, (id) => nameOf(composition, id)),
      ...lowResolution(check, picture),
      ...(isCode(element) ? [] : tooDetailed(check, picture !== undefined)),
    ];
  });
  return [...ofMissingLetters, ...(scene.codeFaults ?? []).map(badCode), ...ofGroups];
}

const MAX_NAMED_LETTERS = 6;

/** The words that name letters that no font has, and what to do. */
export function missingLettersSentence(letters: readonly string[]): string {
  const others = letters.length > MAX_NAMED_LETTERS ? ' and others' : '';
  const names = letters.slice(0, MAX_NAMED_LETTERS).map(isolate).join(', ');
  return `Not in our fonts, so left out: ${names}${others}. Upload the words as a picture instead.`;
}

/** Keeps a letter that is read from right to left from turning the words around it (Unicode's isolates). */
const isolate = (letter: string) => `\u2068${letter}\u2069`;

function missingLetters({ elementId, letters }: MissingLetters, { groups }: Scene): Finding {
  const group = groups.find((entry) => entry.elementId === elementId);
  return {
    kind: 'missingLetters',
    severity: 'problem',
    elementId,
    title: letters.length === 1 ? 'Letter left out' : 'Letters left out',
    sentence: missingLettersSentence(letters),
    places: group ? [group.corners] : [],
  };
}

function nameOf(composition: Composition, elementId: string): string {
  const element = findElement(composition, elementId);
  return element ? toElementName(element) : 'another element';
}

function outside(check: Check): Finding[] {
  const { ink, scene, length } = check;
  const past = pastEdges(ink, scene);
  const [side, by] = Object.entries(past).reduce((most, each) => (each[1] > most[1] ? each : most));
  if (by <= OUTSIDE_MM) return [];
  return [
    toFinding(
      check,
      {
        kind: 'outside',
        severity: 'problem',
        title: 'Outside the machine area',
        sentence: `Reaches ${length(by)} past the ${side} edge of the machine area; what lies outside is cut off.`,
        places: outsideStrips(ink, scene),
      },
      fitInside(check),
      enlargeArea(check),
    ),
  ];
}

function outsideStrips(bounds: Bounds, { widthMm, heightMm }: Scene): Point[][] {
  const { left, top, right, bottom } = bounds;
  const strips: Bounds[] = [
    { left, top, right: Math.min(right, 0), bottom },
    { left, top, right, bottom: Math.min(bottom, 0) },
    { left: Math.max(left, widthMm), top, right, bottom },
    { left, top: Math.max(top, heightMm), right, bottom },
  ];
  return strips
    .filter((strip) => strip.right - strip.left > OUTSIDE_MM && strip.bottom - strip.top > OUTSIDE_MM)
    .map(corners);
}

/** Height of a capital letter in ems, for a font that is not loaded. */
const USUAL_CAP = 0.7;

function smallText(check: Check, { fonts }: Pick<Assets, 'fonts'>): Finding[] {
  const { element, group, limits, length, ink, scene } = check;
  if (!isText(element)) return [];
  const capMm = element.heightInches * MM_PER_INCH * capHeight(element, fonts);
  if (capMm >= limits.capMm - 0.005) return [];
  const factor = limits.capMm / capMm;
  const tooWide = 1 - scene.widthMm / ((ink.right - ink.left) * factor);
  const longest = Math.max(...element.text.split('\n').map((line) => line.trim().length));
  const letters = Math.ceil(longest * tooWide);
  const tooHigh = (ink.bottom - ink.top) * factor - scene.heightMm;
  const otherwise =
    tooWide > 0
      ? `shorten its longest line by ${letters === 1 ? 'one letter' : `${letters} letters`}, or turn it`
      : `make the machine area ${length(Math.max(0, tooHigh))} higher`;
  return [
    toFinding(
      check,
      {
        kind: 'smallText',
        severity: 'problem',
        title: 'Text too small',
        sentence: `Capitals are ${length(capMm)} high; below ${length(limits.capMm)} letters fill in.`,
        places: [group.corners],
      },
      element.circle ? sizeLetters(check, factor) : sizeBy(check, factor),
      noRoom(check, factor, otherwise),
    ),
  ];
}

/** Finds words that take more of their circle than they may: they run into what else stands on it. */
function longArc(check: Check, { fonts }: Pick<Assets, 'fonts'>): Finding[] {
  const { element, group, length } = check;
  const room = isText(element) ? findCircleRoom(element, fonts) : undefined;
  if (!room || room.share >= 1 - ARC_TOLERANCE) return [];
  return [
    toFinding(
      check,
      {
        kind: 'longArc',
        severity: 'problem',
        title: 'Too long for its arc',
        sentence: `The words take ${length(room.lengthMm)} of their circle, and have ${length(room.arcMm)}.`,
        places: [group.corners],
      },
      sizeLetters(check, room.share),
      'Shorten them, or give them more of the circle.',
    ),
  ];
}

/** So much of an arc is the rounding of numbers. */
const ARC_TOLERANCE = 0.001;

/** Returns the height of the letter H of a font, in ems; the usual one for a font that is not loaded. */
export function capHeight({ fontFamily, fontWeight, fontStyle }: TextElement, fonts: Assets['fonts']): number {
  const line = { text: 'H', fontFamily, isBold: fontWeight === 'bold', isItalic: fontStyle === 'italic' };
  const d = fonts.outline(line)?.d;
  if (!d) return USUAL_CAP;
  const ys = (d.match(/-?[\d.]+/g) ?? []).filter((_, i) => i % 2 === 1).map(Number);
  return Math.max(...ys) - Math.min(...ys) || USUAL_CAP;
}

function thinLines(check: MeasuredCheck): Finding[] {
  const { features, limits, element } = check;
  const { lines } = features ?? {};
  if (!lines) return [];
  return [
    tooNarrow(check, lines, limits.lineMm, {
      kind: 'thinLine',
      title: lines.count === 1 ? 'One line too thin' : `${lines.count} lines too thin`,
      figures: 'The thinnest is',
      otherwise: (by) =>
        isText(element) ? `choose a typeface with lines ${by} thicker` : `draw thin lines ${by} thicker`,
    }),
  ];
}

function narrowGaps(check: MeasuredCheck): Finding[] {
  const { features, limits, element } = check;
  const { gaps } = features ?? {};
  if (!gaps) return [];
  return [
    tooNarrow(check, gaps, limits.gapMm, {
      kind: 'narrowGap',
      title: gaps.count === 1 ? 'One gap too narrow' : `${gaps.count} gaps too narrow`,
      figures: 'The narrowest is',
      otherwise: (by) => (isText(element) ? `choose a typeface with gaps ${by} wider` : `draw narrow gaps ${by} wider`),
    }),
  ];
}

function cutGaps(check: MeasuredCheck): Finding[] {
  const { features, limits } = check;
  const parts = features?.cutGaps;
  if (!parts || limits.cutGapMm === undefined) return [];
  return [
    tooNarrow(check, parts, limits.cutGapMm, {
      kind: 'cutGap',
      title: 'Cuts too close',
      figures: 'The strip between them burns or breaks. The narrowest is',
      otherwise: (by) => `move the cuts ${by} apart`,
    }),
  ];
}

/** A film has white under all of its color: what is half clear on the screen is a patch of pale ink on the cloth. */
function translucency(check: Check): Finding[] {
  const { group, element, ink, scene } = check;
  if (scene.machine !== 'dtf' || group.white === 'none') return [];
  const isWhole = group.opacity >= 1;
  const parts = group.children.filter(
    (child) => child.opacity < 1 || (child.kind === 'path' && child.gradient && isClear(child.gradient)),
  );
  if (isWhole && parts.length === 0) return [];
  const change =
    isArtwork(element) && parts.length === 0
      ? {
          label: 'Make it opaque',
          words: 'set its opacity to 100 %',
          commands: [{ type: 'updateDesign', id: element.id, changes: { opacity: 100 } } as const],
        }
      : undefined;
  const finding = {
    kind: 'translucent',
    severity: 'advice',
    title: 'Semi-transparent color on a film',
    sentence: 'White goes under all of it: it prints as a solid, paler patch, and no cloth shows through.',
    places: [corners(ink)],
  } as const;
  const advice = `Draw ${parts.length === 1 ? 'the part' : `the ${parts.length} parts`} in solid colors or as dots.`;
  return [toFinding(check, finding, change, isWhole ? advice : `${advice} Set the opacity to 100 %, too.`)];
}

/** The words for what makes a line. */
const tools = { laser: 'laser', uv: 'printer', sublimation: 'printer', dtf: 'printer' } as const;

/** The error that flattened curves and rounded figures can add to a measured width. */
const MEASURE_MM = 0.006;

function tooNarrow(
  check: Check,
  parts: ThinParts,
  limitMm: number,
  {
    kind,
    title,
    figures,
    otherwise,
  }: Pick<Finding, 'kind' | 'title'> & { figures: string; otherwise: (by: string) => string },
): Finding {
  const { length, scene } = check;
  const { narrowestMm } = parts;
  const factor = (limitMm + MEASURE_MM) / narrowestMm;
  return toFinding(
    check,
    {
      kind,
      severity: 'problem',
      title,
      sentence: `${figures} ${length(narrowestMm)}; the ${tools[scene.machine]} needs ${length(limitMm)}.`,
      places: placesOf(check, parts),
    },
    sizeBy(check, factor),
    noRoom(check, factor, otherwise(length(limitMm - narrowestMm))),
  );
}

const placesOf = ({ group }: Check, { boxes }: Pick<ThinParts, 'boxes'>): Point[][] =>
  boxes.map(({ x, y, width, height }) =>
    corners({ left: x, top: y, right: x + width, bottom: y + height }).map((corner) =>
      applyMatrix(group.matrix, corner),
    ),
  );

/** The largest step of the despeckle setting, and the side in px of a picture whose steps are single pixels. */
const DESPECKLE_MAX = 10;
const DESPECKLE_PX = 1024;

function specks(check: MeasuredCheck, isTraced: boolean): Finding[] {
  const { features, frame, group, limits, element, length } = check;
  const parts = features?.specks;
  if (!parts) return [];
  const finding = {
    kind: 'specks',
    severity: 'advice',
    title: parts.count === 1 ? 'One speck' : `${parts.count} specks`,
    sentence: `Smaller than ${length(limits.lineMm)}: ${parts.count === 1 ? 'it vanishes or looks' : 'they vanish or look'} like dirt.`,
    places: placesOf(check, parts),
  } as const;
  const despeckle = isTraced && frame ? despeckleFor(frame, parts.largestArea) : undefined;
  if (despeckle !== undefined) {
    return [{ ...finding, elementId: group.elementId, fix: raiseDespeckle(despeckle) }];
  }
  const factor = (limits.lineMm + MEASURE_MM) / parts.narrowestMm;
  const otherwise = isText(element)
    ? `choose a typeface with dots ${length(limits.lineMm - parts.narrowestMm)} wider`
    : `erase what is narrower than ${length(limits.lineMm)}`;
  return [toFinding(check, finding, sizeBy(check, factor), noRoom(check, factor, otherwise))];
}

/**
 * Returns the despeckle step that drops specks of this area: a trace drops what is smaller than a square that grows
 * with it.
 */
function despeckleFor(frame: { readonly width: number; readonly height: number }, areaPx: number): number | undefined {
  const longest = Math.max(frame.width, frame.height);
  const steps = Math.floor(Math.sqrt(areaPx) / Math.max(1, longest / DESPECKLE_PX)) + 1;
  return steps <= DESPECKLE_MAX ? steps : undefined;
}

function lowResolution(check: MeasuredCheck, picture: PictureSize | undefined): Finding[] {
  const { group, limits, frame } = check;
  if (!picture || !frame) return [];
  const unitInches = lengthScale(group.matrix) / MM_PER_INCH;
  const dpi = Math.min(picture.widthPx / frame.width, picture.heightPx / frame.height) / unitInches;
  const isTraced = group.children.every(({ kind }) => kind === 'path');
  const neededDpi = isTraced ? limits.tracedDpi : limits.pictureDpi.good;
  if (dpi >= neededDpi - 0.5) return [];
  const figures = `${Math.round(dpi)} dpi at this size; a clean ${isTraced ? 'trace' : 'print'} needs ${neededDpi} dpi.`;
  const why = isTraced ? ' Edges come out less exact than they look.' : '';
  const neededPx = Math.ceil((picture.widthPx * neededDpi) / dpi);
  return [
    toFinding(
      check,
      {
        kind: 'lowResolution',
        severity: !isTraced && dpi < limits.pictureDpi.least ? 'problem' : 'advice',
        title: 'Low resolution',
        sentence: `${figures}${why}`,
        places: [group.corners],
      },
      dpi >= neededDpi / 2 ? sizeBy(check, dpi / neededDpi) : undefined,
      `Upload the same picture ${neededPx} pixels wide.`,
    ),
  ];
}

function tooDetailed({ features, frame, group }: MeasuredCheck, isTraced: boolean): Finding[] {
  if (!features || features.isMeasured) return [];
  const { mostPoints = 0, maxPoints = 0, detailArea = 0 } = features;
  const finding = {
    kind: 'tooDetailed',
    severity: 'advice',
    elementId: group.elementId,
    title: 'Too detailed to measure',
    places: [],
  } as const;
  if (mostPoints <= maxPoints)
    return [{ ...finding, sentence: 'Its lines and gaps were not checked. Zoom in, and look at the thinnest.' }];
  const figures = (count: number) => count.toLocaleString('en-US');
  const sentence = `Its lines and gaps were not checked: one part has ${figures(mostPoints)} points, ${figures(maxPoints)} is the most.`;
  const despeckle = isTraced && frame ? despeckleFor(frame, detailArea) : undefined;
  if (despeckle !== undefined) return [{ ...finding, sentence, fix: raiseDespeckle(despeckle) }];
  const percent = Math.ceil((1 - maxPoints / mostPoints) * 100);
  const advice = isTraced
    ? `Raise Simplify, or take fewer colors, until it has ${percent} % fewer.`
    : `Simplify it by ${percent} % in your drawing program.`;
  return [{ ...finding, sentence: `${sentence} ${advice}` }];
}

const raiseDespeckle = (despeckle: number) => ({ label: `Raise Despeckle to ${despeckle}`, despeckle });
