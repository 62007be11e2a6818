/** How a round blank is turned about its axis, in the Live Preview and in a mockup. */
import type { Scene } from '@markwright/scene';

type Form = NonNullable<NonNullable<Scene['backdrop']>['surface']>['form'];

/** A turn belongs to the blank that was turned. */
export interface BlankTurn {
  readonly form: Form | undefined;
  /** What faced the front moves to the right. */
  readonly degrees: number;
}

export const frontOf: BlankTurn = { form: undefined, degrees: 0 };

const formOf = ({ backdrop }: Scene): Form | undefined => backdrop?.surface?.form;

/** A blank with a handle is not turned: its picture has the handle at the side. */
export function isTurnable(scene: Scene): boolean {
  const form = formOf(scene);
  return form !== undefined && form.arcMm === undefined;
}

/** Returns the turn of the present blank by any number of degrees, from -180 to 180. */
export const toTurn = ({ scene }: { readonly scene: Scene }, degrees: number): BlankTurn => ({
  form: formOf(scene),
  degrees: degrees - 360 * Math.round(degrees / 360),
});

/** Returns the degrees by which the present blank is turned: 0 for another one than was turned. */
export const turnOf = ({ scene, turn }: { readonly scene: Scene; readonly turn: BlankTurn }): number =>
  isTurnable(scene) && turn.form === formOf(scene) ? turn.degrees : 0;
