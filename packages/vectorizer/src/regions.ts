/** Labels to connected regions. */

export interface Regions {
  width: number;
  height: number;
  /** Palette index of each pixel. */
  labels: Uint8Array;
  /** Region of each pixel. */
  ids: Uint32Array;
  count: number;
  /** Palette label of each region. */
  labelOf: Uint8Array;
  /** Pixels of each region. */
  areaOf: Uint32Array;
}

/**
 * Numbers the connected regions of equal label in scan order. Pixels that touch by a side belong together; pixels that
 * touch by a corner do where `joinsDown` or `joinsUp` says so. Union-find, close to linear, no recursion.
 */
export function findRegions(labels: Uint8Array, width: number, height: number): Regions {
  const size = width * height;
  const parent = new Uint32Array(size); // union-find forest: a root is its own parent
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const label = labels[i];
      const up = i - width;
      const joinsLeft = x > 0 && label === labels[i - 1];
      parent[i] = joinsLeft ? parent[i - 1] : i;
      if (y === 0) continue;
      if (label === labels[up]) {
        // Nothing new when the square of four is already one.
        if (!joinsLeft || label !== labels[up - 1]) join(parent, up, i);
        continue;
      }
      if (x === 0) continue;
      if (!joinsLeft && label === labels[up - 1] && joinsDown(labels, width, height, x, y)) join(parent, up - 1, i);
      if (labels[i - 1] === labels[up] && joinsUp(labels, width, height, x, y)) join(parent, up, i - 1);
    }
  }

  const ids = parent; // resolved in place: every root precedes the pixels that point at it
  let count = 0;
  for (let i = 0; i < size; i++) {
    const up = parent[i];
    ids[i] = up === i ? count++ : ids[up];
  }
  const labelOf = new Uint8Array(count);
  const areaOf = new Uint32Array(count);
  for (let i = 0; i < size; i++) {
    labelOf[ids[i]] = labels[i];
    areaOf[ids[i]]++;
  }
  return { width, height, labels, ids, count, labelOf, areaOf };
}

/** Makes the smaller index the root, so a region's root is its first pixel in scan order. */
function join(parent: Uint32Array, a: number, b: number): void {
  a = findRoot(parent, a);
  b = findRoot(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

function findRoot(parent: Uint32Array, i: number): number {
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]]; // path halving
    i = parent[i];
  }
  return i;
}

/**
 * At the lattice point (x, y), four pixels meet. When the upper left and lower right ones are equal and differ from both
 * others, they are joined; when the other two are equal as well, the label rarer in the 4 × 4 pixels around is the
 * thin one and is joined, as an unbroken line is likelier than a broken one.
 */
export function joinsDown(labels: Uint8Array, width: number, height: number, x: number, y: number): boolean {
  const i = y * width + x;
  const main = labels[i];
  const other = labels[i - 1];
  if (main !== labels[i - width - 1] || main === other || main === labels[i - width]) return false;
  if (other !== labels[i - width]) return true;
  return isRarer(labels, width, height, x, y, main, other);
}

/** The same for the upper right and lower left pixels. */
export function joinsUp(labels: Uint8Array, width: number, height: number, x: number, y: number): boolean {
  const i = y * width + x;
  const main = labels[i - 1];
  const other = labels[i];
  if (main !== labels[i - width] || main === other || main === labels[i - width - 1]) return false;
  if (other !== labels[i - width - 1]) return true;
  return isRarer(labels, width, height, x, y, main, other);
}

function isRarer(
  labels: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  main: number,
  other: number,
): boolean {
  let balance = 0;
  for (let v = Math.max(0, y - 2); v < Math.min(height, y + 2); v++) {
    for (let u = Math.max(0, x - 2); u < Math.min(width, x + 2); u++) {
      const label = labels[v * width + u];
      if (label === main) balance++;
      else if (label === other) balance--;
    }
  }
  // A tie goes to the later palette entry, which is the rarer colour of the whole picture.
  return balance !== 0 ? balance < 0 : main > other;
}
