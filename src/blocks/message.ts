import type { HomeView, KnownBlock, ModalView } from '@slack/types';

export type Block = KnownBlock;
export type Modal = ModalView;
export type Home = HomeView;

/** What is posted: blocks, and the words that notifications and screen readers get. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Says something to the one person who acted, where they acted. */
export type Say = (message: Message) => Promise<void>;

/** Where nobody acted, or nobody listens. */
export const tellNobody: Say = async () => undefined;
