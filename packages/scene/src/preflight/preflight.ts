/**
 * The preflight: finds what a machine would make badly, before anything is made. Lines too thin or too close, text too
 * small to read, marks outside the machine area, pictures too coarse. A finding says what to do and, where one click
 * can, has a fix. Findings are advice: they never block an export.
 */
import type { Bounds } from '../arrange/arrange.ts';
import type { Command } from '../document/commands.ts';
import { type Composition, DESIGN_SIZE, TEXT_HEIGHT_INCHES, type TextElement } from '../document/composition.ts';
import { applyMatrix, lengthScale, type Point } from '../geometry/matrix.ts';
import { MM_PER_INCH } from '../resolve/resolve.ts';
import type { Assets, Scene, SceneGroup } from '../resolve/scene.ts';
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
  /** Convex hull of everything that is drawn. */
  readonly hull: readonly Point[];
  /** False for an artwork of too many points: its lines and gaps are then unknown. */
  readonly isMeasured: boolean;
  readonly lines?: ThinParts | undefined;
  readonly specks?: ThinParts | undefined;
  readonly gaps?: ThinParts | undefined;
  readonly cutGaps?: ThinParts | undefined;
}

/** The parts of an element that are narrower than a limit of the machine. */
export interface ThinParts {
  readonly count: number;
  /** If this were the limit, everything would pass. 0: unknown, or next to nothing. */
  readonly narrowestMm: number;
  /** Boxes around the largest ones. */
  readonly boxes: readonly Box[];
  /** In square units of the element. */
  readonly largestArea: number;
}

export type FindingKind =
  | 'outside'
  | 'smallText'
  | 'thinLine'
  | 'specks'
  | 'narrowGap'
  | 'cutGap'
  | 'lowResolution'
  | 'tooDetailed';

export interface Finding {
  readonly kind: FindingKind;
  /** `problem`: it will not come out as it is shown. `advice`: it may not. */
  readonly severity: 'problem' | 'advice';
  readonly elementId: string;
  /** The problem in a few words. */
  readonly title: string;
  /** The figures, and what to do where no click does it. */
  readonly sentence: string;
  /** The places to mark, as corners in scene mm. */
  readonly places: readonly (readonly Point[])[];
  readonly fix?: Fix | undefined;
}

/** Commands are one undo step; `despeckle` is a setting for another trace. */
export type Fix =
  | { readonly label: string; readonly commands: readonly Command[] }
  | { readonly label: string; readonly despeckle: number };

/** The facts that preflight needs besides composition, assets and scene. */
export interface PreflightFacts {
  /** Returns undefined while an element is not measured yet. Checks that need no features still run. */
  readonly featuresOf: (group: SceneGroup) => Features | undefined;
  /** The picture that the artwork was traced from; absent for an artwork of outlines. */
  readonly picture?: { readonly widthPx: number; readonly heightPx: number } | undefined;
  readonly unit?: 'mm' | 'in';
}

/** Returns the request that measures an element by the limits of the scene's machine. */
export function featureRequest(scene: Scene, group: SceneGroup): FeatureRequest {
  const { lineMm, gapMm, cutGapMm } = machineLimits[scene.machine];
  return {
    children: group.children,
    unitMm: lengthScale(group.matrix),
    limits: { lineMm, gapMm, cutGapMm },
    hasWhiteInk: scene.machine === 'uv',
  };
}

/**
 * Returns all findings, element by element from the back. Pure. Cost: a few steps for each element; measuring is
 * `measureFeatures`.
 */
export function preflight(
  composition: Composition,
  assets: Pick<Assets, 'artwork' | 'fonts'>,
  scene: Scene,
  { featuresOf, picture, unit = 'mm' }: PreflightFacts,
): Finding[] {
  return scene.groups.flatMap((group) => {
    const element = findElement(composition, group.elementId);
    if (!element) return [];
    const check: Check = {
      group,
      element,
      scene,
      limits: machineLimits[scene.machine],
      features: featuresOf(group),
      length: (mm) => (unit === 'in' ? `${trim((mm / MM_PER_INCH).toFixed(3))} in` : `${trim(mm.toFixed(2))} mm`),
    };
    const findings = [
      ...outside(check),
      ...smallText(check, assets),
      ...thinLines(check),
      ...specks(check, picture !== undefined),
      ...narrowGaps(check),
      ...cutGaps(check),
      ...lowResolution(check, picture),
      ...tooDetailed(check),
    ];
    const { isLocked } = element.kind === 'design' ? element.design : element.text;
    return isLocked ? findings.map(withoutFix) : findings;
  });
}

/** Removes a fix that moves or resizes a locked element; a fix by a new trace stays. */
function withoutFix(finding: Finding): Finding {
  if (!finding.fix || 'despeckle' in finding.fix) return finding;
  return { ...finding, fix: undefined, sentence: `${finding.sentence} It is locked: unlock it to change it.` };
}

type Element =
  | { readonly kind: 'design'; readonly design: NonNullable<Composition['design']> }
  | { readonly kind: 'text'; readonly text: TextElement };

interface Check {
  readonly group: SceneGroup;
  readonly element: Element;
  readonly scene: Scene;
  readonly limits: MachineLimits;
  readonly features: Features | undefined;
  length(mm: number): string;
}

function findElement({ design, texts }: Composition, elementId: string): Element | undefined {
  if (elementId === 'design') return design && { kind: 'design', design };
  const text = texts.find(({ id }) => elementId === `text:${id}`);
  return text && { kind: 'text', text };
}

/** Less than this is rounding. */
const OUTSIDE_MM = 0.01;

function outside(check: Check): Finding[] {
  const { group, scene, length } = check;
  const bounds = inkBounds(check);
  const past = pastEdges(bounds, scene);
  const [side, by] = Object.entries(past).reduce((most, each) => (each[1] > most[1] ? each : most));
  if (by <= OUTSIDE_MM) return [];
  const fix = fitInside(check, bounds);
  const cut = `Reaches ${length(by)} past the ${side} edge of the machine area; what lies outside is cut off.`;
  return [
    {
      kind: 'outside',
      severity: 'problem',
      elementId: group.elementId,
      title: 'Outside the machine area',
      sentence: fix ? cut : `${cut} Make the machine area larger.`,
      places: outsideStrips(bounds, scene),
      fix,
    },
  ];
}

/** Returns the box of the ink in scene mm, or of the element until its features are measured. */
function inkBounds({ group, features }: Check): Bounds {
  const hull =
    features && features.hull.length > 0
      ? features.hull.map((point) => applyMatrix(group.matrix, point))
      : group.corners;
  return {
    left: Math.min(...hull.map(({ x }) => x)),
    top: Math.min(...hull.map(({ y }) => y)),
    right: Math.max(...hull.map(({ x }) => x)),
    bottom: Math.max(...hull.map(({ y }) => y)),
  };
}

const pastEdges = ({ left, top, right, bottom }: Bounds, { widthMm, heightMm }: Scene) => ({
  left: -left,
  top: -top,
  right: right - widthMm,
  bottom: bottom - heightMm,
});

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

const corners = ({ left, top, right, bottom }: Bounds): Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

/** Returns a fix that moves the element inside the machine area, and shrinks it if moving is not enough. */
function fitInside(check: Check, bounds: Bounds): Fix | undefined {
  const { widthMm, heightMm } = check.scene;
  const room = Math.min(1, widthMm / (bounds.right - bounds.left), heightMm / (bounds.bottom - bounds.top));
  const commands = resize(check, bounds, room, Math.floor);
  return commands && { label: room < 1 ? 'Shrink to fit' : 'Move inside', commands };
}

/**
 * Returns the commands that resize an element by `targetFactor`, rounded to the steps of its field, and move its ink
 * into the machine area. Returns undefined when the size is out of range or the element would not fit.
 */
function resize(
  { element, scene, group }: Check,
  bounds: Bounds,
  targetFactor: number,
  round: (value: number) => number,
): readonly Command[] | undefined {
  const { widthMm, heightMm } = scene;
  const placement = element.kind === 'design' ? element.design : element.text;
  const before = element.kind === 'design' ? element.design.size : element.text.heightInches;
  const { min, max } = element.kind === 'design' ? DESIGN_SIZE : TEXT_HEIGHT_INCHES;
  const steps = element.kind === 'design' ? 10 : 100;
  // A hundredth of a step of slack, so that a size that is already right stays the same.
  const nudge = round === Math.floor ? 0.01 : -0.01;
  const after = targetFactor === 1 ? before : round(before * targetFactor * steps + nudge) / steps;
  if (after < min || after > max) return undefined;
  const factor = after / before;
  const center = { x: widthMm * (0.5 + placement.x / 100), y: heightMm * (0.5 + placement.y / 100) };
  const newBounds: Bounds = {
    left: center.x + (bounds.left - center.x) * factor,
    right: center.x + (bounds.right - center.x) * factor,
    top: center.y + (bounds.top - center.y) * factor,
    bottom: center.y + (bounds.bottom - center.y) * factor,
  };
  const past = pastEdges(newBounds, scene);
  if (past.left + past.right > OUTSIDE_MM || past.top + past.bottom > OUTSIDE_MM) return undefined;
  const shift = (before: number, after: number) => Math.max(0, before) - Math.max(0, after);
  const place = {
    x: placement.x + (shift(past.left, past.right) / widthMm) * 100,
    y: placement.y + (shift(past.top, past.bottom) / heightMm) * 100,
  };
  return element.kind === 'design'
    ? [{ type: 'updateDesign', changes: { ...place, size: after } }]
    : [{ type: 'updateText', id: group.elementId.slice('text:'.length), changes: { ...place, heightInches: after } }];
}

/** Height of a capital letter in ems, for a font that is not loaded. */
const USUAL_CAP = 0.7;

function smallText(check: Check, { fonts }: Pick<Assets, 'fonts'>): Finding[] {
  const { element, group, limits, length } = check;
  if (element.kind !== 'text') return [];
  const { text } = element;
  const capMm = text.heightInches * MM_PER_INCH * capHeight(text, fonts);
  if (capMm >= limits.capMm - 0.005) return [];
  const commands = resize(check, inkBounds(check), limits.capMm / capMm, Math.ceil);
  const small = `Capitals are ${length(capMm)} high; below ${length(limits.capMm)} letters fill in.`;
  const heightInches = text.heightInches * (limits.capMm / capMm);
  return [
    {
      kind: 'smallText',
      severity: 'problem',
      elementId: group.elementId,
      title: 'Text too small',
      sentence: commands ? small : `${small} There is no room to enlarge it here: shorten the text or turn it.`,
      places: [group.corners],
      fix: commands && { label: `Enlarge to ${(Math.ceil(heightInches * 100 - 0.01) / 100).toFixed(2)} in`, commands },
    },
  ];
}

/** Returns the height of the letter H of a font, in ems. */
function capHeight({ fontFamily, fontWeight, fontStyle }: TextElement, fonts: Assets['fonts']): number {
  const line = { text: 'H', fontFamily, isBold: fontWeight === 'bold', isItalic: fontStyle === 'italic' };
  const d = fonts.outline(line)?.d;
  if (!d) return USUAL_CAP;
  const ys = (d.match(/-?[\d.]+/g) ?? []).filter((_, i) => i % 2 === 1).map(Number);
  return Math.max(...ys) - Math.min(...ys) || USUAL_CAP;
}

function thinLines(check: Check): Finding[] {
  const { features, limits, element } = check;
  const { lines } = features ?? {};
  if (!lines) return [];
  return [
    tooNarrow(check, lines, limits.lineMm, {
      kind: 'thinLine',
      title: lines.count === 1 ? 'One line too thin' : `${lines.count} lines too thin`,
      what: 'Thinnest',
      otherwise:
        element.kind === 'text'
          ? 'Choose bold or a heavier typeface.'
          : 'Use a bolder drawing, or leave the finest lines out.',
    }),
  ];
}

function narrowGaps(check: Check): Finding[] {
  const { features, limits, element } = check;
  const { gaps } = features ?? {};
  if (!gaps) return [];
  return [
    tooNarrow(check, gaps, limits.gapMm, {
      kind: 'narrowGap',
      title: gaps.count === 1 ? 'One gap too narrow' : `${gaps.count} gaps too narrow`,
      what: 'Narrowest',
      otherwise:
        element.kind === 'text' ? 'Choose a more open typeface.' : 'Use a drawing with wider gaps: these will close.',
    }),
  ];
}

function tooNarrow(
  check: Check,
  parts: ThinParts,
  limitMm: number,
  { kind, title, what, otherwise }: Pick<Finding, 'kind' | 'title'> & { what: string; otherwise: string },
): Finding {
  const { group, length } = check;
  const { narrowestMm } = parts;
  const factor = limitMm / narrowestMm;
  const commands = narrowestMm > 0 ? resize(check, inkBounds(check), factor, Math.ceil) : undefined;
  const measure = narrowestMm > 0 ? `${what} ${length(narrowestMm)}, ` : '';
  const sentence = `${measure}${measure ? 'the' : 'The'} machine makes ${length(limitMm)}.`;
  return {
    kind,
    severity: 'problem',
    elementId: group.elementId,
    title,
    sentence: commands ? sentence : `${sentence} ${otherwise}`,
    places: placesOf(check, parts),
    fix: commands && { label: `Enlarge to ${length(widthAfter(check, commands))} wide`, commands },
  };
}

function widthAfter({ element, group }: Check, commands: readonly Command[]): number {
  const [command] = commands;
  if (element.kind === 'design' && command?.type === 'updateDesign') {
    return (group.sizeMm.width * (command.changes.size ?? element.design.size)) / element.design.size;
  }
  if (element.kind === 'text' && command?.type === 'updateText') {
    return (
      (group.sizeMm.width * (command.changes.heightInches ?? element.text.heightInches)) / element.text.heightInches
    );
  }
  return group.sizeMm.width;
}

const placesOf = ({ group }: Check, { boxes }: ThinParts): Point[][] =>
  boxes.map(({ x, y, width, height }) =>
    corners({ left: x, top: y, right: x + width, bottom: y + height }).map((corner) =>
      applyMatrix(group.matrix, corner),
    ),
  );

/** The largest step of the despeckle setting, and the side in px of a picture whose steps are single pixels. */
const DESPECKLE_MAX = 10;
const DESPECKLE_PX = 1024;

function specks(check: Check, isTraced: boolean): Finding[] {
  const { features, group, limits, element, length } = check;
  const parts = features?.specks;
  if (!parts) return [];
  const sentence = `${parts.count === 1 ? 'It is' : 'They are'} smaller than ${length(limits.lineMm)} and will not show, or look like dirt.`;
  const steps = element.kind === 'design' && isTraced ? despeckleFor(group, parts.largestArea) : undefined;
  const otherwise = element.kind === 'text' ? 'Enlarge the text.' : 'Enlarge the design, or clean the picture.';
  return [
    {
      kind: 'specks',
      severity: 'advice',
      elementId: group.elementId,
      title: parts.count === 1 ? 'One speck' : `${parts.count} specks`,
      sentence: steps ? sentence : `${sentence} ${otherwise}`,
      places: placesOf(check, parts),
      fix: steps === undefined ? undefined : { label: 'Drop specks', despeckle: steps },
    },
  ];
}

/**
 * Returns the despeckle step that drops specks of this area: a trace drops what is smaller than a square that grows
 * with it.
 */
function despeckleFor({ sizeMm, matrix }: SceneGroup, areaPx: number): number | undefined {
  const longest = Math.max(sizeMm.width, sizeMm.height) / lengthScale(matrix);
  const steps = Math.floor(Math.sqrt(areaPx) / Math.max(1, longest / DESPECKLE_PX)) + 1;
  return steps <= DESPECKLE_MAX ? steps : undefined;
}

function cutGaps(check: Check): Finding[] {
  const { features, group, limits, length } = check;
  const parts = features?.cutGaps;
  if (!parts || limits.cutGapMm === undefined) return [];
  return [
    {
      kind: 'cutGap',
      severity: 'problem',
      elementId: group.elementId,
      title: 'Cuts too close',
      sentence: `Closer than ${length(limits.cutGapMm)}: the strip between them burns or breaks. Enlarge the design, or move the cuts apart.`,
      places: placesOf(check, parts),
    },
  ];
}

function lowResolution(check: Check, picture: PreflightFacts['picture']): Finding[] {
  const { element, group, limits, length } = check;
  if (element.kind !== 'design' || !picture) return [];
  const dpi = Math.min(picture.widthPx / group.sizeMm.width, picture.heightPx / group.sizeMm.height) * MM_PER_INCH;
  const isTraced = group.children.every(({ kind }) => kind === 'path');
  const neededDpi = isTraced ? limits.tracedDpi : limits.pictureDpi.good;
  if (dpi >= neededDpi - 0.5) return [];
  const commands = dpi >= neededDpi / 2 ? resize(check, inkBounds(check), dpi / neededDpi, Math.floor) : undefined;
  const figures = `The picture has ${Math.round(dpi)} pixels an inch at this size; ${neededDpi} are wanted.`;
  const why = isTraced ? ' Edges may be less exact than they look.' : '';
  return [
    {
      kind: 'lowResolution',
      severity: !isTraced && dpi < limits.pictureDpi.least ? 'problem' : 'advice',
      elementId: group.elementId,
      title: 'Low resolution',
      sentence: `${figures}${why}${commands ? '' : ' Use a larger picture, or place it smaller.'}`,
      places: [group.corners],
      fix: commands && { label: `Shrink to ${length(widthAfter(check, commands))} wide`, commands },
    },
  ];
}

function tooDetailed({ features, group }: Check): Finding[] {
  if (!features || features.isMeasured) return [];
  return [
    {
      kind: 'tooDetailed',
      severity: 'advice',
      elementId: group.elementId,
      title: 'Too detailed to measure',
      sentence: 'Its lines and gaps were not looked at. Fewer colors or a simpler trace can be.',
      places: [],
    },
  ];
}

const trim = (text: string) => text.replace(/\.?0+$/, '');
