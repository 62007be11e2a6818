/** Measures how thin the lines of elements are, and remembers it by what is drawn. */
import { type Features, featureRequest, type Scene, type SceneGroup } from '@markwright/scene';
import type { Ports } from '../ports.ts';

interface Measurement {
  /** Size and machine: they change the result, and a move or a turn does not. */
  readonly key: string;
  /** Undefined where they could not be measured. */
  readonly features: Features | undefined;
}

export interface FeatureCache {
  /** Returns the measurement of an element; undefined while it is not measured. */
  find(scene: Scene, group: SceneGroup): Measurement | undefined;
  /** Measures what is new, one element after the other. Stops without an error when it is aborted. */
  measureAll(scene: Scene, signal: AbortSignal): Promise<void>;
}

/** Creates a cache that keeps the latest measurement of each drawing. */
export function createFeatureCache(ports: Pick<Ports, 'measureFeatures'>): FeatureCache {
  const measurements = new WeakMap<SceneGroup['children'], Measurement>();

  function find(scene: Scene, group: SceneGroup): Measurement | undefined {
    const measurement = measurements.get(group.children);
    return measurement?.key === keyOf(scene, group) ? measurement : undefined;
  }

  return {
    find,
    async measureAll(scene, signal) {
      const { measureFeatures } = ports;
      for (const group of scene.groups) {
        if (find(scene, group)) continue;
        let features: Features | undefined;
        try {
          features = await measureFeatures?.(featureRequest(scene, group), signal);
        } catch {
          // Without a measurement the other checks still stand.
        }
        if (signal.aborted) return;
        measurements.set(group.children, { key: keyOf(scene, group), features });
      }
    },
  };
}

function keyOf(scene: Scene, group: SceneGroup): string {
  const { unitMm } = featureRequest(scene, group);
  return `${scene.machine} ${unitMm.toPrecision(6)}`;
}
