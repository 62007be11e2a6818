import { isPaper } from './color/color.ts';
import type { Drawing, Gradient, Path, Ring } from './drawing.ts';
import { hypot } from './geometry/hypot.ts';
import type { Arc, Shape } from './geometry/segment.ts';

/**
 * Writes a drawing as an SVG file: size and viewBox in pixels of the bitmap, presentation attributes only, two
 * decimals. The page, when the drawing stands on one, is painted beneath everything unless it is white paper.
 */
export function writeSvg(drawing: Drawing): string {
  const { width, height, background, layers } = drawing;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
  ];
  if (background !== undefined && !isPaper(background)) {
    lines.push(`<path fill="${background}" d="M0 0H${width}V${height}H0z"/>`);
  }
  const defs = new Map<string, string>(); // each gradient once → its id
  for (const layer of layers) {
    for (const { gradient } of layer.paths) {
      const body = gradient && writeGradient(gradient);
      if (body && !defs.has(body)) defs.set(body, `g${defs.size + 1}`);
    }
  }
  if (defs.size > 0) {
    lines.push('<defs>');
    for (const [body, id] of defs) lines.push(body.replace(' ', ` id="${id}" `));
    lines.push('</defs>');
  }
  for (const layer of layers) {
    const isGroup = layer.paths.length !== 1;
    if (isGroup) lines.push(`<g id="${layer.id}">`);
    for (const path of layer.paths) lines.push(writePath(path, isGroup ? '' : ` id="${layer.id}"`, defs));
    if (isGroup) lines.push('</g>');
  }
  lines.push('</svg>');
  return `${lines.join('\n')}\n`;
}

function writePath(path: Path, id: string, defs: Map<string, string>): string {
  const fill = path.gradient ? `url(#${defs.get(writeGradient(path.gradient))})` : path.color;
  const cap = path.cap === 'round' ? ' stroke-linecap="round"' : '';
  const join = path.join === 'miter' ? '' : ' stroke-linejoin="round"';
  const look =
    path.strokeWidth !== undefined
      ? ` fill="none" stroke="${path.color}" stroke-width="${path.strokeWidth}"${cap}${join}`
      : ` fill="${fill}"`;
  const shape = path.rings.length === 1 ? path.rings[0].shape : undefined;
  // A rotated element would rotate its gradient too.
  if (shape && !(path.gradient && shape.kind !== 'circle' && shape.angle !== 0)) return writeShape(shape, id + look);
  return `<path${id}${look} d="${path.rings.map(writeRing).join('')}"/>`;
}

function writeShape(shape: Shape, attributes: string): string {
  const x = round(shape.x);
  const y = round(shape.y);
  if (shape.kind === 'circle') return `<circle${attributes} cx="${x}" cy="${y}" r="${round(shape.radius)}"/>`;
  const turn = shape.angle === 0 ? '' : ` transform="rotate(${short(toDegrees(shape.angle))} ${x} ${y})"`;
  if (shape.kind === 'ellipse') {
    return `<ellipse${attributes} cx="${x}" cy="${y}" rx="${round(shape.rx)}" ry="${round(shape.ry)}"${turn}/>`;
  }
  const { width, height, radius } = shape;
  const corner = radius > 0 ? ` rx="${round(radius)}"` : '';
  const place = `x="${round(shape.x - width / 2)}" y="${round(shape.y - height / 2)}"`;
  return `<rect${attributes} ${place} width="${round(width)}" height="${round(height)}"${corner}${turn}/>`;
}

function toDegrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

function round(value: number): string {
  return formatNumber(Math.round(value * SCALE));
}

/**
 * Writes a gradient in pixels of the bitmap, without an id, so that equal gradients are equal strings. An ellipse is
 * written as a transformed unit circle.
 */
function writeGradient(gradient: Gradient): string {
  const { kind, x1, y1, x2, y2, stops } = gradient;
  const list = stops.map(({ offset, color, opacity }) => {
    const clear = opacity === undefined ? '' : ` stop-opacity="${short(opacity)}"`;
    return `<stop offset="${short(offset)}" stop-color="${color}"${clear}/>`;
  });
  const units = 'gradientUnits="userSpaceOnUse"';
  if (kind === 'linear') {
    const line = `x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}"`;
    return `<linearGradient ${units} ${line}>${list.join('')}</linearGradient>`;
  }
  const [ax, ay] = [x2 - x1, y2 - y1];
  const { x3 = x1 - ay, y3 = y1 + ax } = gradient;
  const [bx, by] = [x3 - x1, y3 - y1];
  const isCircle = Math.abs(ax + by) + Math.abs(ay - bx) < 0.03 || Math.abs(ax - by) + Math.abs(ay + bx) < 0.03;
  const place = isCircle
    ? `cx="${short(x1)}" cy="${short(y1)}" r="${short(hypot(ax, ay))}"`
    : `cx="0" cy="0" r="1" gradientTransform="matrix(${[ax, ay, bx, by, x1, y1].map(short).join(' ')})"`;
  return `<radialGradient ${units} ${place}>${list.join('')}</radialGradient>`;
}

function short(value: number): string {
  return String(Math.round(value * 1000) / 1000).replace(/^(-?)0\./, '$1.');
}

const SCALE = 100;

/**
 * Writes a ring as relative commands. Each is measured from the rounded end of the previous one, so that rounding
 * errors do not add up.
 */
function writeRing(ring: Ring): string {
  const { shape } = ring;
  if (shape && shape.kind !== 'rect') return writeEllipse(ring, shape);
  const corner = shape && shape.radius > 0 ? writeRadii(shape.radius, shape.radius, 0, isClockwise(ring)) : '';
  let x = Math.round(ring.x * SCALE);
  let y = Math.round(ring.y * SCALE);
  const startX = x;
  const startY = y;
  let d = `M${formatNumber(x)}${pair(y)}`;
  let last = 'M';
  const { segments } = ring;
  for (let k = 0; k < segments.length; k++) {
    const { arc } = segments[k];
    if (arc) while (k + 1 < segments.length && segments[k + 1].arc === arc) k++;
    const segment = segments[k];
    const toX = Math.round(segment.x * SCALE);
    const toY = Math.round(segment.y * SCALE);
    if (segment.isLine) {
      const closes = !ring.isOpen && k === segments.length - 1 && toX === startX && toY === startY;
      if (!closes && (toX !== x || toY !== y)) {
        const command = toY === y ? 'h' : toX === x ? 'v' : 'l';
        d +=
          last === command && command === 'l'
            ? pair(toX - x)
            : command + formatNumber(command === 'v' ? toY - y : toX - x);
        if (command === 'l') d += pair(toY - y);
        last = command;
      }
    } else if (arc) {
      const radius = writeRadius(arc, hypot(toX - x, toY - y) / SCALE);
      const flags = `${Math.abs(arc.sweep) > Math.PI + 1e-9 ? 1 : 0} ${arc.sweep > 0 ? 1 : 0}`;
      d += `a${radius} ${radius} 0 ${flags}${pair(toX - x)}${pair(toY - y)}`;
      last = 'a';
    } else if (corner) {
      d += `${corner}${pair(toX - x)}${pair(toY - y)}`;
      last = 'a';
    } else {
      d +=
        last === 'c'
          ? pair(Math.round(segment.x1 * SCALE) - x)
          : `c${formatNumber(Math.round(segment.x1 * SCALE) - x)}`;
      d += pair(Math.round(segment.y1 * SCALE) - y);
      d += pair(Math.round(segment.x2 * SCALE) - x) + pair(Math.round(segment.y2 * SCALE) - y);
      d += pair(toX - x) + pair(toY - y);
      last = 'c';
    }
    x = toX;
    y = toY;
  }
  return ring.isOpen ? d : `${d}z`;
}

/**
 * Returns the radius that keeps the height of an arc over a chord with rounded ends. The nearer the arc is to a half
 * circle, the more its middle moves with the last digit. A radius too small for the chord makes the half circle itself
 * (SVG 1.1, F.6.6).
 */
function writeRadius({ radius, sweep }: Arc, chord: number): string {
  const off = Math.abs(radius * Math.cos(sweep / 2));
  if (off < 0.02) return formatNumber(Math.floor((chord * SCALE) / 2));
  const height = radius * (1 - Math.cos(sweep / 2));
  const roundedRadius = (height * height + (chord * chord) / 4) / (2 * height);
  const digits = Math.max(2, Math.ceil(Math.log10(radius / off) + 1.3));
  return String(Number(roundedRadius.toFixed(digits))).replace(/^0\./, '.');
}

/** Writes an ellipse as three arcs: the rounded ends of a longer arc would fix its middle too loosely. */
function writeEllipse(ring: Ring, shape: Exclude<Shape, { kind: 'rect' }>): string {
  const isRound = shape.kind === 'circle';
  const rx = isRound ? shape.radius : shape.rx;
  const ry = isRound ? shape.radius : shape.ry;
  const angle = isRound ? 0 : shape.angle;
  const clockwise = isClockwise(ring);
  const radii = writeRadii(rx, ry, angle, clockwise);
  let d = '';
  let x = 0;
  let y = 0;
  for (let k = 0; k < 4; k++) {
    const t = ((clockwise ? 1 : -1) * (k % 3) * 2 * Math.PI) / 3;
    const u = rx * Math.cos(t);
    const v = ry * Math.sin(t);
    const toX = Math.round((shape.x + u * Math.cos(angle) - v * Math.sin(angle)) * SCALE);
    const toY = Math.round((shape.y + u * Math.sin(angle) + v * Math.cos(angle)) * SCALE);
    d += k === 0 ? `M${formatNumber(toX)}${pair(toY)}` : radii + pair(toX - x) + pair(toY - y);
    x = toX;
    y = toY;
  }
  return `${d}z`;
}

function writeRadii(rx: number, ry: number, angle: number, clockwise: boolean): string {
  return `a${round(rx)} ${round(ry)} ${short(toDegrees(angle))} 0 ${clockwise ? 1 : 0}`;
}

function isClockwise({ segments }: Ring): boolean {
  let area = 0;
  let { x, y } = segments[segments.length - 1];
  for (const segment of segments) {
    area += x * segment.y - segment.x * y;
    ({ x, y } = segment);
  }
  return area > 0;
}

/** Writes a number that follows another. A minus sign separates by itself. */
function pair(hundredths: number): string {
  return hundredths < 0 ? formatNumber(hundredths) : ` ${formatNumber(hundredths)}`;
}

function formatNumber(hundredths: number): string {
  return String(hundredths / SCALE).replace(/^(-?)0\./, '$1.');
}
