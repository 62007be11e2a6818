/**
 * Ways of looking at a trace besides zoom and pan: beside its picture, as paths, one color alone. They are drawn over the stage and are
 * in no composition, scene, picture or file.
 */
import type { Scene, SceneGroup, ScenePath } from '@markwright/scene';

export interface ViewOptions {
  /** Where the picture ends and its trace begins, 0…1 across what is seen of the artwork; absent while they are not compared. */
  readonly compareAt: number | undefined;
  readonly showsNodes: boolean;
  /** Swatches that are chosen, by their keys. */
  readonly swatches: readonly string[];
  /** Paints that stand out while the others are dimmed; none: nothing is dimmed. */
  readonly spotlight: readonly string[];
  /** The next press on the stage chooses the color under it. */
  readonly isPicking: boolean;
}

export const defaultViewOptions: ViewOptions = {
  compareAt: undefined,
  showsNodes: false,
  swatches: [],
  spotlight: [],
  isPicking: false,
};

/** A trace as it lies on the product. */
export interface PlacedTrace {
  readonly group: SceneGroup;
  readonly paths: readonly ScenePath[];
}

const traces = new WeakMap<SceneGroup, PlacedTrace | undefined>();

/** The trace on the product; `undefined` where there is none, as before a picture is traced. The same object for the same group. */
export function findTrace({ groups }: Pick<Scene, 'groups'>): PlacedTrace | undefined {
  const group = groups.find(({ elementId }) => elementId === 'design');
  if (!group) return undefined;
  if (!traces.has(group)) {
    const paths = group.children as readonly ScenePath[];
    traces.set(group, group.children[0]?.kind === 'path' ? { group, paths } : undefined);
  }
  return traces.get(group);
}

/** The look after one of its switches was pressed. */
export function toggleViewOption(viewOptions: ViewOptions, at: 'compare' | 'nodes'): Partial<ViewOptions> {
  if (at === 'nodes') return { showsNodes: !viewOptions.showsNodes };
  return { compareAt: viewOptions.compareAt === undefined ? 0.5 : undefined };
}
