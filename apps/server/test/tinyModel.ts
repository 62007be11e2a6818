/** ONNX files for tests, of a kilobyte or two, written field by field: their output is known. */

interface TinyModel {
  readonly side: number;
  /**
   * The number of hidden layers with 64 channels, each a second of work and 270 MB at 1024 pixels. With them the output
   * is always 0.
   */
  readonly layers?: number;
  /** True for calculation with 16 bits, nodes out of order, and a second output: the square of the first. */
  readonly isHalf?: boolean;
}

/** Writes a network that marks the light parts of a picture: the mean of the input channels, times 20. */
export function tinyModel({ side, layers = 0, isHalf = false }: TinyModel): Uint8Array {
  if (isHalf) return halfModel(side);
  const nodes: Buffer[] = [];
  const tensors = [tensor('times', [1], new Float32Array([20]))];
  let last = 'input';
  for (let i = 0; i < layers; i++) {
    const from = i === 0 ? 3 : 64;
    tensors.push(tensor(`kernel${i}`, [64, from, 3, 3], new Float32Array(64 * from * 9)));
    nodes.push(node('Conv', [last, `kernel${i}`], `layer${i}`, [intsAttribute('pads', [1, 1, 1, 1])]));
    last = `layer${i}`;
  }
  nodes.push(
    node('ReduceMean', [last], 'mean', [intsAttribute('axes', [1])]),
    node('Mul', ['mean', 'times'], 'output'),
  );
  return modelOf(nodes, tensors, ['output'], side);
}

function halfModel(side: number): Uint8Array {
  const cast = (from: string, to: string, type: number) =>
    node('Cast', [from], to, [Buffer.concat([field(1, text('to')), number(3, type), number(20, 2)])]);
  const nodes = [
    cast('product', 'output', FLOAT),
    cast('square', 'second', FLOAT),
    node('Mul', ['product', 'product'], 'square'),
    node('Mul', ['mean', 'times'], 'product'),
    node('ReduceMean', ['narrow'], 'mean', [intsAttribute('axes', [1])]),
    cast('input', 'narrow', FLOAT16),
  ];
  const twenty = new Uint16Array([0x4d00]);
  return modelOf(nodes, [tensor('times', [1], twenty)], ['output', 'second'], side);
}

function modelOf(nodes: Buffer[], tensors: Buffer[], outputs: string[], side: number): Uint8Array {
  const graph = Buffer.concat([
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, text('tiny')),
    ...tensors.map((bytes) => field(5, bytes)),
    field(11, picture('input', [1, 3, side, side])),
    ...outputs.map((name) => field(12, picture(name, [1, 1, side, side]))),
  ]);
  // its format, the graph, the set of operations
  return Buffer.concat([number(1, 8), field(7, graph), field(8, number(2, 13))]);
}

const node = (kind: string, inputs: string[], output: string, attributes: Buffer[] = []): Buffer =>
  Buffer.concat([
    ...inputs.map((name) => field(1, text(name))),
    field(2, text(output)),
    field(4, text(kind)),
    ...attributes.map((bytes) => field(5, bytes)),
  ]);
const intsAttribute = (name: string, values: number[]): Buffer =>
  Buffer.concat([field(1, text(name)), ...values.map((value) => number(8, value)), number(20, 7)]);
const tensor = (name: string, sizes: number[], values: Float32Array | Uint16Array): Buffer =>
  Buffer.concat([
    ...sizes.map((size) => number(1, size)),
    number(2, values instanceof Float32Array ? FLOAT : FLOAT16),
    field(8, text(name)),
    field(9, Buffer.from(values.buffer)),
  ]);
const picture = (name: string, sizes: number[]): Buffer => {
  const shape = Buffer.concat(sizes.map((size) => field(1, number(1, size))));
  return Buffer.concat([field(1, text(name)), field(2, field(1, Buffer.concat([number(1, FLOAT), field(2, shape)])))]);
};
const FLOAT = 1;
const FLOAT16 = 10;

const text = (value: string): Buffer => Buffer.from(value);
const number = (id: number, value: number): Buffer => Buffer.concat([varint(id << 3), varint(value)]);
const field = (id: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}
