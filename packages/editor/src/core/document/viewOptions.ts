/**
 * View options: ways to look at a trace besides zoom and pan. It can be shown beside its picture, as paths, or one
 * color alone. They are drawn over the stage and are in no composition, scene, picture or file.
 */
import { artworkElementId, type Scene, type SceneGroup, type ScenePath } from '@markwright/scene';

export interface ViewOptions {
  /**
   * Where the picture ends and its trace begins, 0…1 across the visible artwork; absent while they are not compared.
   */
  readonly compareAt: number | undefined;
  readonly showsNodes: boolean;
  /** Selected swatches, by their keys. */
  readonly swatches: readonly string[];
  /** Paints that stand out while the others are dimmed. When empty, nothing is dimmed. */
  readonly spotlight: readonly string[];
  /** True while the next press on the stage picks the color under it. */
  readonly isPicking: boolean;
}

export const defaultViewOptions: ViewOptions = {
  compareAt: undefined,
  showsNodes: false,
  swatches: [],
  spotlight: [],
  isPicking: false,
};

/** A trace in its place on the product. */
export interface PlacedTrace {
  readonly group: SceneGroup;
  readonly paths: readonly ScenePath[];
}

const traces = new WeakMap<SceneGroup, PlacedTrace | undefined>();

/**
 * Returns the trace of the active artwork; `undefined` before its picture is traced. Returns the same object for the
 * same group.
 */
export function findTrace({
  scene,
  activeArtworkId,
}: {
  readonly scene: Pick<Scene, 'groups'>;
  readonly activeArtworkId: string | undefined;
}): PlacedTrace | undefined {
  if (activeArtworkId === undefined) return undefined;
  const id = artworkElementId(activeArtworkId);
  const group = scene.groups.find(({ elementId }) => elementId === id);
  if (!group) return undefined;
  if (!traces.has(group)) {
    const paths = group.children as readonly ScenePath[];
    traces.set(group, group.children[0]?.kind === 'path' ? { group, paths } : undefined);
  }
  return traces.get(group);
}

/** Returns the view options that change when a switch is pressed. */
export function toggleViewOption(viewOptions: ViewOptions, at: 'compare' | 'nodes'): Partial<ViewOptions> {
  if (at === 'nodes') return { showsNodes: !viewOptions.showsNodes };
  return { compareAt: viewOptions.compareAt === undefined ? 0.5 : undefined };
}
