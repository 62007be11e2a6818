/**
 * Changes an ONNX model with a fixed input size into one for half that size, by changing numbers in its bytes. The
 * weights do not depend on the size; only the shapes stored with them do.
 */

import { BYTES, type Field, fieldsOf } from './onnxFields.ts';

/** The field numbers of ONNX that are read here. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, input: 11, output: 12, valueInfo: 13 };
const NODE = { attribute: 5 };
const ATTRIBUTE = { tensor: 5 };
const TENSOR = { dataType: 2, rawData: 9 };
const INT64 = 7;
/** A graph has no field of this number, so readers skip it. */
const NO_FIELD = 4;

/**
 * Changes the given bytes in place and keeps all lengths. Works for square inputs of 256 and more where nodes state the
 * sizes they enlarge to in pairs; a model of another structure cannot be opened afterwards. Throws a RangeError for
 * bytes that are no model.
 */
export function halveModel(model: Uint8Array, side: number): void {
  const bytes = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  for (const part of fieldsOf(bytes, 0, bytes.length)) {
    if (part.id !== MODEL.graph || part.type !== BYTES) continue;
    for (const field of fieldsOf(bytes, part.from, part.to)) {
      if (field.type !== BYTES) continue;
      // Drops the shapes between the nodes, which would be wrong now.
      if (field.id === GRAPH.valueInfo) bytes[field.at] = (NO_FIELD << 3) | BYTES;
      if (field.id === GRAPH.input || field.id === GRAPH.output) halveSides(bytes.subarray(field.from, field.to), side);
      if (field.id === GRAPH.node) halveTargets(bytes, field);
    }
  }
}

/** Halves two sizes in a row, the end of a picture's shape: each is a field of three bytes in a field of its own. */
function halveSides(shape: Buffer, side: number): void {
  const encodeSide = (size: number) => Buffer.from([0x0a, 3, 0x08, (size & 127) | 128, size >> 7]);
  const targetShape = Buffer.concat([encodeSide(side), encodeSide(side)]);
  const at = shape.indexOf(targetShape);
  if (at >= 0) Buffer.concat([encodeSide(side / 2), encodeSide(side / 2)]).copy(shape, at);
}

/** Halves the target sizes of a node: a node with two equal sizes enlarges to them. */
function halveTargets(bytes: Buffer, node: Field): void {
  for (const attribute of fieldsOf(bytes, node.from, node.to)) {
    if (attribute.id !== NODE.attribute || attribute.type !== BYTES) continue;
    for (const tensor of fieldsOf(bytes, attribute.from, attribute.to)) {
      if (tensor.id !== ATTRIBUTE.tensor || tensor.type !== BYTES) continue;
      const parts = [...fieldsOf(bytes, tensor.from, tensor.to)];
      const data = parts.find(({ id, from, to }) => id === TENSOR.rawData && to - from === 16);
      if (!data || parts.find(({ id }) => id === TENSOR.dataType)?.value !== INT64) continue;
      const [height, width] = [bytes.readBigInt64LE(data.from), bytes.readBigInt64LE(data.from + 8)];
      if (height !== width || height < 16n) continue;
      for (const at of [data.from, data.from + 8]) bytes.writeBigInt64LE(height / 2n, at);
    }
  }
}
