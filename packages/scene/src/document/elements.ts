/** The elements of a composition as one list: their ids, their names and their z-order. */
import type { Composition, DesignPlacement, TextElement } from './composition.ts';

/** Returns the element id of a text, as `elementId` fields hold it. */
export const textElementId = (id: string): string => `text:${id}`;

/** Returns the ids of all elements in z-order, the lowest first, hidden ones included. */
export function toZOrder({ design, texts, textsUnderDesign }: Composition): string[] {
  const order = texts.map(({ id }) => textElementId(id));
  return design ? order.toSpliced(textsUnderDesign, 0, 'design') : order;
}

/** Finds an element by `design` or `text:<id>`. Returns undefined when the composition has none of that id. */
export function findElement(composition: Composition, elementId: string): DesignPlacement | TextElement | undefined {
  if (elementId === 'design') return composition.design;
  return composition.texts.find(({ id }) => textElementId(id) === elementId);
}

export const isDesign = (element: DesignPlacement | TextElement): element is DesignPlacement => 'designId' in element;

/** Returns the name a person gave to an element, or else its text or file name. */
export function toElementName(element: DesignPlacement | TextElement): string {
  if (element.name !== '') return element.name;
  if (isDesign(element)) return element.filename || 'Design';
  return element.text.trim().replace(/\s+/g, ' ') || 'Text';
}

/** Returns the composition without its hidden elements; the same object when none is hidden. */
export function withoutHidden(composition: Composition): Composition {
  const { design, texts, textsUnderDesign } = composition;
  if (!design?.isHidden && !texts.some(({ isHidden }) => isHidden)) return composition;
  return {
    ...composition,
    design: design?.isHidden ? undefined : design,
    texts: texts.filter(({ isHidden }) => !isHidden),
    textsUnderDesign: texts.slice(0, textsUnderDesign).filter(({ isHidden }) => !isHidden).length,
  };
}

/** True when at least one element is not hidden. */
export function hasContent(composition: Composition): boolean {
  const { design, texts } = withoutHidden(composition);
  return design !== undefined || texts.length > 0;
}
