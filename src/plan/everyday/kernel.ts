/**
 * The loop that planning spends its time in: an 8-bit matrix times a vector of 16-bit numbers, added to what is in the
 * output. In WebAssembly, one of whose instructions multiplies eight pairs and adds each two of the products. In words,
 * with four sums side by side:
 *
 *     do
 *       sums = [0, 0, 0, 0]
 *       column = input; last = input + columns
 *       do
 *         sums += products of the next eight weights with column[0..7], added in pairs
 *       while (column += 8) < last
 *       output += total(sums) * scale * unit; next output, next scale
 *     while rows -= 1
 */

/**
 * Arguments are byte offsets in the memory; there are at least one row and a multiple of eight columns, 512 at most: no
 * sum is too large for 32 bits then. A number of the input stands for so many times `unit`.
 */
export type Kernel = (
  weights: number,
  scales: number,
  input: number,
  output: number,
  rows: number,
  columns: number,
  unit: number,
) => void;

const locals = { weights: 0, scales: 1, input: 2, output: 3, rows: 4, columns: 5, unit: 6 } as const;
const [column, last, sums] = [7, 8, 9] as const;
const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b, function: 0x60 } as const;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const vector = (op: number, ...rest: number[]): number[] => [0xfd, ...leb(op), ...rest];
const [doLoop, againIf, end] = [[0x03, 0x40], [0x0d, 0], [0x0b]] as const;
const [add, shiftLeft, isLess, addFloat, multiplyFloat] = [[0x6a], [0x74], [0x49], [0x92], [0x94]] as const;
const [loadFloat, storeFloat, toFloat] = [[0x2a, 2, 0], [0x38, 2, 0], [0xb2]] as const;
const zeros = vector(0x0c, ...new Array<number>(16).fill(0));
const [loadEight, loadEightWide] = [vector(0x01, 3, 0), vector(0x00, 4, 0)];
const [addFour, multiplyPairs] = [vector(0xae), vector(0xba)];
const lane = (nth: number): number[] => vector(0x1b, nth);
const advance = (local: number, bytes: number): number[] => [
  ...get(local),
  ...constant(bytes),
  ...add,
  ...set(local),
];

const body: readonly number[] = [
  ...doLoop,
  ...[...zeros, ...set(sums)],
  ...[...get(locals.input), ...tee(column)],
  ...[...get(locals.columns), ...constant(1), ...shiftLeft, ...add, ...set(last)],
  ...doLoop,
  ...[...get(sums), ...get(locals.weights), ...loadEight, ...get(column), ...loadEightWide],
  ...[...multiplyPairs, ...addFour, ...set(sums)],
  ...advance(locals.weights, 8),
  ...[...advance(column, 16), ...get(column), ...get(last), ...isLess, ...againIf],
  ...end,
  ...[...get(locals.output), ...get(locals.output), ...loadFloat, ...get(sums), ...lane(0)],
  ...[1, 2, 3].flatMap((nth) => [...get(sums), ...lane(nth), ...add]),
  ...[...toFloat, ...get(locals.scales), ...loadFloat, ...multiplyFloat],
  ...[...get(locals.unit), ...multiplyFloat, ...addFloat, ...storeFloat],
  ...[...advance(locals.scales, 4), ...advance(locals.output, 4)],
  ...[...advance(locals.rows, 0x7f), ...get(locals.rows), ...againIf],
  ...end,
];

/** A number in as many bytes of seven bits as it needs. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];
const text = (words: string): number[] => sized([...Buffer.from(words)]);

const parameters = Object.keys(locals).map((name) => (name === 'unit' ? types.f32 : types.i32));
const code = [2, 2, types.i32, 1, types.v128, ...body, ...end];
/** Sections: types, imports, functions, exports, code; each with one entry. */
const sections: readonly (readonly [number, readonly number[]])[] = [
  [1, [1, types.function, ...sized(parameters), 0]],
  [2, [1, ...text('env'), ...text('memory'), 2, 0, 1]],
  [3, [1, 0]],
  [7, [1, ...text('multiply'), 0, 0]],
  [10, [1, ...sized(code)]],
];
const header = [...Buffer.from('\0asm'), 1, 0, 0, 0];

export function createKernel(memory: WebAssembly.Memory): Kernel {
  const bytes = Uint8Array.from([...header, ...sections.flatMap(([id, content]) => [id, ...sized(content)])]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports.multiply as Kernel;
}
