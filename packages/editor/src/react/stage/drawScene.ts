/** Renders a scene into layers, one for each element. */
import { renderView, type Scene, type SceneGroup, type SvgNode } from '@markwright/scene';
import type { StageView } from '../../core/pointer/stageView.ts';

/** The settings by which the layers of elements are drawn, flat or round the blank. */
export interface LayersProps {
  readonly view: StageView;
  /** The scale that they are painted at. */
  readonly pxPerMm: number;
  /** The element that is faded. */
  readonly fadedId: string | undefined;
}

interface DrawnElement {
  readonly node: SvgNode;
  /** The material's edge, in mm of the scene. */
  readonly filter: string | undefined;
}

export interface DrawnScene {
  readonly elements: ReadonlyMap<string, DrawnElement>;
  /** The paints that elements refer to. */
  readonly defs: SvgNode | undefined;
}

/** Renders a scene and splits the drawing into its elements, each for a layer of its own. */
export function drawScene(scene: Scene): DrawnScene {
  const elements = new Map<string, DrawnElement>();
  let defs: SvgNode | undefined;
  const visit = (node: SvgNode, filter?: string) => {
    const elementId = node.attrs['data-element'];
    if (node.tag === 'defs') defs = node;
    else if (elementId !== undefined) elements.set(elementId, { node, filter });
    else for (const child of node.children) visit(child, node.attrs.filter);
  };
  visit(renderView(scene, { kind: 'preview' }));
  return { elements, defs };
}

export const findGroup = (scene: Scene, elementId: string) =>
  scene.groups.find((group) => group.elementId === elementId);

/** True when two groups differ in nothing but their place. */
export const isSameDrawing = (a: SceneGroup, b: SceneGroup | undefined) =>
  b !== undefined && a.children === b.children && a.opacity === b.opacity;

/** A drawing with more characters of path data than this counts as heavy: some thousand points. */
export const HEAVY_CHARACTERS = 40_000;

export const pathCharacters = (children: SceneGroup['children']): number =>
  children.reduce((sum, child) => sum + (child.kind === 'path' ? child.d.length : 0), 0);
