import type { ContextActionsBlock, ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import { Fragment, type ReactNode } from 'react';
import { type Act, ActionElement } from './action-element.tsx';
import { ContainerView } from './container-view.tsx';
import { Unsupported } from './control.tsx';
import { keyAt } from './keys.ts';
import { LibraryBlock } from './library-block.tsx';
import { PlanView, TaskCardView } from './plan-view.tsx';
import { TableView } from './table-view.tsx';
import { Text } from './text.tsx';

interface BlockListProps {
  blocks: readonly KnownBlock[];
  /** Sends an action of a block to the app. */
  onAct: (blockId: string, ...action: Parameters<Act>) => ReturnType<Act>;
  /** Draws `input` blocks, which only views have. */
  input?: (block: Extract<KnownBlock, { type: 'input' }>) => ReactNode;
}

export function BlockList({ blocks, onAct, input }: BlockListProps) {
  const draw = (inside: readonly KnownBlock[]) => <BlockList blocks={inside} onAct={onAct} />;
  return (
    <div className="blocks">
      {blocks.map((block, index) => {
        const id = block.block_id ?? '';
        // A block that comes in above others leaves those of other types in place; ids may be new with every update.
        const key = `${block.type} ${blocks.slice(0, index).filter(({ type }) => type === block.type).length}`;
        const act: Act = (element, value) => onAct(id, element, value);
        return (
          <div key={key} className={`block block-${block.type}`} data-block={id}>
            {block.type === 'input' && input ? (
              input(block)
            ) : (
              <BlockView block={block} onAct={act} draw={draw} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface BlockViewProps {
  block: KnownBlock;
  onAct: Act;
  /** Draws nested blocks. */
  draw: (blocks: readonly KnownBlock[]) => ReactNode;
}

function BlockView({ block, onAct, draw }: BlockViewProps) {
  switch (block.type) {
    case 'section':
      return <Section block={block} onAct={onAct} />;
    case 'header':
      return <h3>{block.text.text}</h3>;
    case 'divider':
      return <hr />;
    case 'context':
      return <Context block={block} />;
    case 'actions':
      return (
        <div className="actions">
          {block.elements.map((element, index) => (
            <ActionElement key={element.action_id ?? keyAt(index)} element={element} onAct={onAct} />
          ))}
        </div>
      );
    case 'context_actions':
      return <Feedback block={block} onAct={onAct} />;
    case 'container':
      return <ContainerView block={block} draw={draw} />;
    case 'plan':
      return <PlanView block={block} />;
    case 'task_card':
      return <TaskCardView task={block} />;
    case 'table':
    case 'data_table':
      return <TableView block={block} />;
    case 'rich_text':
    case 'markdown':
      return <LibraryBlock block={block} />;
    default:
      return <Unsupported what={block.type} />;
  }
}

function Section({ block, onAct }: { block: SectionBlock; onAct: Act }) {
  const { text, fields, accessory } = block;
  return (
    <div className="section">
      <div className="section-text">
        {text ? <Text text={text} /> : null}
        {fields ? (
          <div className="fields">
            {fields.map((field, index) => (
              <div key={keyAt(index)}>
                <Text text={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {accessory ? (
        <ActionElement
          element={accessory}
          onAct={onAct}
          label={text?.text.replace(/[*_~`]/gu, '').slice(0, 60)}
        />
      ) : null}
    </div>
  );
}

function Feedback({ block, onAct }: { block: ContextActionsBlock; onAct: Act }) {
  return (
    <div className="actions">
      {block.elements.map((element, index) =>
        element.type === 'feedback_buttons' ? (
          <Fragment key={keyAt(index)}>
            {[element.positive_button, element.negative_button].map((one) => (
              <button
                key={one.value}
                type="button"
                className="button"
                aria-label={one.accessibility_label}
                onClick={() => void onAct(element, one.value)}
              >
                {one.text.text}
              </button>
            ))}
          </Fragment>
        ) : (
          <Unsupported key={keyAt(index)} what={element.type} />
        ),
      )}
    </div>
  );
}

function Context({ block }: { block: ContextBlock }) {
  return (
    <div className="context">
      {block.elements.map((element, index) => (
        <div key={keyAt(index)}>
          {element.type === 'image' ? <Unsupported what="image" /> : <Text text={element} />}
        </div>
      ))}
    </div>
  );
}
