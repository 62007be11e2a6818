/** The worker that finds out whether a picture is tilted. It takes the address of a PNG of ours. */
import type { Skew } from '@markwright/editor';
import type { Straightening } from '@markwright/scene';
import { type Bitmap, type Corners, cornersOfTurn, estimateAspect, findSkew } from '@markwright/straighten';
import { readPng } from '../tracer/readPng.ts';

declare const self: {
  onmessage: (event: MessageEvent<string>) => void;
  postMessage(skew: Skew | undefined): void;
};

self.onmessage = async ({ data: url }) => self.postMessage(await search(url).catch(() => undefined));

async function search(url: string): Promise<Skew | undefined> {
  const response = await fetch(url);
  const picture = response.ok && (await readPng(new Uint8Array(await response.arrayBuffer())));
  const skew = picture && findSkew(picture);
  if (!skew) return undefined;
  const { angleDeg, corners } = skew;
  const straighten = toStraightening(corners ?? cornersOfTurn(picture, angleDeg), picture);
  return { angleDeg, isPerspective: corners !== undefined, straighten };
}

function toStraightening(corners: Corners, picture: Bitmap): Straightening {
  const [a, b, c, d] = corners;
  const toFractions = ({ x, y }: typeof a) => ({ x: x / picture.width, y: y / picture.height });
  return {
    corners: [toFractions(a), toFractions(b), toFractions(c), toFractions(d)],
    aspect: estimateAspect(corners, picture),
  };
}
