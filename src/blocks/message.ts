import type { HomeView, KnownBlock, ModalView } from '@slack/types';

export type Block = KnownBlock;
export type Modal = ModalView;
export type Home = HomeView;

/** What is posted: blocks, and the words that notifications and screen readers get. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly Block[];
}
