/**
 * Returns the length of the vector (x, y); NaN for a coordinate that is no number. It has the bits of V8's
 * `Math.hypot`, whose result the language leaves to the engine: so a trace is the same in every browser. It takes half
 * the time, because the built-in of any number of arguments first writes them to a list.
 */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const most = a > b ? a : b;
  if (!(most > 0 && most < Infinity)) return a + b;
  const p = a / most;
  const q = b / most;
  return Math.sqrt(p * p + q * q) * most;
}
