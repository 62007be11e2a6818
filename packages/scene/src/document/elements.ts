/** The elements of a composition as one list: which there are, what they are called, what lies over what. */
import type { Composition, DesignPlacement, TextElement } from './composition.ts';

/** Names the element of a text for `elementId` fields. */
export const textElementId = (id: string): string => `text:${id}`;

/** The ids of all elements from the bottom up, hidden ones among them. */
export function toZOrder({ design, texts, textsUnderDesign }: Composition): string[] {
  const order = texts.map(({ id }) => textElementId(id));
  return design ? order.toSpliced(textsUnderDesign, 0, 'design') : order;
}

export function findElement(composition: Composition, elementId: string): DesignPlacement | TextElement | undefined {
  if (elementId === 'design') return composition.design;
  return composition.texts.find(({ id }) => textElementId(id) === elementId);
}

export const isDesign = (element: DesignPlacement | TextElement): element is DesignPlacement => 'designId' in element;

/** What a person calls it: the name given to it, or its words or file. */
export function toElementName(element: DesignPlacement | TextElement): string {
  if (element.name !== '') return element.name;
  if (isDesign(element)) return element.filename || 'Design';
  return element.text.trim().replace(/\s+/g, ' ') || 'Text';
}

/** The composition of what is shown and made: without the hidden elements. The same object when none is hidden. */
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

/** Whether there is anything to show or make. */
export function hasContent(composition: Composition): boolean {
  const { design, texts } = withoutHidden(composition);
  return design !== undefined || texts.length > 0;
}
