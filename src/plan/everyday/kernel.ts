/**
 * The loop that planning spends its time in: an 8-bit matrix times a vector. In WebAssembly, whose vector instructions do
 * it ten times as fast as JavaScript does. In words, with eight columns at a time and two sums that do not wait for each
 * other:
 *
 *     do
 *       low = high = [0, 0, 0, 0]
 *       column = input; last = input + columns
 *       do
 *         eight = the next weights
 *         low += floats(first half of eight) * column[0..3]
 *         high += floats(second half of eight) * column[4..7]
 *       while (column += 8) < last
 *       output = total(low + high) * scale; next output, next scale
 *     while rows -= 1
 */

/** Arguments are byte offsets in the memory; there are at least one row and a multiple of eight columns. */
export type Kernel = (
  weights: number,
  scales: number,
  input: number,
  output: number,
  rows: number,
  columns: number,
) => void;

const locals = { weights: 0, scales: 1, input: 2, output: 3, rows: 4, columns: 5 } as const;
const [column, last, low, high, eight] = [6, 7, 8, 9, 10] as const;
const types = { i32: 0x7f, v128: 0x7b, function: 0x60 } as const;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const vector = (op: number, ...rest: number[]): number[] => [0xfd, ...leb(op), ...rest];
const [doLoop, againIf, end] = [[0x03, 0x40], [0x0d, 0], [0x0b]] as const;
const [add, shiftLeft, isLess, addFloat, multiplyFloat] = [[0x6a], [0x74], [0x49], [0x92], [0x94]] as const;
const [loadFloat, storeFloat] = [
  [0x2a, 2, 0],
  [0x38, 2, 0],
] as const;
const zeros = vector(0x0c, ...new Array<number>(16).fill(0));
const loadEight = vector(0x01, 3, 0);
const loadFour = (offset: number): number[] => vector(0x00, 4, offset);
const [firstHalf, secondHalf, floats] = [vector(0xa7), vector(0xa8), vector(0xfa)];
const [addFour, multiplyFour] = [vector(0xe4), vector(0xe6)];
const lane = (nth: number): number[] => vector(0x1f, nth);
const advance = (local: number, bytes: number): number[] => [
  ...get(local),
  ...constant(bytes),
  ...add,
  ...set(local),
];

const body: readonly number[] = [
  ...doLoop,
  ...[...zeros, ...tee(low), ...set(high)],
  ...[
    ...get(locals.input),
    ...tee(column),
    ...get(locals.columns),
    ...constant(2),
    ...shiftLeft,
    ...add,
    ...set(last),
  ],
  ...doLoop,
  ...[...get(low), ...get(locals.weights), ...loadEight, ...tee(eight), ...firstHalf, ...floats],
  ...[...get(column), ...loadFour(0), ...multiplyFour, ...addFour, ...set(low)],
  ...[...get(high), ...get(eight), ...secondHalf, ...floats],
  ...[...get(column), ...loadFour(16), ...multiplyFour, ...addFour, ...set(high)],
  ...advance(locals.weights, 8),
  ...[...advance(column, 32), ...get(column), ...get(last), ...isLess, ...againIf],
  ...end,
  ...[...get(locals.output), ...get(low), ...get(high), ...addFour, ...tee(low), ...lane(0)],
  ...[1, 2, 3].flatMap((nth) => [...get(low), ...lane(nth), ...addFloat]),
  ...[...get(locals.scales), ...loadFloat, ...multiplyFloat, ...storeFloat],
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

const parameters = Object.keys(locals).map(() => types.i32);
const code = [2, 2, types.i32, 3, types.v128, ...body, ...end];
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
