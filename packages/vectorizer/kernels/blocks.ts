/** Blocks of a picture: `averageBlocks` and `countTexture` of `src/photo/photograph.ts`, whose text explains them. */

/**
 * Averages a row of blocks. Their sampled rows lie one after another at `data`, `perSide` of them. Writes three means
 * and one roughness for each block, 4 bytes each. Returns how many blocks are even.
 */
export function averageBlocks(
  data: usize,
  width: i32,
  across: i32,
  side: i32,
  step: i32,
  means: usize,
  roughness: usize,
): i32 {
  const row = <usize>width << 2;
  const perSide = (side + step - 1) / step;
  const perBlock = <f64>(perSide * perSide);
  const stride = <usize>step << 2;
  let evenCount = 0;
  for (let x = 0; x < across; x++) {
    const first = data + (<usize>(x * side) << 2);
    const mean = means + <usize>(x * 12);
    store<f32>(roughness + (<usize>x << 2), 0);
    if (isEven(first, row, perSide, stride)) {
      evenCount++;
      for (let c: usize = 0; c < 3; c++) store<f32>(mean + (c << 2), <f32>load<u8>(first + c));
      continue;
    }
    let red = 0;
    let green = 0;
    let blue = 0;
    let differences = 0;
    for (let v = 0; v < perSide; v++) {
      let at = first + <usize>v * row;
      for (let u = 0; u < perSide; u++, at += stride) {
        const own: i32 = load<u8>(at, 1);
        if (u > 0) {
          const apart = own - <i32>load<u8>(at - stride, 1);
          differences += apart * apart;
        }
        red += load<u8>(at);
        green += own;
        blue += load<u8>(at, 2);
      }
    }
    store<f32>(roughness + (<usize>x << 2), <f32>differences);
    store<f32>(mean, <f32>(<f64>red / perBlock));
    store<f32>(mean, <f32>(<f64>green / perBlock), 4);
    store<f32>(mean, <f32>(<f64>blue / perBlock), 8);
  }
  return evenCount;
}

function isEven(first: usize, row: usize, perSide: i32, stride: usize): bool {
  const word = load<u32>(first);
  for (let v = 0; v < perSide; v++) {
    let at = first + <usize>v * row;
    for (let u = 0; u < perSide; u++, at += stride) if (load<u32>(at) != word) return false;
  }
  return true;
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function mean(at: usize): f64 {
  return <f64>load<f32>(at);
}

/**
 * Counts the blocks without an edge, the textured ones of them, and their colors. `out` is the address of those two
 * counts, 4 bytes each, and at 16 bytes beyond of 32,768 more by color, which are zero at first.
 */
export function countTexture(means: usize, across: i32, down: i32, edgeStep: f64, textureStep: f64, out: usize): void {
  const counts = out + 16;
  const row = <usize>across * 12;
  let even: u32 = 0;
  let texturedCount: u32 = 0;
  for (let y = 1; y < down - 1; y++) {
    for (let x = 1; x < across - 1; x++) {
      const at = means + <usize>(y * across + x) * 12;
      let step: f64 = 0;
      let bend: f64 = 0;
      for (let c = at; c < at + 12; c += 4) {
        const here = mean(c);
        const left = mean(c - 12);
        const right = mean(c + 12);
        const above = mean(c - row);
        const below = mean(c + row);
        step = max(step, max(max(abs(here - left), abs(here - right)), max(abs(here - above), abs(here - below))));
        bend = max(bend, max(abs(2 * here - left - right), abs(2 * here - above - below)));
      }
      if (step > edgeStep) continue;
      even++;
      if (bend > textureStep) texturedCount++;
      const key = ((<i32>mean(at) >> 3) << 10) | ((<i32>mean(at + 4) >> 3) << 5) | (<i32>mean(at + 8) >> 3);
      const slot = counts + (<usize>key << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
  }
  store<u32>(out, even);
  store<u32>(out, texturedCount, 4);
}
