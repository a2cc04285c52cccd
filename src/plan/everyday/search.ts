import type { Manifest } from '../../core/manifest.ts';
import type { Memory } from './encoder.ts';
import { type Action, end, next, type Place, start } from './grammar.ts';
import type { Network, Turn } from './network.ts';
import type { Token } from './tokens.ts';

/** A complete line of actions, and its probability, 0 to 1. */
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

/** Enough for a plan of 12 steps with all their details. */
const maxActions = 110;
/** A beginning below these odds is left: nothing that comes of it would be worth a button. */
const faint = 0.01;
/** Where less than this share of what was likely can stand, the network meant something else. */
const enough = 0.2;
/** What is less likely than this in its place is not looked at. */
const least = 0.001;

/**
 * The likeliest plans for a request, best first, by beam search with beam size `width`. Returns only well-formed ones,
 * and without `asks` no question or refusal.
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
    const kept = grown.slice(0, width).filter(({ odds }, nth) => nth === 0 || odds >= faint);
    for (const one of kept) {
      if (one.actions.at(-1) === end) whole.push(one);
      else growing.push(one);
    }
    whole.sort((a, b) => b.odds - a.odds);
    const worst = whole[width - 1];
    if (worst !== undefined) growing = growing.filter(({ odds }) => odds > worst.odds);
  }
  return whole.slice(0, width);
}

/** The tool that a request begins with, where it is none of those that can be used. */
export function missingTool(
  network: Network,
  memory: Memory,
  tools: ReadonlyMap<string, Manifest>,
): string | null {
  const { odds } = network.next(memory, network.begin(memory), null);
  const best = network.actions.findIndex((_action, at) => (odds[at] ?? 0) > 0.5);
  const action = network.actions[best];
  return action === undefined || !/^[a-z]+\.[a-z]+$/u.test(action) || tools.has(action) ? null : action;
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
  const allowed = likely.flatMap((at) => {
    const action = at < count ? (network.actions[at] as string) : at - count;
    const place = next(one.place, action, tokens, tools);
    return place === null ? [] : [{ action, place, odds: odds[at] ?? 0 }];
  });
  // What cannot stand here takes nothing from what can.
  const all = allowed.reduce((sum, other) => sum + other.odds, 0);
  return allowed.slice(0, width).map(({ action, place, odds: own }) => ({
    ...{ actions: [...one.actions, action], place, turn },
    odds: (one.odds * own) / Math.max(all, enough),
  }));
}
