import { z } from 'zod';
import { freeText } from '../src/core/fields.ts';
import { thousands } from '../src/core/numbers.ts';
import { timeGroups } from '../src/core/queries/template.ts';

/** Maximum groups that are shown. */
export const maxGroups = 50;

/** The groups in a result, as a table; absent where nothing was grouped. */
export const groupRows = {
  counted: z.int().min(0).describe('the first that were grouped, where not all were').optional(),
  groups: z
    .array(z.object({ cells: z.array(freeText(80, 'group, number and share')).max(3) }))
    .max(maxGroups)
    .describe('a row for each group')
    .optional(),
  group_columns: z.array(freeText(60, 'name of a column')).max(3).describe('names of the columns').optional(),
  group_total: z.int().min(0).describe('groups that there are').optional(),
};

/** Result fields that the table of the groups shows. */
export const saidGroups = ['counted', 'group_columns', 'group_total'] as const;

export const shownGroups = {
  rows: 'groups',
  total: 'group_total',
  columns: { names: 'group_columns', cells: 'cells' },
} as const;

interface Groups {
  readonly groups?: readonly { readonly cells: readonly string[] }[] | undefined;
  readonly group_total?: number | undefined;
  readonly counted?: number | undefined;
}

/** ", of the newest 1,000 by assignee: Ana Ruiz 12 (50 %), Ben 8 (33 %), 4 more"; empty where nothing was grouped. */
export function groupWords(by: string | undefined, found: Groups, order = 'newest'): string {
  const { groups = [], group_total: total = 0, counted } = found;
  if (by === undefined || groups.length === 0) return '';
  const words = `${counted === undefined ? '' : `, of the ${order} ${thousands(counted)}`}${byWords(by)}`;
  if (isTime(by)) return words;
  const first = groups
    .slice(0, 3)
    .map(({ cells: [group = '', number = '', share = ''] }) => `${group} ${number} (${share})`);
  const rest = total - first.length;
  return `${words}: ${[...first, ...(rest > 0 ? [`${thousands(rest)} more`] : [])].join(', ')}`;
}

/** " by assignee", " per hour"; empty where nothing is grouped. */
export const byWords = (by: string | undefined): string =>
  by === undefined ? '' : ` ${isTime(by) ? 'per' : 'by'} ${by}`;

export const isTime = (by: string): boolean => timeGroups.some((one) => one === by);
