/**
 * Sanitizes an SVG from a stranger: it keeps what is known to be harmless, by an allow-list over a strictly parsed XML
 * tree. The result has no script, no animation, no text, no link except into itself and no style sheet, and draws as
 * before. One file of more than 500 lines, because what is harmless is one list, and all of it is checked against it.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SVG_NAMESPACE, type SvgNode } from '../svg/svg.ts';
import {
  createMatcher,
  type Declaration,
  parseClasses,
  parseDeclarations,
  parseRules,
  type StyleTarget,
} from './svgStyle.ts';

/** Thrown when a file is not accepted. The message is a sentence for the person who sent it. */
export class SvgRefused extends Error {
  override readonly name = 'SvgRefused';
}

/** A drawing without scripts, links and anything else that the sanitizer does not know. */
export interface SafeSvg {
  /** The root has `width`, `height` (px) and `viewBox`. */
  readonly node: SvgNode;
  /** In px, 96 to the inch. */
  readonly width: number;
  readonly height: number;
  /** True when the file gives its size in mm, inches or another length that can be measured, and not in px. */
  readonly isMeasured: boolean;
  /**
   * Names of what was left out, sorted, to tell the person: drawing elements (`text`, `foreignObject`, …), and
   * attributes with a number that renderers cannot draw with (`numOctaves of feTurbulence`).
   */
  readonly droppedTags: readonly string[];
}

export const SVG_LIMITS = {
  /** Characters read. */
  length: 10 * 1024 * 1024,
  nodes: 200_000,
  depth: 200,
  /** Nodes after every `use` and `url(#…)` is followed. */
  expandedNodes: 500_000,
  /** Characters of attributes in the result; a style sheet can multiply them. */
  output: 20 * 1024 * 1024,
  styleRules: 5000,
  styleComparisons: 5_000_000,
} as const;

/**
 * Parses and sanitizes an SVG. Throws `SvgRefused` for anything that is not well-formed SVG, declares entities or
 * exceeds `SVG_LIMITS`; it throws nothing else. Cost: linear in the input, apart from style rules, whose work is
 * capped.
 */
export function readSvg(text: string): SafeSvg {
  if (text.length > SVG_LIMITS.length) throw new SvgRefused('This SVG is too large. SVG files may be up to 10 MB.');
  const { root, styles } = parse(text);
  const { node, droppedTags } = sanitize(root, styles);
  checkExpansion(node);
  return { ...sizeRoot(node), droppedTags: [...droppedTags].sort() };
}

interface RawNode extends StyleTarget {
  readonly attrs: Map<string, string>;
  readonly parent: RawNode | undefined;
  readonly children: RawNode[];
}

function parse(text: string): { root: RawNode; styles: string[] } {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const styles: string[] = [];
  let root: RawNode | undefined;
  let current: RawNode | undefined;
  let namespace = SVG_NAMESPACE;
  let depth = 0;
  let nodes = 0;
  // Depth at which a foreign subtree started; everything in it is skipped.
  let foreignDepth: number | undefined;

  parser.on('error', (error) => {
    throw new SvgRefused(`This SVG is not well-formed (${error.message.slice(0, 120)}).`);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[') || /ENTITY/i.test(doctype)) {
      throw new SvgRefused('This SVG declares entities, which are not accepted. Save it as plain SVG and try again.');
    }
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    depth++;
    if (++nodes > SVG_LIMITS.nodes) throw new SvgRefused('This SVG has too many elements.');
    if (depth > SVG_LIMITS.depth) throw new SvgRefused('This SVG is nested too deeply.');
    if (!root) {
      if (tag.local !== 'svg' || (tag.uri !== SVG_NAMESPACE && tag.uri !== '')) {
        throw new SvgRefused('This file is not an SVG picture.');
      }
      namespace = tag.uri;
    }
    if (foreignDepth !== undefined) return;
    if (tag.uri !== namespace) {
      foreignDepth = depth;
      return;
    }
    const attrs = readAttributes(tag);
    const node: RawNode = {
      name: tag.local,
      attrs,
      classes: parseClasses(attrs.get('class')),
      parent: current,
      isFirstChild: current?.children.length === 0,
      children: [],
    };
    current?.children.push(node);
    root ??= node;
    current = node;
  });
  parser.on('closetag', () => {
    if (foreignDepth === undefined) current = current?.parent;
    else if (foreignDepth === depth) foreignDepth = undefined;
    depth--;
  });
  const onText = (content: string) => {
    if (foreignDepth === undefined && current?.name === 'style' && isCss(current.attrs.get('type'))) {
      styles.push(content);
    }
  };
  parser.on('text', onText);
  parser.on('cdata', onText);

  parser.write(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).close();
  if (!root) throw new SvgRefused('This file is not an SVG picture.');
  return { root, styles };
}

const isCss = (type: string | undefined) => !type || type.trim().toLowerCase() === 'text/css';

const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

function readAttributes(tag: SaxesTagNS): Map<string, string> {
  const attrs = new Map<string, string>();
  for (const { uri, local, prefix, value } of Object.values(tag.attributes)) {
    if (uri === '' && prefix === '') attrs.set(local, value);
    else if (uri === XLINK_NAMESPACE && local === 'href' && !tag.attributes.href) attrs.set('href', value);
  }
  return attrs;
}

const words = (text: string) => new Set(text.trim().split(/\s+/));

const elements = words(`
  svg g defs symbol use switch path rect circle ellipse line polyline polygon image
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** Elements that draw nothing: to leave them out is not reported. */
const undrawnElements = words(
  'style title desc metadata script view cursor animate animateColor animateMotion animateTransform set',
);

/** Attributes of shape and structure. None of them holds a language of its own: no links, no scripts, no styles. */
const geometry = words(`
  id x y width height cx cy r rx ry x1 y1 x2 y2 d points pathLength viewBox preserveAspectRatio
  transform gradientTransform patternTransform gradientUnits patternUnits patternContentUnits spreadMethod fx fy fr offset
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient systemLanguage requiredExtensions
  filterUnits primitiveUnits in in2 result stdDeviation mode type values tableValues slope intercept amplitude exponent
  operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha
  surfaceScale diffuseConstant specularConstant specularExponent scale xChannelSelector yChannelSelector azimuth elevation z
  pointsAtX pointsAtY pointsAtZ limitingConeAngle radius dx dy baseFrequency numOctaves seed stitchTiles
`);

/** Properties that may be attributes as well as in styles. */
const presentation = words(`
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width opacity color display visibility overflow clip-path clip-rule mask filter marker-start marker-mid
  marker-end stop-color stop-opacity flood-color flood-opacity lighting-color color-interpolation
  color-interpolation-filters paint-order shape-rendering image-rendering enable-background vector-effect transform-origin
  transform-box mask-type font-size
`);

/** Properties that browsers read from styles only; written back as a style of keywords. */
const styleOnly = words('mix-blend-mode isolation mask-type');

const functions = words(`
  url rgb rgba hsl hsla hwb lab lch oklab oklch color icc-color matrix translate rotate scale skewx skewy translatex translatey
  scalex scaley blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia rect
`);

function sanitize(root: RawNode, styles: readonly string[]): { node: SvgNode; droppedTags: Set<string> } {
  const rules = styles.flatMap(parseRules);
  if (rules.length > SVG_LIMITS.styleRules) throw new SvgRefused('This SVG has too many style rules.');
  let comparisons = 0;
  const findRules = createMatcher(rules, () => {
    if (++comparisons > SVG_LIMITS.styleComparisons) throw new SvgRefused('The styles of this SVG are too complex.');
  });
  const droppedTags = new Set<string>();
  let size = 0;

  // Recursion is bounded by the depth limit.
  const visit = (raw: RawNode): SvgNode | undefined => {
    // A link is a group that can be clicked; the group stays.
    const tag = raw.name === 'a' ? 'g' : raw.name;
    if (!elements.has(tag)) {
      if (!undrawnElements.has(tag)) droppedTags.add(tag);
      return undefined;
    }
    const attrs = cleanAttributes(
      raw,
      findRules(raw).flatMap((rule) => rule.declarations),
    );
    for (const name in attrs) {
      if (isInRange(name, attrs[name]!)) continue;
      delete attrs[name];
      droppedTags.add(`${name} of ${tag}`);
    }
    if ((tag === 'use' || tag === 'image' || tag === 'feImage') && attrs.href === undefined) {
      if (raw.attrs.has('href')) droppedTags.add(tag);
      if (tag !== 'feImage') return undefined;
    }
    for (const name in attrs) size += name.length + attrs[name]!.length;
    if (size > SVG_LIMITS.output) throw new SvgRefused('The styles of this SVG are too complex.');
    return { tag, attrs, children: raw.children.flatMap((child) => visit(child) ?? []) };
  };
  return { node: visit(root)!, droppedTags };
}

function cleanAttributes(raw: RawNode, sheet: readonly Declaration[]): Record<string, string> {
  const attrs: Record<string, string> = {};
  for (const [name, value] of raw.attrs) {
    if (name === 'href') {
      const href = cleanHref(raw.name, value.trim());
      if (href !== undefined) attrs.href = href;
    } else if (geometry.has(name)) {
      if (name === 'id' || isHarmless(value)) attrs[name] = value;
    } else if (presentation.has(name)) setProperty(attrs, name, value);
  }
  const own = parseDeclarations(raw.attrs.get('style') ?? '');
  const declarations = [...sheet, ...own];
  const style = new Map<string, string>();
  for (const isImportant of [false, true]) {
    for (const declaration of declarations) {
      const { name, value } = declaration;
      if (declaration.isImportant !== isImportant) continue;
      if (name === 'marker') {
        for (const end of ['start', 'mid', 'end']) setProperty(attrs, `marker-${end}`, value);
      } else if (name === 'transform') {
        // The attribute knows no units; px and deg are what it means.
        setProperty(attrs, name, value.replaceAll('px', '').replaceAll('deg', ''));
      } else if (styleOnly.has(name)) {
        if (/^[a-z-]+$/.test(value)) style.set(name, value);
      } else if (presentation.has(name)) setProperty(attrs, name, value);
    }
  }
  if (style.size > 0) attrs.style = [...style].map(([name, value]) => `${name}:${value}`).join(';');
  return attrs;
}

/** The ranges of numbers that renderers loop over, or do not check. Outside they hang or break off. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  numOctaves: [0, 10],
  seed: [-2_147_483_646, 2_147_483_646],
  baseFrequency: [0, 100],
  order: [1, 16],
  stdDeviation: [0, 1e5],
  radius: [-1e5, 1e5],
  specularExponent: [-1000, 1000],
  pathLength: [1e-6, 1e9],
  exponent: [-1000, 1000],
};
const MAX_NUMBER = 1e9;
const MAX_TRANSFORM_LENGTH = 10_000;
const anyRange = [-MAX_NUMBER, MAX_NUMBER] as const;

/** Attributes whose values are names. */
const names = words('id href in in2 result style systemLanguage requiredExtensions');

/** True when every number of an attribute can be drawn with: renderers compute in single precision. */
function isInRange(name: string, value: string): boolean {
  if (names.has(name)) return true;
  if (name.endsWith('ransform') && value.length > MAX_TRANSFORM_LENGTH) return false;
  if (name === 'viewBox' && !isUsableBox(value)) return false;
  // Path data is long. Without an exponent or ten digits in a row nothing in it is too large.
  const range = ranges[name];
  if (!range && !mayBeLarge(value)) return true;
  const [least, most] = range ?? anyRange;
  // The name of a reference and a color such as #9e99ff are no numbers.
  const numbers = value.replace(/url\([^)]*\)|#[\da-z]+/gi, '');
  for (const [number] of numbers.matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi)) {
    if (!(Number(number) >= least && Number(number) <= most)) return false;
  }
  return true;
}

/** True for text with ten digits in a row, or with an exponent that is not negative. */
function mayBeLarge(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (++digits === 10) return true;
      continue;
    }
    if (digits > 0 && (code === 69 || code === 101)) {
      const next = text.charCodeAt(i + 1) === 43 ? i + 2 : i + 1;
      const after = text.charCodeAt(next);
      if (after >= 48 && after <= 57) return true;
    }
    digits = 0;
  }
  return false;
}

/** The least side of a view box, user units. Below, the scale of what it holds overflows. */
const MIN_BOX_SIDE = 1e-6;

function isUsableBox(value: string): boolean {
  const box = parseViewBox(value);
  return !box || Math.min(box.width, box.height) >= MIN_BOX_SIDE;
}

function setProperty(attrs: Record<string, string>, name: string, value: string): void {
  const safe = cleanValue(value.trim());
  if (safe !== undefined) attrs[name] = safe;
}

const isHarmless = (value: string) => !value.includes('(') || cleanValue(value) !== undefined;

/**
 * Returns a property value if its functions are all on the list and every `url()` refers into the same file; otherwise
 * undefined. It refuses backslashes because CSS would unescape them into something else.
 */
function cleanValue(value: string): string | undefined {
  if (value.includes('\\') || value.includes('@') || value.includes('<')) return undefined;
  let out = '';
  let from = 0;
  for (let open = value.indexOf('('); open >= 0; open = value.indexOf('(', from)) {
    let start = open;
    while (start > from && value[start - 1]! <= ' ') start--;
    const nameEnd = start;
    while (start > from && /[\w-]/.test(value[start - 1]!)) start--;
    const name = value.slice(start, nameEnd).toLowerCase();
    if (!functions.has(name)) return undefined;
    if (name !== 'url') {
      out += value.slice(from, open + 1);
      from = open + 1;
      continue;
    }
    const close = value.indexOf(')', open);
    if (close < 0) return undefined;
    const target = unquote(value.slice(open + 1, close).trim());
    if (!isReference(target)) return undefined;
    out += `${value.slice(from, start)}url(${target})`;
    from = close + 1;
  }
  return out + value.slice(from);
}

function unquote(text: string): string {
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1).trim() : text;
}

const isReference = (target: string) => /^#[^\s()'"\\<>]+$/.test(target);

/** Returns a reference into the same file, or for pictures an embedded PNG or JPEG, checked by its first bytes. */
function cleanHref(tag: string, href: string): string | undefined {
  if (tag === 'a') return undefined;
  if (isReference(href)) return tag === 'image' ? undefined : href;
  if (tag !== 'image' && tag !== 'feImage') return undefined;
  const comma = href.indexOf(',');
  const head = href
    .slice(0, Math.max(0, Math.min(comma, 40)))
    .toLowerCase()
    .replaceAll(' ', '');
  if (head !== 'data:image/png;base64' && head !== 'data:image/jpeg;base64' && head !== 'data:image/jpg;base64') {
    return undefined;
  }
  const body = href.slice(comma + 1).replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  if (body.startsWith('iVBORw0KGgo')) return `data:image/png;base64,${body}`;
  return body.startsWith('/9j/') ? `data:image/jpeg;base64,${body}` : undefined;
}

/**
 * Counts the nodes that following every reference would give. Each referenced subtree is counted once (memoized), so
 * the count is quick even where following is not. A reference that closes a cycle is removed first: renderers ignore
 * it, but not all of them find it in time.
 */
function checkExpansion(root: SvgNode): void {
  const byId = new Map<string, SvgNode>();
  const collect = (node: SvgNode) => {
    const { id } = node.attrs;
    if (id && !byId.has(id)) byId.set(id, node);
    node.children.forEach(collect);
  };
  collect(root);

  const sizes = new Map<SvgNode, number>();
  const open = new Set<SvgNode>();
  const measure = (node: SvgNode): number => {
    const cachedSize = sizes.get(node);
    if (cachedSize !== undefined) return cachedSize;
    // References can chain far beyond the nesting limit; no honest file goes deeper than this.
    if (open.size > MAX_CHAIN) throw new SvgRefused('This SVG refers to itself too deeply.');
    open.add(node);
    let size = 1;
    for (const child of node.children) size += measure(child);
    for (const name in node.attrs) {
      if (name === 'id' || name === 'd') continue;
      for (const id of referencesOf(name, node.attrs[name]!)) {
        const target = byId.get(id);
        if (!target) continue;
        if (open.has(target)) {
          delete (node.attrs as Record<string, string>)[name];
          break;
        }
        // A marker is drawn at every corner.
        const times = name.startsWith('marker-') ? countNumbers(node) / 2 + 1 : 1;
        size += times * measure(target);
      }
    }
    open.delete(node);
    sizes.set(node, size);
    return size;
  };
  if (measure(root) > SVG_LIMITS.expandedNodes) {
    throw new SvgRefused('This SVG repeats its parts too many times.');
  }
}

const MAX_CHAIN = 2000;

function referencesOf(name: string, value: string): string[] {
  if (name === 'href') return value.startsWith('#') ? [value.slice(1)] : [];
  const ids: string[] = [];
  for (let i = value.indexOf('url(#'); i >= 0; i = value.indexOf('url(#', i + 5)) {
    ids.push(value.slice(i + 5, value.indexOf(')', i)));
  }
  return ids;
}

/** Estimates how many numbers an attribute holds: runs of digits. */
function countNumbers({ attrs }: SvgNode): number {
  const text = attrs.d ?? attrs.points ?? '';
  let count = 4;
  let wasDigit = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isDigit = code >= 48 && code <= 57;
    if (isDigit && !wasDigit) count++;
    wasDigit = isDigit;
  }
  return count;
}

/** CSS pixels in one of each unit. */
const pixelsPer: Record<string, number> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
  em: 16,
  ex: 8,
};

/** True for a length in a unit of the real world. A px is none: programs mean anything from 1/72 to 1/300 in by it. */
const isMeasure = (text: string | undefined): boolean => /(?:in|cm|mm|q|pt|pc)\s*$/i.test(text?.slice(-100) ?? '');

/** Reads a length in px. Returns undefined for a percentage and for anything that is not a length. */
export function parseLength(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 100) return undefined;
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+(?![a-z]))?)([a-z]*)\s*$/i.exec(text);
  const factor = match && pixelsPer[match[2]!.toLowerCase()];
  return factor ? Number(match[1]) * factor : undefined;
}

/** Reads a `viewBox`. Returns undefined for anything but four finite numbers with a width and height above 0. */
export function parseViewBox(
  text: string | undefined,
): { x: number; y: number; width: number; height: number } | undefined {
  if (text === undefined || text.length > 400) return undefined;
  const [x, y, width, height, ...rest] = text.split(/[\s,]/).filter(Boolean).map(Number);
  const all = [x, y, width, height];
  if (rest.length > 0 || !all.every((value) => value !== undefined && Number.isFinite(value))) return undefined;
  return width! > 0 && height! > 0 ? { x: x!, y: y!, width: width!, height: height! } : undefined;
}

/** The size of a picture that states none, as in CSS. */
const NO_SIZE = { width: 300, height: 150 };
const MAX_SIDE = 1e6;

function sizeRoot(root: SvgNode): Omit<SafeSvg, 'droppedTags'> {
  const box = parseViewBox(root.attrs.viewBox);
  const ownWidth = parseLength(root.attrs.width);
  const ownHeight = parseLength(root.attrs.height);
  if ((ownWidth !== undefined && ownWidth <= 0) || (ownHeight !== undefined && ownHeight <= 0)) {
    throw new SvgRefused('This SVG has no size.');
  }
  const aspect = box ? box.width / box.height : NO_SIZE.width / NO_SIZE.height;
  const width = ownWidth ?? (ownHeight ? ownHeight * aspect : (box?.width ?? NO_SIZE.width));
  const height = ownHeight ?? (ownWidth ? ownWidth / aspect : (box?.height ?? NO_SIZE.height));
  if (!(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) {
    throw new SvgRefused('This SVG has no usable size.');
  }
  const attrs: Record<string, string> = { ...root.attrs, width: String(width), height: String(height) };
  // Without a usable view box user units are px.
  attrs.viewBox = box ? root.attrs.viewBox! : `0 0 ${width} ${height}`;
  const ownSizes = [root.attrs.width, root.attrs.height].filter((text) => parseLength(text) !== undefined);
  const isMeasured = ownSizes.length > 0 && ownSizes.every(isMeasure);
  return { node: { ...root, attrs }, width, height, isMeasured };
}
