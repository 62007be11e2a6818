/**
 * Rewrites an ONNX model for a processor that calculates with 32 bits: what is stored with 16 bits is widened once and
 * not around each step of each run, and what leads to further outputs is left out. The numbers of the format's fields
 * are those of onnx.proto.
 */
import { BYTES, type Field, fieldsOf } from './onnxFields.ts';

const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 };
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, integer: 3, tensor: 5 };
const TENSOR = { dataType: 2, rawData: 9 };
/** From the description of an input or output to the type of its elements. */
const ELEMENT_TYPE = [2, 1, 1];
const FLOAT = 1;
const FLOAT16 = 10;

/**
 * Returns the model with its first output alone, without the steps that only lead to others, and with all of its 16-bit
 * numbers as 32-bit ones. Shapes between the steps are left out, as a runtime infers them. Throws a RangeError for
 * bytes that are no model, and for 16-bit numbers that are stored in another way than as raw data. Cost: half a
 * CPU-second for ISNet, and three times the size of its 16-bit weights in memory.
 */
export function simplifyModel(model: Uint8Array): Uint8Array {
  const bytes = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const fields = [...fieldsOf(bytes, 0, bytes.length)];
  if (!fields.some(({ id }) => id === MODEL.graph)) throw new RangeError('These bytes are no model.');
  return Buffer.concat(
    fields.flatMap((field) =>
      field.id === MODEL.graph ? asField(field.id, simplifyGraph(bytes, field)) : [bytes.subarray(field.at, field.to)],
    ),
  );
}

function simplifyGraph(bytes: Buffer, graph: Field): Buffer[] {
  const fields = [...fieldsOf(bytes, graph.from, graph.to)];
  const firstOutput = fields.find(({ id, type }) => id === GRAPH.output && type === BYTES);
  if (!firstOutput) throw new RangeError('These bytes are no model.');
  const steps = findSteps(bytes, fields, textOf(bytes, firstOutput, 1));
  return fields.flatMap((field) => {
    switch (field.id) {
      case GRAPH.node:
        return steps.has(field) ? asField(field.id, widenNode(bytes, field)) : [];
      case GRAPH.initializer:
        return asField(field.id, widenTensor(bytes, field));
      case GRAPH.input:
        return asField(field.id, widenType(bytes, field, ELEMENT_TYPE));
      case GRAPH.output:
        return field === firstOutput ? asField(field.id, widenType(bytes, field, ELEMENT_TYPE)) : [];
      case GRAPH.valueInfo:
        return [];
      default:
        return [bytes.subarray(field.at, field.to)];
    }
  });
}

/** Returns the nodes that lead to a value. Tools that convert models do not always keep them in their order. */
function findSteps(bytes: Buffer, fields: readonly Field[], value: string): ReadonlySet<Field> {
  const sources = new Map<string, { readonly node: Field; readonly inputs: readonly string[] }>();
  for (const node of fields) {
    if (node.id !== GRAPH.node || node.type !== BYTES) continue;
    const parts = [...fieldsOf(bytes, node.from, node.to)];
    const namesOf = (id: number) =>
      parts.filter((part) => part.id === id).map(({ from, to }) => bytes.toString('utf8', from, to));
    const source = { node, inputs: namesOf(NODE.input) };
    for (const name of namesOf(NODE.output)) sources.set(name, source);
  }
  const steps = new Set<Field>();
  const open = [value];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const source = sources.get(name);
    if (!source || steps.has(source.node)) continue;
    steps.add(source.node);
    open.push(...source.inputs);
  }
  return steps;
}

function widenNode(bytes: Buffer, node: Field): Buffer[] {
  const isCast = textOf(bytes, node, NODE.operator) === 'Cast';
  return [...fieldsOf(bytes, node.from, node.to)].flatMap((field) => {
    if (field.id !== NODE.attribute) return [bytes.subarray(field.at, field.to)];
    const isTarget = isCast && textOf(bytes, field, ATTRIBUTE.name) === 'to';
    const parts = [...fieldsOf(bytes, field.from, field.to)].flatMap((part) => {
      if (part.id === ATTRIBUTE.tensor) return asField(part.id, widenTensor(bytes, part));
      if (isTarget && part.id === ATTRIBUTE.integer && part.value === FLOAT16) return asNumber(part.id, FLOAT);
      return [bytes.subarray(part.at, part.to)];
    });
    return asField(field.id, parts);
  });
}

function widenTensor(bytes: Buffer, tensor: Field): Buffer[] {
  const parts = [...fieldsOf(bytes, tensor.from, tensor.to)];
  const whole = [bytes.subarray(tensor.from, tensor.to)];
  if (parts.find(({ id }) => id === TENSOR.dataType)?.value !== FLOAT16) return whole;
  if (!parts.some(({ id }) => id === TENSOR.rawData)) throw new RangeError('These 16-bit numbers are not raw data.');
  return parts.flatMap((part) => {
    if (part.id === TENSOR.dataType) return asNumber(part.id, FLOAT);
    if (part.id === TENSOR.rawData) return asField(part.id, [widenNumbers(bytes.subarray(part.from, part.to))]);
    return [bytes.subarray(part.at, part.to)];
  });
}

/** Follows a path of fields to the type of elements, and widens it. */
function widenType(bytes: Buffer, message: Field, [id, ...rest]: readonly number[]): Buffer[] {
  return [...fieldsOf(bytes, message.from, message.to)].flatMap((field) => {
    if (field.id !== id) return [bytes.subarray(field.at, field.to)];
    if (rest.length > 0) return asField(field.id, widenType(bytes, field, rest));
    return field.value === FLOAT16 ? asNumber(field.id, FLOAT) : [bytes.subarray(field.at, field.to)];
  });
}

/** Widens numbers of 16 bits (IEEE 754 binary16, little-endian as this processor's). */
function widenNumbers(halves: Buffer): Buffer {
  // As a copy, because in the file they may lie at odd places.
  const from = new Uint16Array(Uint8Array.from(halves).buffer);
  const floats = new Float32Array(from.length);
  for (let i = 0; i < from.length; i++) floats[i] = FLOATS[from[i]!]!;
  return Buffer.from(floats.buffer);
}

/** The value of each 16-bit number. */
const FLOATS = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
});

/** Returns the text of the first field of this number in a message; empty without one. */
function textOf(bytes: Buffer, message: Field, id: number): string {
  for (const field of fieldsOf(bytes, message.from, message.to)) {
    if (field.id === id && field.type === BYTES) return bytes.toString('utf8', field.from, field.to);
  }
  return '';
}

function asField(id: number, parts: readonly Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Buffer.from([...asVarint((id << 3) | BYTES), ...asVarint(length)]), ...parts];
}

const asNumber = (id: number, value: number): Buffer[] => [Buffer.from([...asVarint(id << 3), ...asVarint(value)])];

function asVarint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...asVarint(Math.floor(value / 128))];
}
