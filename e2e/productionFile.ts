/** Reads an exported SVG as a machine's software does, with the browser's own XML parser and geometry. */
import type { Page } from '@playwright/test';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ReadFile {
  parseError: string | undefined;
  width: string;
  height: string;
  viewBox: number[];
  tags: string[];
  attributes: string[];
  paths: { d: string; fill: string; stroke: string; box: Box; subpaths: number; closed: number; group: string }[];
}

/** Parses `svg` and measures every path in user units. */
export function readProductionFile(page: Page, svg: string): Promise<ReadFile> {
  return page.evaluate((text) => {
    const xml = new DOMParser().parseFromString(text, 'image/svg+xml');
    const root = document.importNode(xml.documentElement, true) as unknown as SVGSVGElement;
    document.body.append(root);
    const all = [root as Element, ...root.querySelectorAll('*')];
    const paint = (element: Element, name: string) => element.closest(`[${name}]`)?.getAttribute(name) ?? '';
    const result = {
      parseError: xml.querySelector('parsererror')?.textContent ?? undefined,
      width: root.getAttribute('width') ?? '',
      height: root.getAttribute('height') ?? '',
      viewBox: (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number),
      tags: [...new Set(all.map((element) => element.localName))],
      attributes: [...new Set(all.flatMap((element) => [...element.attributes].map((attribute) => attribute.name)))],
      paths: [...root.querySelectorAll('path')].map((path) => {
        const d = path.getAttribute('d') ?? '';
        const box = path.getBBox();
        return {
          d,
          fill: paint(path, 'fill'),
          stroke: paint(path, 'stroke'),
          box: { x: box.x, y: box.y, width: box.width, height: box.height },
          subpaths: (d.match(/M/gi) ?? []).length,
          closed: (d.match(/Z/gi) ?? []).length,
          group: path.closest('g[id]')?.id ?? '',
        };
      }),
    };
    root.remove();
    return result;
  }, svg);
}

export function unite(boxes: Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
