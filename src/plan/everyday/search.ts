import type { Manifest } from '../../core/manifest.ts';
import type { Draft } from './draft.ts';
import type { Memory } from './encoder.ts';
import { type Action, draftAt, next, type Place, start } from './grammar.ts';
import type { Heard } from './heard.ts';
import type { Network, Turn } from './network.ts';

/** One way to read a request, and its probability, 0 to 1. */
export interface Line {
  readonly draft: Draft;
  readonly odds: number;
}

/** A tokenised request, and everything needed to read it. */
export interface Listening {
  readonly network: Network;
  readonly memory: Memory;
  readonly heard: Heard;
  readonly tools: ReadonlyMap<string, Manifest>;
}

interface Growing {
  readonly last: Action | null;
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
/** Choices less likely than this in their place are not looked at. */
const least = 0.001;

/**
 * The likeliest readings of a request, best first, by beam search with beam size `width`. Returns only well-formed ones,
 * and without `asks` no question or refusal.
 */
export function search(
  listening: Listening,
  { width, asks }: { readonly width: number; readonly asks: boolean },
): Line[] {
  const turn = listening.network.begin(listening.memory);
  let growing: Growing[] = [{ last: null, place: { ...start, asks }, turn, odds: 1 }];
  const whole: Line[] = [];
  for (let length = 0; length < maxActions && growing.length > 0; length += 1) {
    const grown = growing.flatMap((one) => grow(one, listening, width));
    grown.sort((a, b) => b.odds - a.odds);
    growing = [];
    for (const [nth, one] of grown.slice(0, width).entries()) {
      if (nth > 0 && one.odds < faint) break;
      const draft = draftAt(one.place);
      if (draft === null) growing.push(one);
      else whole.push({ draft, odds: one.odds });
    }
    whole.sort((a, b) => b.odds - a.odds);
    const worst = whole[width - 1];
    if (worst !== undefined) growing = growing.filter(({ odds }) => odds > worst.odds);
  }
  return whole.slice(0, width);
}

/** The tool that a request begins with, where it is none of those that can be used. */
export function missingTool({ network, memory, tools }: Listening): string | null {
  const { odds } = network.next(memory, network.begin(memory), null);
  const best = network.actions.findIndex((_action, at) => (odds[at] ?? 0) > 0.5);
  const action = network.actions[best];
  return action === undefined || !/^[a-z]+\.[a-z]+$/u.test(action) || tools.has(action) ? null : action;
}

/** The likeliest continuations that the grammar allows. */
function grow(one: Growing, { network, memory, heard, tools }: Listening, width: number): Growing[] {
  const { turn, odds } = network.next(memory, one.turn, one.last);
  const count = network.actions.length;
  const grown: Growing[] = [];
  // Tags that cannot stand here take nothing from those that can.
  let all = 0;
  odds.forEach((own, at) => {
    if (own < least) return;
    const last = at < count ? (network.actions[at] as string) : at - count;
    const place = next(one.place, last, heard, tools);
    if (place === null) return;
    grown.push({ last, place, turn, odds: own });
    all += own;
  });
  const whole = Math.max(all, enough);
  return grown
    .sort((a, b) => b.odds - a.odds)
    .slice(0, width)
    .map((each) => ({ ...each, odds: (one.odds * each.odds) / whole }));
}
