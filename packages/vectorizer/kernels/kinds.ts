/** The kinds of pixels, and their runs: see `src/color/votes.ts`. */

export const MIXED: i32 = 0;
export const FLAT: i32 = 1;
export const CORE: i32 = 2;

/** Returns the end of the run of equal flat pixels that begins at p, up to `limit`. */
export function endOfRun(data: usize, kinds: usize, p: i32, limit: i32): i32 {
  const word = load<u32>(data + (<usize>p << 2));
  const words = i32x4.splat(<i32>word);
  let end = p + 1;
  while (end + 4 <= limit) {
    const isEqual = i32x4.all_true(i32x4.eq(v128.load(data + (<usize>end << 2)), words));
    if (!isEqual || load<u32>(kinds + end) != 0x01010101) break;
    end += 4;
  }
  while (end < limit && load<u32>(data + (<usize>end << 2)) == word && load<u8>(kinds + end) == FLAT) end++;
  return end;
}
