/**
 * Returns a first-in, first-out queue of whole numbers. In a flood fill it holds only the front. `take` returns -1 when
 * the queue is empty.
 */
export function createQueue() {
  let ring = new Int32Array(1 << 12);
  let first = 0;
  let length = 0;
  return {
    add(value: number): void {
      if (length === ring.length) {
        const larger = new Int32Array(2 * length);
        for (let k = 0; k < length; k++) larger[k] = ring[(first + k) & (length - 1)];
        ring = larger;
        first = 0;
      }
      ring[(first + length++) & (ring.length - 1)] = value;
    },
    take(): number {
      if (length === 0) return -1;
      const value = ring[first];
      first = (first + 1) & (ring.length - 1);
      length--;
      return value;
    },
  };
}
