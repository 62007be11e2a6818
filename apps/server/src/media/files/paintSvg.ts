/** Paints drawings of the scene renderer into a PDF: outlines stay outlines, and each picture is in the file once. */
import type { SvgNode } from '@markwright/scene';
import sharp from 'sharp';

/** Returns the address of a picture that a PDF can hold, a PNG or a JPEG, for one that a drawing shows. */
export type ToPdfPicture = (href: string) => Promise<string>;

/**
 * Returns the drawing with pictures that a PDF can hold. What is painted through the mask of a picture, as dots that a
 * laser burns, becomes that picture in the color of the paint; `cache` keeps those of several drawings. The gain of
 * dots is left out: on paper they are smaller than it.
 */
export async function withPdfPictures(
  root: SvgNode,
  toPdfPicture: ToPdfPicture,
  cache: Map<string, Promise<string>>,
): Promise<SvgNode> {
  const masks = new Map<string, SvgNode>();
  const change = async (node: SvgNode): Promise<SvgNode> => {
    const { tag, attrs } = node;
    if (tag === 'mask') {
      masks.set(attrs.id!, node);
      return node;
    }
    if (tag === 'image') return { ...node, attrs: { ...attrs, href: await toPdfPicture(attrs.href!) } };
    const picture = attrs.mask && masks.get(idOf(attrs.mask)!)?.children[0];
    if (picture) {
      const { href, ...place } = picture.attrs;
      const key = `${attrs.fill} ${href}`;
      const dots = cache.get(key) ?? paintMask(href!, attrs.fill!);
      cache.set(key, dots);
      return { ...picture, attrs: { ...place, href: await dots } };
    }
    const children: SvgNode[] = [];
    for (const child of node.children) children.push(await change(child));
    return { ...node, children };
  };
  return change(root);
}

/** The longer side of a picture of dots: pdfkit takes its clear parts apart pixel by pixel. */
const MOST_DOTS_PX = 1400;

/** Returns the clear parts of a picture clear, and the others in one color. */
async function paintMask(href: string, color: string): Promise<string> {
  const { data, info } = await sharp(Buffer.from(href.slice(href.indexOf(',') + 1), 'base64'))
    .ensureAlpha()
    .extractChannel('alpha')
    .resize(MOST_DOTS_PX, MOST_DOTS_PX, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const png = await sharp({ create: { width, height, channels: 3, background: color } })
    .joinChannel(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** The attributes that a child has from its parents. */
const HEREDITARY = ['fill', 'stroke', 'stroke-width', 'fill-rule'] as const;
type Look = Readonly<Partial<Record<(typeof HEREDITARY)[number], string>>> & { readonly opacity: number };

/**
 * Paints a drawing of `renderView` that `withPdfPictures` has prepared, in its own units: the caller has scaled the
 * page. It knows what that renderer writes, and no other SVG. The opacity of a group is that of each of its marks.
 * Cost: linear in the nodes.
 */
export function paintSvg(doc: PDFKit.PDFDocument, root: SvgNode): void {
  const defs = new Map<string, SvgNode>();
  const collect = (node: SvgNode) => {
    if (node.attrs.id !== undefined) defs.set(node.attrs.id, node);
    node.children.forEach(collect);
  };
  collect(root);
  for (const child of root.children) paint(doc, child, { fill: '#000000', opacity: 1 }, defs);
}

type Defs = ReadonlyMap<string, SvgNode>;

function paint(doc: PDFKit.PDFDocument, { tag, attrs, children }: SvgNode, parent: Look, defs: Defs): void {
  if (tag === 'defs' || tag === 'mask') return;
  const own = Object.fromEntries(HEREDITARY.flatMap((name) => (attrs[name] ? [[name, attrs[name]]] : [])));
  const look: Look = { ...parent, ...own, opacity: parent.opacity * Number(attrs.opacity ?? 1) };
  doc.save();
  if (attrs.transform) doc.transform(...numbersOf(attrs.transform));
  if (tag === 'svg') doc.rect(...boxOf(attrs)).clip();
  const clip = attrs['clip-path'] && defs.get(idOf(attrs['clip-path'])!)?.children[0];
  if (clip) doc.path(clip.attrs.d!).clip('even-odd');
  if (tag === 'image') {
    const [x, y, width, height] = boxOf(attrs);
    doc.fillOpacity(look.opacity).image(attrs.href!, x, y, { width, height });
  }
  if (tag === 'path') paintPath(doc, attrs, look, defs);
  for (const child of children) paint(doc, child, look, defs);
  doc.restore();
}

function paintPath(doc: PDFKit.PDFDocument, attrs: SvgNode['attrs'], look: Look, defs: Defs): void {
  const { fill = 'none', stroke = 'none', opacity } = look;
  if (fill === 'none' && stroke === 'none') return;
  doc.path(attrs.d!);
  if (fill !== 'none') {
    const gradient = fill.startsWith('url(') ? toGradient(doc, defs.get(idOf(fill)!)!) : fill;
    doc.fillColor(gradient).fillOpacity(opacity * Number(attrs['fill-opacity'] ?? 1));
  }
  if (stroke !== 'none') {
    doc
      .lineWidth(Number(look['stroke-width'] ?? 1))
      .strokeColor(stroke)
      .strokeOpacity(opacity * Number(attrs['stroke-opacity'] ?? 1));
  }
  const rule = look['fill-rule'] === 'evenodd' ? 'even-odd' : 'non-zero';
  if (fill === 'none') doc.stroke();
  else if (stroke === 'none') doc.fill(rule);
  else doc.fillAndStroke(undefined, undefined, rule);
}

function toGradient(doc: PDFKit.PDFDocument, { tag, attrs, children }: SvgNode): PDFKit.PDFGradient {
  const at = (name: string) => Number(attrs[name]);
  const gradient =
    tag === 'linearGradient'
      ? doc.linearGradient(at('x1'), at('y1'), at('x2'), at('y2'))
      : doc.radialGradient(at('cx'), at('cy'), 0, at('cx'), at('cy'), at('r'));
  // The types of pdfkit lack it.
  const { setTransform } = gradient as unknown as { setTransform(...matrix: Matrix): void };
  if (attrs.gradientTransform) setTransform.apply(gradient, numbersOf(attrs.gradientTransform));
  for (const { attrs: stop } of children) {
    gradient.stop(Number(stop.offset), stop['stop-color'], Number(stop['stop-opacity'] ?? 1));
  }
  return gradient;
}

type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

/** `matrix(1 0 0 1 5 6)` */
const numbersOf = (transform: string): Matrix => transform.slice('matrix('.length, -1).split(' ').map(Number) as Matrix;

const boxOf = ({ x = '0', y = '0', width, height }: SvgNode['attrs']): [number, number, number, number] => [
  ...([Number(x), Number(y)] as const),
  ...([Number(width), Number(height)] as const),
];

/** `url(#a)` is `a`. */
const idOf = (reference: string): string | undefined => reference.slice('url(#'.length, -1);
