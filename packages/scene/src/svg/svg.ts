/** A tree of SVG nodes, and how it becomes text. */

export interface SvgNode {
  readonly tag: string;
  /** Attribute names as written in SVG (`stroke-width`). */
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: readonly SvgNode[];
}

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

const noChildren: readonly SvgNode[] = [];

/** Creates a node. Leaves out undefined attributes and writes numbers with `formatNumber`. */
export function svgNode(
  tag: string,
  attrs: Readonly<Record<string, string | number | undefined>>,
  children: readonly SvgNode[] = noChildren,
): SvgNode {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== undefined) texts[name] = typeof value === 'number' ? formatNumber(value) : value;
  }
  return { tag, attrs: texts, children };
}

/** Writes a node and everything below it. A root `svg` gets its namespace. Cost: linear in the output. */
export function writeSvg(node: SvgNode): string {
  const parts: string[] = [];
  const root = node.tag === 'svg' ? { ...node, attrs: { xmlns: SVG_NAMESPACE, ...node.attrs } } : node;
  write(root, parts);
  return parts.join('');
}

// Recursion is bounded by the depth cap of readSvg; our own trees are shallow.
function write(node: SvgNode, parts: string[]): void {
  parts.push('<', node.tag);
  for (const name in node.attrs) parts.push(' ', name, '="', escapeAttribute(node.attrs[name]!), '"');
  if (node.children.length === 0) {
    parts.push('/>');
    return;
  }
  parts.push('>');
  for (const child of node.children) write(child, parts);
  parts.push('</', node.tag, '>');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};
const escapeAttribute = (value: string) => value.replace(/[&<>"\n\r\t]/g, (char) => escapes[char]!);

/**
 * For up to four decimals the texts of all fractions, such as `.25` for 250 thousandths. Whole numbers are written in a
 * fifth of the time of others, and a file has a million of them.
 */
const fractionsOf = Array.from({ length: 5 }, (_, decimals) =>
  Array.from({ length: 10 ** decimals }, (_value, rest) =>
    rest === 0 ? '' : `.${String(rest).padStart(decimals, '0').replace(/0+$/, '')}`,
  ),
);
/** Smaller numbers of the last decimal are written by their texts. */
const LARGE = 2 ** 31;

/**
 * Writes a number in plain decimals, without exponent, trailing zeros or minus zero. Three decimals of a millimeter are
 * a micron. Throws a RangeError for a number that is not finite or beyond 1e15: a broken number must not reach a
 * machine.
 */
export function formatNumber(value: number, decimals = 3): string {
  if (!(Math.abs(value) < 1e15)) throw new RangeError('A drawing cannot hold a number that is not finite.');
  const factor = 10 ** decimals;
  const units = Math.round(value * factor);
  const fractions = fractionsOf[decimals];
  if (fractions && Math.abs(units) < LARGE) {
    const size = Math.abs(units);
    const text = String(Math.floor(size / factor)) + fractions[size % factor]!;
    return units < 0 ? `-${text}` : text;
  }
  const decimal = units / factor;
  if (decimal === 0) return '0';
  const text = String(decimal);
  return text.includes('e') ? decimal.toFixed(decimals).replace(/\.?0+$/, '') : text;
}
