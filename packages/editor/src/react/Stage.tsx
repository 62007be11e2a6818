/** What lies on the stage: the product's picture and, clipped to the machine area, one layer for each element. */
import {
  invert,
  type Matrix,
  multiply,
  renderView,
  type Scene,
  type SceneGroup,
  type SvgNode,
  scale,
} from '@markwright/scene';
import { memo, useMemo, useState } from 'react';
import type { StageView } from '../core/stageView.ts';
import { useEditorState } from './EditorProvider.tsx';
import { SvgNodes, SvgNodeView } from './SvgNodeView.tsx';

export function Stage({ view }: { view: StageView }) {
  const scene = useEditorState((state) => state.scene);
  const settledScene = useEditorState((state) => state.settledScene);
  const isGesturing = useEditorState((state) => state.isGesturing);
  const settled = useMemo(() => drawScene(settledScene), [settledScene]);
  // Only what a gesture changes beyond its place (a text being typed) is drawn while it runs.
  const isOnlyMoved = scene.groups.every((group) => isSameDrawing(group, findGroup(settledScene, group.elementId)));
  const shown = isOnlyMoved ? settled : drawScene(scene);

  const { pxPerMm, originMm, picture } = view;
  const world = multiply(view.toScreen, scale(1 / pxPerMm));
  return (
    <div
      className="pointer-events-none absolute top-0 left-0 origin-top-left"
      style={{
        width: picture.width * pxPerMm,
        height: picture.height * pxPerMm,
        transform: cssMatrix(world),
      }}
    >
      {shown.defs && (
        <svg aria-hidden="true" width={0} height={0} className="absolute">
          <SvgNodeView node={shown.defs} />
        </svg>
      )}
      {scene.backdrop && <Picture key={scene.backdrop.pictureHref} href={scene.backdrop.pictureHref} />}
      <div
        className="absolute overflow-hidden"
        style={{
          left: originMm.x * pxPerMm,
          top: originMm.y * pxPerMm,
          width: scene.widthMm * pxPerMm,
          height: scene.heightMm * pxPerMm,
        }}
      >
        {scene.groups.map((group) => {
          const node = shown.elements.get(group.elementId);
          const base = isOnlyMoved ? findGroup(settledScene, group.elementId) : group;
          return (
            node &&
            base && (
              <ElementLayer
                key={group.elementId}
                node={node}
                pxPerMm={pxPerMm}
                moved={base.matrix === group.matrix ? undefined : cssMatrix(toPx(moveBetween(base, group), pxPerMm))}
                isPromoted={isGesturing}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/**
 * One element as a picture of its own. While a gesture runs only the CSS transform changes, which the compositor does
 * with the pixels it has; the paths are painted again when the gesture is over.
 */
const ElementLayer = memo(function ElementLayer({
  node,
  pxPerMm,
  moved,
  isPromoted,
}: {
  node: SvgNode;
  pxPerMm: number;
  moved: string | undefined;
  isPromoted: boolean;
}) {
  return (
    <svg
      aria-hidden="true"
      width={1}
      height={1}
      className="absolute top-0 left-0 origin-top-left overflow-visible"
      style={{ transform: moved, willChange: isPromoted ? 'transform' : undefined }}
    >
      <g transform={`scale(${pxPerMm})`}>
        <g transform={node.attrs.transform} opacity={node.attrs.opacity} data-element={node.attrs['data-element']}>
          <SvgNodes nodes={node.children} />
        </g>
      </g>
    </svg>
  );
});

/** The product itself; a quiet block stands in until it is there. */
function Picture({ href }: { href: string }) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  return (
    <>
      {state === 'loading' && <div className="absolute inset-[8%] animate-pulse rounded-card bg-ink/6" />}
      {state === 'failed' && (
        <p role="alert" className="absolute inset-0 grid place-items-center text-center text-sm text-graphite">
          The picture of this product could not be loaded.
        </p>
      )}
      <img
        src={href}
        alt=""
        draggable={false}
        onLoad={() => setState('ready')}
        onError={() => setState('failed')}
        className={`absolute inset-0 size-full max-w-none transition-opacity select-none ${state === 'ready' ? '' : 'opacity-0'}`}
      />
    </>
  );
}

interface DrawnScene {
  readonly elements: ReadonlyMap<string, SvgNode>;
  /** Paints the elements refer to. */
  readonly defs: SvgNode | undefined;
}

/** The renderer's drawing, taken apart into its elements: each goes into a layer of its own. */
function drawScene(scene: Scene): DrawnScene {
  const elements = new Map<string, SvgNode>();
  let defs: SvgNode | undefined;
  const visit = (node: SvgNode) => {
    const elementId = node.attrs['data-element'];
    if (node.tag === 'defs') defs = node;
    else if (elementId !== undefined) elements.set(elementId, node);
    else node.children.forEach(visit);
  };
  visit(renderView(scene, { kind: 'preview' }));
  return { elements, defs };
}

const findGroup = (scene: Scene, elementId: string) => scene.groups.find((group) => group.elementId === elementId);

const isSameDrawing = (a: SceneGroup, b: SceneGroup | undefined) =>
  b !== undefined && a.children === b.children && a.opacity === b.opacity;

/** What takes a drawing at `base` to where the element is now, scene mm to scene mm. */
const moveBetween = (base: SceneGroup, now: SceneGroup): Matrix => multiply(now.matrix, invert(base.matrix));

const toPx = (m: Matrix, pxPerMm: number): Matrix => ({ ...m, e: m.e * pxPerMm, f: m.f * pxPerMm });

const cssMatrix = ({ a, b, c, d, e, f }: Matrix) => `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
