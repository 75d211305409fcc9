/** The fields of a protocol buffer message by number: integers as numbers, the rest as bytes. */
export function readProtobuf(bytes: Buffer): Map<number, (number | Buffer)[]> {
  const fields = new Map<number, (number | Buffer)[]>();
  let position = 0;
  const readVarint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(position++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
  };
  const take = (length: number): Buffer => {
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = readVarint();
    const wireType = tag & 7;
    const value = wireType === 0 ? readVarint() : take(wireType === 5 ? 4 : readVarint());
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
