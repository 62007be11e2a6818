/** Draws the standard SVG, which needs no server. Loaded with the first export, as it brings the polygon clipper. */
import { renderScene, type Scene, writeSvg } from '@markwright/scene';

/** Draws the scene as it is shown, on 400 × 400. */
export function drawStandardSvg(scene: Scene): string {
  return writeSvg(renderScene(scene, { kind: 'standardSvg' }));
}
