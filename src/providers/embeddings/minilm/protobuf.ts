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
