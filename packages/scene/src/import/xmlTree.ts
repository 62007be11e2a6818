/** XML as a tree, within limits: for formats other than SVG, which has a parser of its own (`svgSafe.ts`). */
import { SaxesParser } from 'saxes';
import { CONTOUR_FILE_LIMITS, FileRefused } from './contourFile.ts';

export interface XmlElement {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly in it. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  readonly texts: string[];
  text: string;
}

/**
 * Parses XML without a document type. Throws `FileRefused` for anything that is not well-formed, declares a document
 * type or exceeds the limits. Cost: linear in the text.
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ position: false });
  const stack: OpenElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  const refuse = (reason: string): never => {
    throw new FileRefused(reason);
  };

  parser.on('error', (error) =>
    refuse(`This file is damaged: it is not well-formed (${error.message.slice(0, 100)}).`),
  );
  parser.on('doctype', () => refuse('This file declares a document type, which is not accepted.'));
  parser.on('opentag', ({ name, attributes }) => {
    if (++count > CONTOUR_FILE_LIMITS.records) refuse('This file has too many parts.');
    if (stack.length === CONTOUR_FILE_LIMITS.depth) refuse('This file is nested too deeply.');
    const element: OpenElement = {
      tag: name,
      attrs: attributes as Record<string, string>,
      children: [],
      texts: [],
      text: '',
    };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  });
  parser.on('closetag', () => {
    const element = stack.pop()!;
    element.text = element.texts.join('');
  });
  const addText = (content: string) => stack.at(-1)?.texts.push(content);
  parser.on('text', addText);
  parser.on('cdata', addText);

  parser.write(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).close();
  return root ?? refuse('This file is damaged: it holds nothing.');
}
