/**
 * The places of a round blank on the stage: from picture mm along its surface, which the editor works in, to picture mm
 * where the blank shows them, and back. It is the projection that mockups have. Loaded when somebody looks at a blank
 * as it will be.
 */
import type { AreaClip, Point, Scene } from '@markwright/scene';
import { openBlankView, projectPlace, unprojectPlace, wrapArea } from '@markwright/scene/wrap';

export interface SurfaceMap {
  /** Returns where a place shows. What is behind is at the outline of the blank. */
  project(point: Point): Point;
  /** Returns the place that shows at a point. Beside the blank the wall goes on as if it were flat there. */
  unproject(point: Point): Point;
  /** Returns the machine area as it shows, and after it the clips of the print area, in scene mm. */
  wrapArea(scene: Scene): readonly AreaClip[];
}

/** Returns undefined for a flat blank. */
export function createSurfaceMap({ backdrop, widthMm, heightMm }: Scene): SurfaceMap | undefined {
  const surface = backdrop?.surface;
  if (!surface) return undefined;
  // In picture mm the blank stays where it is while the machine area, the origin of scene mm, is resized.
  const middleMm = {
    x: surface.middleMm.x + backdrop.originMm.x,
    y: surface.middleMm.y + backdrop.originMm.y,
  };
  const blank = openBlankView({ form: surface.form, middleMm }, { widthMm, heightMm });
  return {
    project: (point) => projectPlace(blank, point),
    unproject: (point) => unprojectPlace(blank, point),
    wrapArea: (scene) => wrapArea(scene, openBlankView(scene.backdrop!.surface!, scene)),
  };
}

/** Two scenes with the same key have the same map. */
export function surfaceKey({ backdrop }: Scene): string | undefined {
  if (!backdrop?.surface) return undefined;
  const { form, middleMm } = backdrop.surface;
  const { x, y } = backdrop.originMm;
  return JSON.stringify([form, (middleMm.x + x).toFixed(6), (middleMm.y + y).toFixed(6)]);
}
