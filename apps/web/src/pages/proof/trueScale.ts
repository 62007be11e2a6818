/** Pixels of a true millimeter on this screen, as the person measured it with a bank card. */
import { CSS_PX_PER_MM } from './proofView.ts';

const KEY = 'markwright.trueScale';

/** Returns the stored scale, or that of the CSS inch. */
export function readTrueScale(): number {
  try {
    const scale = Number(localStorage.getItem(KEY));
    return scale > CSS_PX_PER_MM / 3 && scale < CSS_PX_PER_MM * 3 ? scale : CSS_PX_PER_MM;
  } catch {
    return CSS_PX_PER_MM; // a browser may refuse its storage
  }
}

export function storeTrueScale(scale: number): void {
  try {
    localStorage.setItem(KEY, String(scale));
  } catch {
    // It holds until the page is left.
  }
}
