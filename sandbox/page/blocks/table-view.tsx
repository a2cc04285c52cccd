import type { DataTableBlock, TableBlock } from '@slack/types';
import { keyAt } from './keys.ts';
import { LibraryBlock } from './library-block.tsx';

type Cell = TableBlock['rows'][number][number];

/** Slack's tables. The first row is the head; a wide table scrolls inside its own box. */
export function TableView({ block }: { block: TableBlock | DataTableBlock }) {
  const [head = [], ...body] = block.rows;
  const alignment = (column: number) =>
    block.type === 'table' ? (block.column_settings?.[column]?.align ?? 'left') : 'left';
  return (
    <div className="table-box">
      <table>
        {block.type === 'data_table' ? <caption>{block.caption}</caption> : null}
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={keyAt(column)} scope="col" style={{ textAlign: alignment(column) }}>
                <CellText cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={keyAt(index)}>
              {row.map((cell, column) => (
                <td key={keyAt(column)} style={{ textAlign: alignment(column) }}>
                  <CellText cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CellText({ cell }: { cell: Cell }) {
  if (cell.type === 'rich_text') return <LibraryBlock block={cell} />;
  return cell.type === 'raw_text' ? cell.text : String(cell.value);
}
