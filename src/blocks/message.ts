import type { HomeView, KnownBlock, ModalView } from '@slack/types';

export type Block = KnownBlock;
export type Modal = ModalView;
export type Home = HomeView;

/** A message to post: blocks, and the text for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Replies privately to the person who acted, where they acted. */
export type Say = (message: Message) => Promise<void>;

/** For when nobody acted, or nobody is listening. */
export const tellNobody: Say = async () => undefined;
