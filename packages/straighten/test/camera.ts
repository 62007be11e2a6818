/** Draws what a camera sees of a flat picture: for tests and the bench. */

export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
type Spot = { readonly x: number; readonly y: number };

/** A camera before a page. Angles in degrees; lengths in long sides of the camera's picture. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly focal: number;
  /** The share of the picture that the page fills, across or down, whichever is more. */
  readonly fill: number;
  /** Where the page's middle is seen. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** The color around the page; undefined when it is the color of the page. */
  readonly ground?: (x: number, y: number) => readonly [number, number, number];
  readonly paper: readonly [number, number, number];
  /** The light falls off by this share across the picture, in this direction. */
  readonly lightLoss: number;
  readonly lightDirection: number;
  /** Standard deviations: of the blur in pixels, of the noise in levels. */
  readonly blur: number;
  readonly noise: number;
  readonly seed: number;
}

export const straightView: View = {
  width: 640,
  height: 480,
  roll: 0,
  pitch: 0,
  yaw: 0,
  focal: 1,
  fill: 0.8,
  shiftX: 0,
  shiftY: 0,
  paper: [255, 255, 255],
  lightLoss: 0,
  lightDirection: 0,
  blur: 0,
  noise: 0,
  seed: 1,
};

/** Mulberry32: numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const degrees = Math.PI / 180;

/** Returns where the camera sees a point of the page, and which point of the page a pixel shows. */
export function lookAt(page: { width: number; height: number }, view: View) {
  const unit = Math.max(view.width, view.height);
  const [cr, sr] = [Math.cos(view.roll * degrees), Math.sin(view.roll * degrees)];
  const [cy, sy] = [Math.cos(view.yaw * degrees), Math.sin(view.yaw * degrees)];
  const [cp, sp] = [Math.cos(view.pitch * degrees), Math.sin(view.pitch * degrees)];
  // Columns: the page's directions, turned about x, then about y, then in the picture's plane.
  const [ax, ay, az] = [cr * cy, sr * cy, -sy];
  const [bx, by, bz] = [cr * sy * sp - sr * cp, sr * sy * sp + cr * cp, cy * sp];
  const scale = view.fill * Math.min(view.width / page.width, view.height / page.height);
  const focal = view.focal * unit;
  const [mx, my] = [view.width / 2 + view.shiftX * unit, view.height / 2 + view.shiftY * unit];
  const toPicture = ({ x, y }: Spot): Spot => {
    const [u, v] = [(x - page.width / 2) * scale, (y - page.height / 2) * scale];
    // The page's middle lies in the direction of (mx, my), at the distance where it is seen at its scale.
    const [px, py, pz] = [
      ax * u + bx * v + mx - view.width / 2,
      ay * u + by * v + my - view.height / 2,
      focal + az * u + bz * v,
    ];
    return { x: view.width / 2 + (focal * px) / pz, y: view.height / 2 + (focal * py) / pz };
  };
  const toPage = ({ x, y }: Spot): Spot => {
    // Solves toPicture for u and v: two linear equations.
    const [qx, qy] = [(x - view.width / 2) / focal, (y - view.height / 2) / focal];
    const [a, b, c, d] = [ax - qx * az, bx - qx * bz, ay - qy * az, by - qy * bz];
    const [e, f] = [qx * focal - (mx - view.width / 2), qy * focal - (my - view.height / 2)];
    const determinant = a * d - b * c;
    const [u, v] = [(e * d - b * f) / determinant, (a * f - e * c) / determinant];
    return { x: u / scale + page.width / 2, y: v / scale + page.height / 2 };
  };
  return { toPicture, toPage };
}

/** Takes the picture: 2 × 2 samples a pixel, the light, the blur, the noise. */
export function takePicture(page: Raster, view: View): Raster {
  const { width, height } = view;
  const { toPage } = lookAt(page, view);
  const random = createRandom(view.seed);
  const light = new Float32Array(3 * width * height);
  const [lx, ly] = [Math.cos(view.lightDirection), Math.sin(view.lightDirection)];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const across = (lx * (2 * x - width)) / width + (ly * (2 * y - height)) / height;
      const share = (1 - view.lightLoss * (0.5 + 0.35 * across)) / 4;
      for (let v = 0.25; v < 1; v += 0.5) {
        for (let u = 0.25; u < 1; u += 0.5) addColor(light, i, page, toPage({ x: x + u, y: y + v }), view, share);
      }
    }
  }
  const soft = view.blur > 0 ? blurRows(blurRows(light, width, height, view.blur), height, width, view.blur) : light;
  const data = new Uint8Array(4 * width * height);
  // The sum of three even numbers is near enough to a normal one, with a variance of 1/4.
  const gauss = () => 2 * (random() + random() + random() - 1.5);
  for (let i = 0; i < width * height; i++) {
    const grain = view.noise > 0 ? view.noise * gauss() : 0;
    for (let c = 0; c < 3; c++) data[4 * i + c] = Math.max(0, Math.min(255, Math.round(soft[3 * i + c]! + grain)));
    data[4 * i + 3] = 255;
  }
  return { width, height, data };
}

/** Adds a share of the color of a place of the page, interpolated, or of what lies around the page. */
function addColor(light: Float32Array, i: number, page: Raster, { x, y }: Spot, view: View, share: number): void {
  const { width, height, data } = page;
  if (!(x >= 0 && y >= 0 && x < width && y < height)) {
    const color = view.ground?.(x, y) ?? view.paper;
    for (let c = 0; c < 3; c++) light[i + c]! += color[c]! * share;
    return;
  }
  const [u, v] = [Math.max(0, x - 0.5), Math.max(0, y - 0.5)];
  const [x0, y0] = [Math.floor(u), Math.floor(v)];
  const [fx, fy] = [u - x0, v - y0];
  const first = 4 * (y0 * width + x0);
  const right = x0 + 1 < width ? 4 : 0;
  const below = y0 + 1 < height ? 4 * width : 0;
  for (let c = 0; c < 3; c++) {
    const k = first + c;
    const top = data[k]! * (1 - fx) + data[k + right]! * fx;
    const bottom = data[k + below]! * (1 - fx) + data[k + below + right]! * fx;
    light[i + c]! += (top * (1 - fy) + bottom * fy) * share;
  }
}

/** Blurs along the rows and returns the picture with rows and columns exchanged. */
function blurRows(values: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const reach = Math.ceil(2.5 * sigma);
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-((k - reach) ** 2) / (2 * sigma ** 2)),
  );
  const total = kernel.reduce((sum, value) => sum + value, 0);
  const out = new Float32Array(values.length);
  // A row with its ends repeated, so that no place in it has to be checked.
  const line = new Float32Array(3 * (width + 2 * reach));
  for (let y = 0; y < height; y++) {
    const row = values.subarray(3 * y * width, 3 * (y + 1) * width);
    line.set(row, 3 * reach);
    for (let k = 0; k < reach; k++) {
      line.set(row.subarray(0, 3), 3 * k);
      line.set(row.subarray(3 * (width - 1)), 3 * (width + reach + k));
    }
    for (let x = 0; x < width; x++) {
      let [r, g, b] = [0, 0, 0];
      for (let k = 0, i = 3 * x; k < kernel.length; k++, i += 3) {
        const share = kernel[k]!;
        r += line[i]! * share;
        g += line[i + 1]! * share;
        b += line[i + 2]! * share;
      }
      const to = 3 * (x * height + y);
      out[to] = r / total;
      out[to + 1] = g / total;
      out[to + 2] = b / total;
    }
  }
  return out;
}
