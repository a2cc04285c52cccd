import type { ContainerBlock, KnownBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { LibraryBlock } from './library-block.tsx';
import { Text } from './text.tsx';

interface ContainerViewProps {
  block: ContainerBlock;
  /** Draws the blocks inside. */
  draw: (blocks: readonly KnownBlock[]) => ReactNode;
}

/** Slack's `container`: blocks under a title, possibly collapsible. */
export function ContainerView({ block, draw }: ContainerViewProps) {
  const inside = draw(block.child_blocks);
  if (block.is_collapsible !== true) {
    return (
      <section className="container">
        <Title block={block} />
        {inside}
      </section>
    );
  }
  return (
    <details className="container" open={block.default_collapsed !== true}>
      <summary>
        <Title block={block} />
      </summary>
      {inside}
    </details>
  );
}

function Title({ block: { title, rich_text_title: rich, subtitle } }: { block: ContainerBlock }) {
  return (
    <span className="container-title">
      {rich ? <LibraryBlock block={rich} /> : title ? title.text : null}
      {subtitle ? (
        <span className="muted">
          <Text text={subtitle} />
        </span>
      ) : null}
    </span>
  );
}
