/** Says what a laser makes of an element's opacity. */
import { type LaserLayer, laserLayerOf, type SceneGroup } from '@markwright/scene';

const tones: Readonly<Record<string, string>> = {
  'engrave-c00': 'dark',
  'engrave-c16': 'medium',
  'engrave-c08': 'light',
};

/**
 * Returns a sentence about an element that is not opaque: a laser has no opacity, so a fill gets one of three tones,
 * each a layer with its own power, and a line is followed as it is. Undefined for an opaque element.
 */
export function describeLaserTone({ opacity, children }: Pick<SceneGroup, 'opacity' | 'children'>): string | undefined {
  if (opacity >= 1) return undefined;
  const layersAt = (share: number): (LaserLayer | undefined)[] =>
    children.flatMap((child) => {
      const color = child.kind === 'path' ? (child.fill ?? child.stroke) : undefined;
      if (child.kind !== 'path' || !color) return [];
      return [laserLayerOf(child.operation, color, child.opacity * share)];
    });
  const layers = layersAt(opacity);
  const layerIds = [...new Set(layers.flatMap((layer) => (layer ? [layer.id] : [])))]
    .filter((id) => id in tones)
    .sort();
  const isLess = layers.filter((layer) => layer).length < layersAt(1).filter((layer) => layer).length;
  if (layers.every((layer) => !layer)) return 'Too light for a laser, so it is left out.';
  if (layerIds.length === 0) return 'A laser follows a line the same way at any opacity.';
  const names = layerIds.map((id) => `${tones[id]} (${id.replace('engrave-', '').toUpperCase()})`);
  const power = names.length > 1 ? 'each is a layer with its own power' : 'a layer with its own power';
  const sentence = `A laser engraves it ${names.join(' and ')}: ${power}.`;
  return isLess ? `${sentence} Its lightest parts are left out.` : sentence;
}
