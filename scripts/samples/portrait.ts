/**
 * A painted portrait of nobody: an old sailor with beanie, beard and jersey, modeled from rounded solids and lit like a
 * photograph. Distances between solids are blended, so that skin, wool and hair flow into each other.
 */

export interface Rendering {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

type Vector = readonly [x: number, y: number, z: number];

/** One ray a pixel: the picture is reduced afterwards, which smooths its edges. */
const WIDTH = 840;
const HEIGHT = 1050;

/** The camera's exposure. */
const EXPOSURE = 0.5;

/** The width of a thread of the canvas, and how much lighter or darker it is. */
const CANVAS_PX = 7;
const CANVAS_LEVELS = 12;

/** The turn of the head to the light, in radians. */
const YAW = 0.42;
const PITCH = 0.06;

const CAMERA_Z = 9;
const FAR = 13;
/** The height of the picture at the plane of the face. */
const VIEW_HEIGHT = 4.35;
const VIEW_CENTER_Y = -0.42;

const key: Vector = normalize([-0.78, 0.62, 0.62]);
const rim: Vector = normalize([0.9, 0.35, -0.55]);

interface Surface {
  readonly color: Vector;
  /** How far the light reaches round into the shadow; skin glows. */
  readonly wrap: number;
  readonly gloss: number;
}

const surfaces = {
  skin: { color: [0.78, 0.47, 0.33], wrap: 0.26, gloss: 0.14 },
  lip: { color: [0.66, 0.33, 0.28], wrap: 0.2, gloss: 0.2 },
  beard: { color: [0.8, 0.77, 0.72], wrap: 0.3, gloss: 0.05 },
  brow: { color: [0.68, 0.65, 0.61], wrap: 0.2, gloss: 0 },
  eye: { color: [0.86, 0.83, 0.79], wrap: 0.1, gloss: 0.5 },
  iris: { color: [0.2, 0.34, 0.42], wrap: 0.1, gloss: 0.9 },
  pupil: { color: [0.03, 0.03, 0.035], wrap: 0, gloss: 0.9 },
  beanie: { color: [0.66, 0.17, 0.1], wrap: 0.12, gloss: 0 },
  jersey: { color: [0.07, 0.13, 0.22], wrap: 0.1, gloss: 0 },
} as const satisfies Record<string, Surface>;
type Material = keyof typeof surfaces;

function normalize([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

const clamp = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value));
const smoothstep = (from: number, to: number, value: number): number => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};
/** Returns the smaller value, rounded off within `k` of where both are equal. */
const blend = (a: number, b: number, k: number): number => {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - (h * h * k) / 4;
};
const carve = (a: number, b: number, k: number): number => -blend(-a, b, k);

/** Returns the approximate distance from an ellipsoid around the origin. */
function ellipsoid(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const near = Math.hypot(x / a, y / b, z / c);
  const slope = Math.hypot(x / (a * a), y / (b * b), z / (c * c));
  return slope === 0 ? -Math.min(a, b, c) : (near * (near - 1)) / slope;
}

/** Returns the distance from a rod between two points whose radius goes from `r` to `s`. */
function rod(x: number, y: number, z: number, a: Vector, b: Vector, [r, s]: readonly [number, number]): number {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
  const t = clamp((px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz));
  return Math.hypot(px - dx * t, py - dy * t, pz - dz * t) - (r + (s - r) * t);
}

/** Returns a random number from -1 to 1 for a point with whole coordinates. */
function randomAt(x: number, y: number, z: number): number {
  let hash = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(z, 2146209521);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2147483648 - 1;
}

const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
const ease = (t: number): number => t * t * (3 - 2 * t);

/** Returns smooth noise from -1 to 1. */
function noise(x: number, y: number, z: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const u = ease(x - ix);
  const v = ease(y - iy);
  const near = mix(
    mix(randomAt(ix, iy, iz), randomAt(ix + 1, iy, iz), u),
    mix(randomAt(ix, iy + 1, iz), randomAt(ix + 1, iy + 1, iz), u),
    v,
  );
  const far = mix(
    mix(randomAt(ix, iy, iz + 1), randomAt(ix + 1, iy, iz + 1), u),
    mix(randomAt(ix, iy + 1, iz + 1), randomAt(ix + 1, iy + 1, iz + 1), u),
    v,
  );
  return mix(near, far, ease(z - iz));
}

/** From this distance on, relief is left out of a measurement. */
const RELIEF_REACH = 0.1;

const [yawCosine, yawSine] = [Math.cos(YAW), Math.sin(YAW)];
const [pitchCosine, pitchSine] = [Math.cos(PITCH), Math.sin(PITCH)];

/** Returns a point of the room as the head sees it, which is turned. */
function toHead(x: number, y: number, z: number): Vector {
  const [tx, tz] = [x * yawCosine + z * yawSine, -x * yawSine + z * yawCosine];
  return [tx, y * pitchCosine - tz * pitchSine, y * pitchSine + tz * pitchCosine];
}

/** Returns the distance from the face without hair. `s` is the distance from the middle of the face. */
function faceDistance(x: number, y: number, z: number): number {
  const s = Math.abs(x);
  const hull = ellipsoid(x, y, z - 0.1, 0.98, 1.35, 1.2);
  if (hull > RELIEF_REACH) return hull;
  let face = ellipsoid(x, y - 0.38, z + 0.12, 0.78, 0.86, 0.9);
  face = blend(face, ellipsoid(x, y + 0.36, z - 0.16, 0.55, 0.7, 0.6), 0.3);
  face = blend(face, Math.hypot(s - 0.4, y + 0.08, z - 0.46) - 0.24, 0.22); // cheekbones
  face = blend(face, ellipsoid(s - 0.27, y - 0.25, z - 0.7, 0.28, 0.1, 0.12), 0.14); // ridge of the brows
  face = carve(face, ellipsoid(s - 0.29, y - 0.06, z - 0.92, 0.2, 0.11, 0.15), 0.16); // sockets
  face = blend(face, rod(x, y, z, [0, 0.2, 0.74], [0, -0.14, 0.98], [0.065, 0.115]), 0.09);
  face = blend(face, Math.hypot(x, y + 0.17, z - 1.0) - 0.115, 0.06); // tip of the nose
  face = blend(face, ellipsoid(s - 0.115, y + 0.2, z - 0.9, 0.085, 0.075, 0.1), 0.05);
  face = blend(face, rod(s, y, z, [0.17, -0.2, 0.84], [0.33, -0.4, 0.7], [0.05, 0.07]), 0.14); // folds of the cheeks
  // Upper and lower lid, round the eye.
  const lids = Math.hypot(s - 0.29, y - 0.08, z - 0.62) - 0.172;
  const slit = ellipsoid(s - 0.29, y - 0.055, z - 0.8, 0.125, 0.05, 0.2);
  face = blend(face, carve(lids, slit, 0.025), 0.05);
  face = blend(face, rod(s, y, z, [0.17, -0.04, 0.77], [0.4, -0.055, 0.66], [0.018, 0.02]), 0.07); // bags below
  // Ears.
  const ear = ellipsoid(s - 0.8, y + 0.02, z + 0.06, 0.09, 0.22, 0.14);
  face = blend(face, carve(ear, ellipsoid(s - 0.88, y + 0.02, z - 0.02, 0.07, 0.14, 0.08), 0.05), 0.06);
  if (face > RELIEF_REACH) return face - 0.02;
  // Wrinkles of the forehead and at the corner of the eye.
  const isFront = smoothstep(0.4, 0.7, z);
  const forehead = Math.sin(y * 62 + Math.cos(x * 5) * 1.1) * smoothstep(0.3, 0.4, y) * 0.005;
  const crow =
    Math.sin((y - 0.06) * 70 - (s - 0.4) * 30) *
    smoothstep(0.42, 0.52, s) *
    smoothstep(0.2, 0.08, Math.abs(y - 0.05)) *
    0.005;
  return face + (forehead + crow) * isFront + noise(x * 9, y * 9, z * 9) * 0.004;
}

/** Strands: noise drawn out along the way the hair grows. */
const strands = (x: number, y: number, z: number): number =>
  noise(x * 15 + noise(x * 3, y * 3, z * 3) * 1.6, y * 3.4 + z * 2, z * 11) * 0.036 +
  noise(x * 34, y * 7, z * 26 + noise(x * 4, y * 4, z) * 2) * 0.016;

function beardDistance(x: number, y: number, z: number): number {
  const s = Math.abs(x);
  let beard = ellipsoid(x, y + 0.72, z - 0.22, 0.6, 0.58, 0.58);
  beard = blend(beard, ellipsoid(x, y + 1.12, z - 0.34, 0.36, 0.42, 0.36), 0.25);
  // Side whiskers up to the beanie.
  beard = blend(beard, rod(s, y, z, [0.6, -0.45, 0.2], [0.72, 0.2, 0.12], [0.2, 0.07]), 0.18);
  beard = carve(beard, ellipsoid(x, y + 0.5, z - 0.86, 0.17, 0.07, 0.2), 0.08); // the mouth
  const mustache = Math.min(
    rod(s, y, z, [0.03, -0.335, 0.98], [0.24, -0.42, 0.86], [0.085, 0.1]),
    rod(s, y, z, [0.24, -0.42, 0.86], [0.42, -0.62, 0.7], [0.1, 0.05]),
  );
  const hair = blend(beard, mustache, 0.05);
  return hair > RELIEF_REACH ? hair - 0.05 : hair + strands(x, y, z);
}

function beanieDistance(x: number, y: number, z: number): number {
  const edge = y - 0.43 - z * 0.1; // lower at the back
  if (edge < -0.3) return -edge - 0.15;
  const angle = Math.atan2(x, z + 0.12);
  const rib = Math.abs(Math.sin(angle * 34));
  const crown = ellipsoid(x, y - 0.52, z + 0.16, 0.88, 0.96, 0.98) - rib * 0.014;
  const cap = Math.max(crown, -edge);
  const radial = Math.hypot(x / 0.9, (z + 0.12) / 1.0) - 1;
  const [across, along] = [Math.abs(radial) - 0.035, Math.abs(edge - 0.17) - 0.15];
  const cuff = Math.hypot(Math.max(across, 0), Math.max(along, 0)) + Math.min(Math.max(across, along), 0) - 0.045;
  return Math.min(cap, cuff - rib * 0.02) * 0.85;
}

function jerseyDistance(x: number, y: number, z: number): number {
  const s = Math.abs(x);
  let body = ellipsoid(x, y + 2.75, z + 0.3, 1.45, 1.25, 0.85);
  body = blend(body, ellipsoid(s - 1.2, y + 2.5, z + 0.35, 0.62, 0.62, 0.62), 0.5);
  body = blend(body, rod(x, y, z, [0, -1.9, -0.3], [0, -1.2, -0.18], [0.95, 0.5]), 0.35);
  const knit = Math.sin(x * 52 + Math.sin(y * 44) * 0.9) * 0.007;
  const angle = Math.atan2(x, z + 0.2);
  const ring = Math.hypot(Math.hypot(x, z + 0.18) - 0.52, (y + 1.24) * 0.72) - 0.17;
  const collar = ring - Math.abs(Math.sin(angle * 26)) * 0.018;
  return Math.min(body + knit, collar) * 0.9;
}

/** Returns the distance from the nearest solid, and its material when `wantsMaterial`. */
function scene(px: number, py: number, pz: number, out?: { material: Material }): number {
  const [x, y, z] = toHead(px, py, pz);
  const s = Math.abs(x);
  let nearest = jerseyDistance(px, py, pz);
  let material: Material = 'jersey';
  const offer = (distance: number, next: Material) => {
    if (distance < nearest) {
      nearest = distance;
      material = next;
    }
  };
  // Nothing of the head is near: its parts need not be measured one by one.
  const head = Math.hypot(x, y + 0.1, z - 0.1) - 1.75;
  if (head > 0.4) {
    if (out) out.material = material;
    return Math.min(nearest, head);
  }
  offer(faceDistance(x, y, z), 'skin');
  offer(rod(x, y, z, [0, -0.6, -0.1], [0, -1.4, -0.2], [0.42, 0.44]), 'skin');
  offer(ellipsoid(x, y + 0.49, z - 0.82, 0.16, 0.055, 0.1), 'lip');
  offer(beardDistance(x, y, z), 'beard');
  offer(beanieDistance(x, y, z), 'beanie');
  const brow = Math.min(
    rod(s, y, z, [0.13, 0.2, 0.88], [0.33, 0.255, 0.83], [0.045, 0.05]),
    rod(s, y, z, [0.33, 0.255, 0.83], [0.49, 0.17, 0.68], [0.05, 0.025]),
  );
  if (brow < RELIEF_REACH) offer(brow + strands(x * 1.6, y * 2.4, z * 2) * 0.7, 'brow');
  else offer(brow - 0.04, 'brow');
  const eye = Math.hypot(s - 0.29, y - 0.08, z - 0.62) - 0.158;
  if (eye < nearest) {
    // Both eyes look at us, so their irises are not mirrored.
    const center = x > 0 ? 0.29 : -0.29;
    const off = Math.hypot(x - center + 0.045, y - 0.065);
    offer(eye, off < 0.028 ? 'pupil' : off < 0.07 ? 'iris' : 'eye');
  }
  if (out) out.material = material;
  return nearest;
}

function normalAt(x: number, y: number, z: number): Vector {
  const e = 0.0022;
  const [a, b, c, d] = [
    scene(x + e, y - e, z - e),
    scene(x - e, y - e, z + e),
    scene(x - e, y + e, z - e),
    scene(x + e, y + e, z + e),
  ];
  return normalize([a - b - c + d, -a - b + c + d, -a + b - c + d]);
}

/** Returns how much of the key light arrives, 0…1, with a soft edge. */
function shadowAt([x, y, z]: Vector): number {
  let light = 1;
  for (let t = 0.03; t < 3.2 && light > 0.01; ) {
    const distance = scene(x + key[0] * t, y + key[1] * t, z + key[2] * t);
    light = Math.min(light, 0.5 + (0.5 * distance) / (0.16 * t));
    t += clamp(distance * 0.8, 0.02, 0.22);
    if (light <= 0) return 0;
  }
  return light * light * (3 - 2 * light);
}

/** Returns how open a point is to the room, 0…1. */
function opennessAt([x, y, z]: Vector, [nx, ny, nz]: Vector): number {
  let lack = 0;
  for (let step = 1; step <= 5; step++) {
    const reach = step * step * 0.018;
    lack += Math.max(0, reach - scene(x + nx * reach, y + ny * reach, z + nz * reach)) / (reach * step * 1.1);
  }
  return clamp(1 - lack * 0.62);
}

/** The painted ground: warm above, cool and light behind the side in shadow, with the strokes of a wide brush. */
function ground(u: number, v: number): Vector {
  const glow = clamp(0.52 + 0.4 * u - 0.34 * v);
  const strokes = noise(u * 12 + v * 4, v * 9, 3) * 0.1 + noise(u * 38, v * 31, 7) * 0.12;
  const level = (0.82 + 0.85 * glow ** 1.4) * (1 + strokes);
  return [level * (1.06 - 0.14 * glow), level * (0.99 - 0.05 * glow), level * (0.82 + 0.14 * glow)];
}

function shade(at: Vector, ray: Vector, material: Material): Vector {
  const normal = normalAt(...at);
  const dot = (v: Vector) => normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2];
  const surface: Surface = surfaces[material];
  let color = surface.color;
  const [x, y, z] = toHead(...at);
  if (material === 'skin') {
    // Blood is near the surface at nose, cheeks and ears.
    const rosy =
      0.8 * Math.exp(-((x ** 2 + (y + 0.16) ** 2 + (z - 1) ** 2) * 26)) +
      0.55 * Math.exp(-(((Math.abs(x) - 0.42) ** 2 + (y + 0.14) ** 2) * 14)) +
      0.5 * smoothstep(0.7, 0.8, Math.abs(x));
    const mottle = 1 + noise(x * 14, y * 14, z * 14) * 0.035;
    color = [color[0] * mottle, color[1] * (1 - 0.24 * rosy) * mottle, color[2] * (1 - 0.3 * rosy) * mottle];
  } else if (material === 'beard') {
    const tone = 0.88 + 0.13 * noise(x * 22, y * 5, z * 18) - 0.18 * smoothstep(-0.35, 0.1, y);
    color = [color[0] * tone, color[1] * tone, color[2] * tone];
  }
  const offset: Vector = [at[0] + normal[0] * 0.012, at[1] + normal[1] * 0.012, at[2] + normal[2] * 0.012];
  const facing = clamp((dot(key) + surface.wrap) / (1 + surface.wrap));
  const direct = facing * (facing > 0 ? shadowAt(offset) : 0);
  const open = opennessAt(at, normal);
  const fromRight = clamp(dot(rim)) * open;
  const front = clamp(normal[2]) * open;
  const sky = (0.5 + 0.5 * normal[1]) * open;
  const bounce = (0.5 - 0.5 * normal[1]) * open;
  const half = normalize([key[0] - ray[0], key[1] - ray[1], key[2] - ray[2]]);
  const shine = surface.gloss * clamp(dot(half)) ** (material === 'skin' ? 22 : 70) * direct;
  const edge = (1 + dot(ray)) ** 4 * open * (material === 'skin' ? 0.12 : 0.08);
  const light = (channel: 0 | 1 | 2) =>
    direct * [2.05, 1.86, 1.6][channel]! +
    front * [0.3, 0.28, 0.26][channel]! +
    fromRight * [0.5, 0.56, 0.66][channel]! +
    sky * [0.2, 0.23, 0.28][channel]! +
    bounce * [0.12, 0.1, 0.085][channel]! +
    edge;
  return [color[0] * light(0) + shine, color[1] * light(1) + shine, color[2] * light(2) + shine];
}

/** Returns the light that comes to the camera at a point of the picture, in -1…1 across its height. */
function trace(u: number, v: number): Vector {
  const ray = normalize([(u * VIEW_HEIGHT) / 2, (v * VIEW_HEIGHT) / 2 + VIEW_CENTER_Y * 0.35, -CAMERA_Z]);
  const [ox, oy, oz] = [0, VIEW_CENTER_Y * 0.65, CAMERA_Z];
  const hit = { material: 'jersey' as Material };
  for (let t = 6; t < FAR; ) {
    const at: Vector = [ox + ray[0] * t, oy + ray[1] * t, oz + ray[2] * t];
    const distance = scene(...at, hit);
    if (distance < 0.0012) return shade(at, ray, hit.material);
    t += distance * 0.72;
  }
  return ground(u, v);
}

/** Compresses the light to what a picture can hold, with a soft shoulder. */
const toByte = (light: number): number => {
  const luminance = light * EXPOSURE;
  const film = (luminance * (2.51 * luminance + 0.03)) / (luminance * (2.43 * luminance + 0.59) + 0.14);
  return Math.round(255 * clamp(film) ** (1 / 2.2));
};

/**
 * Returns what the canvas adds at a pixel of the finished picture. Its texture is what makes a tracer take the picture
 * for a photograph.
 */
export const canvasAt = (x: number, y: number): number => noise(x / CANVAS_PX, y / CANVAS_PX, 11) * CANVAS_LEVELS;

/** Renders the portrait. `scale` makes a smaller one for a quick look. */
export function renderPortrait(scale = 1): Rendering {
  const [width, height] = [Math.round(WIDTH * scale), Math.round(HEIGHT * scale)];
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const light = trace((2 * column + 1 - width) / height, 1 - (2 * row + 1) / height);
      rgb.set(light.map(toByte), 3 * (row * width + column));
    }
  }
  return { width, height, rgb };
}
