/** Measures lines and gaps of the pictures of a list, at their sizes in the artworks that take them. */
import { usePorts } from '@markwright/editor';
import {
  areaAspect,
  type Composition,
  elementIdOf,
  type Features,
  featureRequest,
  resolveScene,
} from '@markwright/scene';
import { withPicture } from '@markwright/scene/rows';
import { useEffect, useState } from 'react';
import type { PictureFeatures, PieceAssets } from '../../../studioHost/useFits.ts';
import { pictureTakers } from './pieceAssets.ts';

const NONE: PictureFeatures = new Map();

/** Returns what is measured so far: nothing until all pictures are. A picture has one size, whatever its row. */
export function usePictureFeatures(composition: Composition, assets: PieceAssets): PictureFeatures {
  const { measureFeatures } = usePorts();
  const [features, setFeatures] = useState(NONE);
  const { pictures } = assets;
  useEffect(() => {
    const takers = pictureTakers(composition);
    setFeatures(NONE);
    if (!measureFeatures || !pictures || pictures.size === 0 || takers.length === 0) return;
    const controller = new AbortController();
    const source = { pictures, areaAspect: areaAspect(composition, assets.product) };
    const pieces = takers.flatMap((taker) => [...pictures.keys()].map((key) => withPicture(taker, key, source)));
    measureAll().catch(() => undefined); // aborted: the list or its design has changed
    return () => controller.abort();

    async function measureAll(): Promise<void> {
      const results = new Map<string, Features>();
      for (const element of pieces) {
        const scene = resolveScene({ ...composition, elements: [element] }, assets);
        const [group] = scene.groups;
        const result = group && (await measureFeatures!(featureRequest(scene, group), controller.signal));
        if (result) results.set(elementIdOf(element), result);
      }
      if (!controller.signal.aborted) setFeatures(results);
    }
  }, [composition, assets, pictures, measureFeatures]);
  return features;
}
