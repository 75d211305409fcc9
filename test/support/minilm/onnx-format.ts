/** Field numbers below are those of onnx.proto3; the message they belong to is named at each. */

const IR_VERSION = 8;
/** Newest set used: LayerNormalization arrived with 17. */
const OPSET_VERSION = 17;

const DATA_TYPES = { float32: 1, uint8: 2, int64: 7 } as const;
export type TensorType = keyof typeof DATA_TYPES;
export const FLOAT32 = DATA_TYPES.float32;

const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INTEGER = 2;
const ATTRIBUTE_INTEGERS = 7;

type TensorValues = Float32Array | Uint8Array | BigInt64Array;
/** An integer, a list of integers, or a float, which needs a marker because 1 is both. */
export type Attribute = number | readonly number[] | { readonly float: number };
export type Dimension = number | string;

/** Collects nodes and constants in the order of execution; the methods return the names to pass on. */
export class OnnxGraph {
  readonly #graph = new ProtobufMessage();
  #names = 0;

  node(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const output = this.#newName();
    this.#addNode(operator, inputs, [output], attributes);
    return output;
  }

  /** A node with several outputs. */
  nodeWithOutputs(operator: string, inputs: readonly string[], count: number): string[] {
    const outputs = Array.from({ length: count }, () => this.#newName());
    this.#addNode(operator, inputs, outputs, {});
    return outputs;
  }

  /** Gives a value the name under which the caller of the model finds it. */
  nameOutput(value: string, name: string): void {
    this.#addNode('Identity', [value], [name], {});
  }

  constant(type: TensorType, shape: readonly number[], values: TensorValues): string {
    const name = this.#newName();
    const tensor = new ProtobufMessage(); // TensorProto
    for (const size of shape) tensor.integer(1, size);
    tensor.integer(2, DATA_TYPES[type]).text(8, name);
    tensor.bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.#graph.message(5, tensor);
    return name;
  }

  float(value: number): string {
    return this.constant('float32', [], Float32Array.of(value));
  }

  integers(values: readonly number[]): string {
    return this.constant('int64', [values.length], BigInt64Array.from(values, BigInt));
  }

  input(name: string, type: TensorType, shape: readonly Dimension[]): string {
    this.#graph.message(11, valueInfo(name, type, shape));
    return name;
  }

  output(name: string, type: TensorType, shape: readonly Dimension[]): void {
    this.#graph.message(12, valueInfo(name, type, shape));
  }

  /** A ModelProto with this graph. */
  serialize(name: string): Buffer {
    this.#graph.text(2, name);
    const opset = new ProtobufMessage().text(1, '').integer(2, OPSET_VERSION);
    return new ProtobufMessage().integer(1, IR_VERSION).message(7, this.#graph).message(8, opset).serialize();
  }

  #newName(): string {
    return `v${this.#names++}`;
  }

  #addNode(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
  ): void {
    const node = new ProtobufMessage(); // NodeProto
    for (const input of inputs) node.text(1, input);
    for (const output of outputs) node.text(2, output);
    node.text(4, operator);
    for (const [key, value] of Object.entries(attributes)) node.message(5, attributeMessage(key, value));
    this.#graph.message(1, node);
  }
}

function attributeMessage(name: string, value: Attribute): ProtobufMessage {
  const attribute = new ProtobufMessage().text(1, name); // AttributeProto
  if (typeof value === 'number') return attribute.integer(3, value).integer(20, ATTRIBUTE_INTEGER);
  if ('float' in value) return attribute.float(2, value.float).integer(20, ATTRIBUTE_FLOAT);
  for (const item of value) attribute.integer(8, item);
  return attribute.integer(20, ATTRIBUTE_INTEGERS);
}

/** ValueInfoProto; a dimension given by name may have any size. */
function valueInfo(name: string, type: TensorType, shape: readonly Dimension[]): ProtobufMessage {
  const dimensions = new ProtobufMessage(); // TensorShapeProto
  for (const size of shape) {
    const dimension = new ProtobufMessage();
    dimensions.message(1, typeof size === 'string' ? dimension.text(2, size) : dimension.integer(1, size));
  }
  const tensorType = new ProtobufMessage().integer(1, DATA_TYPES[type]).message(2, dimensions);
  return new ProtobufMessage().text(1, name).message(2, new ProtobufMessage().message(1, tensorType));
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * Writes protocol buffer messages: each field is a tag (number and wire type) followed by its value. Holds the pieces
 * unjoined, so that a message inside a message inside a message is copied only once.
 */
export class ProtobufMessage {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  integer(field: number, value: number): this {
    return this.#varint((field << 3) | VARINT).#varint(value);
  }

  float(field: number, value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return this.#varint((field << 3) | FIXED_32).#append(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#varint((field << 3) | LENGTH_DELIMITED)
      .#varint(value.length)
      .#append(value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  message(field: number, value: ProtobufMessage): this {
    this.#varint((field << 3) | LENGTH_DELIMITED).#varint(value.#length);
    for (const piece of value.#pieces) this.#append(piece);
    return this;
  }

  serialize(): Buffer {
    return Buffer.concat(this.#pieces, this.#length);
  }

  #append(piece: Uint8Array): this {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this;
  }

  /** Seven bits a byte, lowest first; negative numbers as their 64-bit two's complement. */
  #varint(value: number): this {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    return this.#append(Uint8Array.from(bytes));
  }
}
