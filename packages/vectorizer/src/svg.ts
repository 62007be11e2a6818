import { isPaper } from './color.ts';
import type { Drawing, Path, Ring } from './stack.ts';

/**
 * Writes a drawing as an SVG file: size and viewBox in pixels of the bitmap, presentation attributes only, two decimals.
 * The page, when the drawing stands on one, is painted beneath everything unless it is white paper.
 */
export function writeSvg(drawing: Drawing): string {
  const { width, height, background, layers } = drawing;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
  ];
  if (background !== undefined && !isPaper(background)) {
    lines.push(`<path fill="${background}" d="M0 0H${width}V${height}H0z"/>`);
  }
  for (const layer of layers) {
    const isGroup = layer.paths.length !== 1;
    if (isGroup) lines.push(`<g id="${layer.id}">`);
    for (const path of layer.paths) lines.push(writePath(path, isGroup ? '' : ` id="${layer.id}"`));
    if (isGroup) lines.push('</g>');
  }
  lines.push('</svg>');
  return `${lines.join('\n')}\n`;
}

function writePath(path: Path, id: string): string {
  const d = path.rings.map(writeRing).join('');
  if (path.strokeWidth !== undefined) {
    return `<path${id} fill="none" stroke="${path.color}" stroke-width="${path.strokeWidth}" stroke-linejoin="round" d="${d}"/>`;
  }
  return `<path${id} fill="${path.color}" d="${d}"/>`;
}

const SCALE = 100;

/** Relative commands, each measured from the rounded end of the one before, so that rounding never adds up. */
function writeRing(ring: Ring): string {
  let x = Math.round(ring.x * SCALE);
  let y = Math.round(ring.y * SCALE);
  const startX = x;
  const startY = y;
  let d = `M${formatNumber(x)}${pair(y)}`;
  let last = 'M';
  const { segments } = ring;
  for (let k = 0; k < segments.length; k++) {
    const segment = segments[k];
    const toX = Math.round(segment.x * SCALE);
    const toY = Math.round(segment.y * SCALE);
    if (segment.isLine) {
      const closes = k === segments.length - 1 && toX === startX && toY === startY;
      if (!closes && (toX !== x || toY !== y)) {
        const command = toY === y ? 'h' : toX === x ? 'v' : 'l';
        d +=
          last === command && command === 'l'
            ? pair(toX - x)
            : command + formatNumber(command === 'v' ? toY - y : toX - x);
        if (command === 'l') d += pair(toY - y);
        last = command;
      }
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
  return `${d}z`;
}

/** A number after another: the minus sign separates by itself. */
function pair(hundredths: number): string {
  return hundredths < 0 ? formatNumber(hundredths) : ` ${formatNumber(hundredths)}`;
}

function formatNumber(hundredths: number): string {
  return String(hundredths / SCALE).replace(/^(-?)0\./, '$1.');
}
