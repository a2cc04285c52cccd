import type { DataTableBlock, TableBlock } from '@slack/types';
import { useState } from 'react';
import { keyAt } from './keys.ts';
import { LibraryBlock } from './library-block.tsx';

type Cell = TableBlock['rows'][number][number];

/** Slack's default for a `data_table`. */
const usualPageSize = 5;

/** Slack's tables. The first row is the header; a wide table scrolls inside its own box, and words are never broken. */
export function TableView({ block }: { block: TableBlock | DataTableBlock }) {
  const [head = [], ...body] = block.rows;
  const size = block.type === 'table' ? body.length : (block.page_size ?? usualPageSize);
  const [first, setFirst] = useState(0);
  const align = (column: number) =>
    block.type === 'table' ? (block.column_settings?.[column]?.align ?? 'left') : 'left';
  const caption = block.type === 'data_table' ? block.caption : undefined;
  return (
    <div className="table-block">
      <div className="table-box">
        <table>
          {caption ? <caption>{caption}</caption> : null}
          <thead>
            <Row cells={head} as="th" align={align} />
          </thead>
          <tbody>
            {body.slice(first, first + size).map((row, index) => (
              <Row key={keyAt(first + index)} cells={row} as="td" align={align} />
            ))}
          </tbody>
        </table>
      </div>
      {body.length > size ? <Pages first={first} size={size} all={body.length} onTurn={setFirst} /> : null}
    </div>
  );
}

interface RowProps {
  cells: readonly Cell[];
  as: 'th' | 'td';
  align: (column: number) => 'left' | 'center' | 'right';
}

function Row({ cells, as: Tag, align }: RowProps) {
  return (
    <tr>
      {cells.map((cell, column) => (
        <Tag
          key={keyAt(column)}
          style={{ textAlign: align(column) }}
          {...(Tag === 'th' ? { scope: 'col' } : {})}
        >
          <CellText cell={cell} />
        </Tag>
      ))}
    </tr>
  );
}

function CellText({ cell }: { cell: Cell }) {
  if (cell.type === 'rich_text') return <LibraryBlock block={cell} />;
  return cell.type === 'raw_text' ? cell.text : (cell.text ?? String(cell.value));
}

interface PagesProps {
  first: number;
  size: number;
  all: number;
  onTurn: (first: number) => void;
}

function Pages({ first, size, all, onTurn }: PagesProps) {
  return (
    <div className="table-pages">
      <button
        type="button"
        className="button button-small"
        disabled={first === 0}
        onClick={() => onTurn(first - size)}
      >
        Previous
      </button>
      <span className="muted">
        {first + 1}–{Math.min(first + size, all)} of {all}
      </span>
      <button
        type="button"
        className="button button-small"
        disabled={first + size >= all}
        onClick={() => onTurn(first + size)}
      >
        Next
      </button>
    </div>
  );
}
