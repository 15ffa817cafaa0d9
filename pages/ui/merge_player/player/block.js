// Reads a block of bytes as packing.py lays it out. Typed arrays lie over the block itself.

const plainDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

function readBlock(block, mark) {
  // Streamlit may hand over a view at any offset; u32 arrays need one divisible by four.
  const bytes = block.byteOffset % 4 ? block.slice() : block;
  if (plainDecoder.decode(bytes.subarray(0, 4)) !== mark) throw new Error(`no block of ${mark}`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const header = JSON.parse(plainDecoder.decode(bytes.subarray(8, 8 + length)));
  const base = bytes.byteOffset + 8 + length;
  const read = {
    u8: ([at, size]) => new Uint8Array(bytes.buffer, base + at, size),
    i32: ([at, size]) => new Int32Array(bytes.buffer, base + at, size / 4),
    u32: ([at, size]) => new Uint32Array(bytes.buffer, base + at, size / 4),
  };
  return { ...header, read };
}
