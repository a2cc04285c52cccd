import type { Manifest } from '../../core/manifest.ts';
import { type Action, end, next, type Place, start } from './grammar.ts';
import type { Memory, Network, Turn } from './network.ts';
import type { Token } from './tokens.ts';

/** A whole line of actions, and how likely it is, 0 to 1. */
export interface Line {
  readonly actions: readonly Action[];
  readonly odds: number;
}

interface Growing {
  readonly actions: readonly Action[];
  readonly place: Place;
  readonly turn: Turn;
  readonly odds: number;
}

/** A plan of 12 steps with all that goes with them. */
const maxActions = 110;
/** What is less likely than this in its place is not looked at. */
const least = 0.001;

/**
 * The likeliest plans of a request, the best first, found by keeping the `width` best beginnings. Only
 * well-formed ones come out, and without `asks` no question or refusal.
 */
export function search(
  network: Network,
  memory: Memory,
  tokens: readonly Token[],
  tools: ReadonlyMap<string, Manifest>,
  { width, asks }: { readonly width: number; readonly asks: boolean },
): Line[] {
  const place = { ...start, asks };
  let growing: Growing[] = [{ actions: [], place, turn: network.begin(memory), odds: 1 }];
  const whole: Line[] = [];
  for (let length = 0; length < maxActions && growing.length > 0; length += 1) {
    const grown = growing.flatMap((one) => grow(one, network, memory, tokens, tools, width));
    grown.sort((a, b) => b.odds - a.odds);
    growing = [];
    for (const one of grown.slice(0, width)) {
      if (one.actions.at(-1) === end) whole.push(one);
      else growing.push(one);
    }
    whole.sort((a, b) => b.odds - a.odds);
    const worst = whole[width - 1];
    if (worst !== undefined) growing = growing.filter(({ odds }) => odds > worst.odds);
  }
  return whole.slice(0, width);
}

function grow(
  one: Growing,
  network: Network,
  memory: Memory,
  tokens: readonly Token[],
  tools: ReadonlyMap<string, Manifest>,
  width: number,
): Growing[] {
  const { turn, odds } = network.next(memory, one.turn, one.actions.at(-1) ?? null);
  const count = network.actions.length;
  const likely = [...odds.keys()]
    .filter((at) => (odds[at] ?? 0) >= least)
    .sort((a, b) => (odds[b] ?? 0) - (odds[a] ?? 0));
  const grown: Growing[] = [];
  for (const at of likely) {
    const action = at < count ? (network.actions[at] as string) : at - count;
    const place = next(one.place, action, tokens, tools);
    if (place !== null)
      grown.push({ actions: [...one.actions, action], place, turn, odds: one.odds * (odds[at] ?? 0) });
    if (grown.length >= width) break;
  }
  return grown;
}
