/**
 * From the SVG text of a trace to the outlines the scene is made of. Loaded with the first design: it brings the XML
 * reader.
 */
import { type Artwork, readArtwork, readSvg } from '@markwright/scene';

/** Throws an Error with a plain sentence when the file is not what a trace should be. */
export function readTrace(svg: string): Artwork {
  const artwork = readArtwork(readSvg(svg));
  if (!artwork) throw new Error('This trace cannot be drawn. Please upload the picture again.');
  return artwork;
}
