// Reads what pack.py writes into a block.

function unpack(block) {
  return readBlock(block, "TKP1");
}

// Units one after the other, and where each piece begins. What has no id reads as -1.
function unpackPieces({ units, width, lengths }, read) {
  const sizes = read.i32(lengths);
  const starts = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = starts[i] + sizes[i];
  return { units: width === 1 ? Int32Array.from(read.u8(units)) : read.i32(units), starts };
}

function unpackMerges(columns, read) {
  const of = (name) => read.i32(columns[name]);
  const lefts = of("lefts");
  return {
    count: lefts.length,
    lefts,
    rights: of("rights"),
    newIds: of("new_ids"),
    pairCounts: of("pair_counts"),
    merged: of("merged"),
    tied: of("tied"),
    tokensLeft: of("tokens_left"),
  };
}

// The bytes of every token: base units as sent, the others joined from their parents.
function unpackTokens(run, merges, read) {
  const data = read.u8(run.baseBytes);
  const tokens = [];
  let at = 0;
  for (const length of read.i32(run.baseLengths)) tokens.push(data.subarray(at, (at += length)));
  for (let i = 0; i < merges.count; i++) {
    const [left, right] = [tokens[merges.lefts[i]], tokens[merges.rights[i]]];
    const joined = new Uint8Array(left.length + right.length);
    joined.set(left);
    joined.set(right, left.length);
    tokens[merges.newIds[i]] = joined;
  }
  return tokens;
}
