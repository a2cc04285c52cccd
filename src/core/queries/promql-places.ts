import { piecesOf } from './template.ts';

/** Where a placeholder stands in PromQL: `label="…"`, `label=~"…"`, or anywhere but in a label matcher. */
export type Place = 'value' | 'pattern' | 'bare';

type Placed = { readonly text: string } | { readonly name: string; readonly place: Place };

/** The pieces of a PromQL template, each placeholder with its place. */
export function placesIn(template: string): Placed[] {
  let state: State = { open: '', isMatcher: false, tail: '' };
  return piecesOf(template).map((piece) => {
    if ('text' in piece) {
      state = after(piece.text, state);
      return piece;
    }
    const { isMatcher, tail } = state;
    state = { ...state, tail: '' };
    return { ...piece, place: !isMatcher ? 'bare' : /[=!]~$/.test(tail) ? 'pattern' : 'value' };
  });
}

interface State {
  /** The quote or comment that is open; empty for none. */
  readonly open: string;
  readonly isMatcher: boolean;
  /** The last signs, without spaces. */
  readonly tail: string;
}

function after(text: string, before: State): State {
  let { open, isMatcher, tail } = before;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (open !== '') {
      if (sign === '\\' && open !== '`' && open !== '#') at += 1;
      else if (sign === (open === '#' ? '\n' : open)) open = '';
      continue;
    }
    if (/["'`#]/.test(sign)) open = sign;
    else if (sign === '{' || sign === '}') isMatcher = sign === '{';
    if (sign.trim() !== '') tail = (tail + sign).slice(-2);
  }
  return { open, isMatcher, tail };
}
