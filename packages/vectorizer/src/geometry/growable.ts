type GrowableArray = Int32Array | Uint32Array | Float64Array;

/**
 * Returns the array when it holds `length` numbers, else a copy that does and is at least twice as long. New numbers
 * are 0.
 */
export function withRoom<T extends GrowableArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(2 * array.length, length));
  longer.set(array);
  return longer;
}
