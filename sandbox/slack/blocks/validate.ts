import { type Fields, fieldsAt, isFields, listAt, stringAt } from '../fields.ts';
import { plain } from './composition.ts';
import { type Blocks, blockTable, type Surface } from './layout.ts';
import { byType, choice, Findings, flag, list, may, need, object, string } from './rules.ts';
import { inspectTables } from './tables.ts';

/** Slack measures a message's blocks together; the limit is undocumented and was measured to be near this number. */
const maxMessageBlocksLength = 13_200;
/** Slack's view_too_large. */
export const maxViewBytes = 250 * 1024;

/** Findings in Slack's wording for blocks at `at` in a request; empty means accepted. */
export function checkBlocks(
  blocks: unknown,
  options: { surface: Surface; unknownBlocks?: readonly string[]; at?: string },
): string[] {
  const findings = new Findings();
  const { surface, unknownBlocks = [], at = '/blocks' } = options;
  inspectBlocks(blocks, blockTable(surface, unknownBlocks), at, findings);
  if (surface === 'message') inspectTables(blocks, at, findings);
  return [...findings.lines];
}

export function blocksTooLong(blocks: readonly Fields[]): boolean {
  return JSON.stringify(blocks).length > maxMessageBlocksLength;
}

function inspectBlocks(blocks: unknown, { max, rules }: Blocks, at: string, findings: Findings): void {
  list(
    byType(() => rules),
    { max },
  )(blocks, at, findings);
  if (!Array.isArray(blocks)) return;
  const known = blocks.map((block: unknown) => (isFields(block) ? block : {}));
  inspectIds(known, at, findings);
}

function inspectIds(blocks: readonly Fields[], at: string, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const id = stringAt(block, 'block_id');
    if (id !== undefined && id !== '') {
      if (seen.has(id)) findings.add(`${at}/${index}/block_id`, `\`block_id\` "${id}" already exists`);
      seen.add(id);
    }
    inspectActionIds(block, `${at}/${index}`, findings);
  }
}

function inspectActionIds(block: Fields, at: string, findings: Findings): void {
  const seen = new Set<string>();
  for (const name of ['elements', 'actions']) {
    for (const [index, element] of listAt(block, name).entries()) {
      const id = stringAt(element, 'action_id');
      if (id === undefined || id === '') continue;
      if (seen.has(id))
        findings.add(`${at}/${name}/${index}/action_id`, `\`action_id\` "${id}" already exists`);
      seen.add(id);
    }
  }
}

const viewMembers = {
  type: need(choice('modal', 'home')),
  blocks: need(list(() => undefined)),
  private_metadata: may(string({ max: 3_000 })),
  callback_id: may(string({ max: 255 })),
  external_id: may(string({ max: 255 })),
};

const homeView = object(viewMembers);
const modalView = object({
  ...viewMembers,
  title: need(plain(24)),
  close: may(plain(24)),
  submit: may(plain(24)),
  clear_on_close: may(flag),
  notify_on_close: may(flag),
  submit_disabled: may(flag),
});

/** Findings for a view of views.open, push, update or publish. */
export function checkView(view: Fields, options: { surface: 'modal' | 'home' }): string[] {
  const findings = new Findings();
  if (view.type !== options.surface) {
    findings.add('/view/type', `must be \`${options.surface}\``);
    return [...findings.lines];
  }
  (options.surface === 'home' ? homeView : modalView)(view, '/view', findings);
  if (Array.isArray(view.blocks)) {
    inspectBlocks(view.blocks, blockTable(options.surface), '/view/blocks', findings);
    if (view.blocks.length === 0) findings.add('/view/blocks', 'must provide at least 1 items');
    if (options.surface === 'modal') inspectModal(view, findings);
  }
  return [...findings.lines];
}

function inspectModal(view: Fields, findings: Findings): void {
  let focused = 0;
  for (const [index, block] of listAt(view, 'blocks').entries()) {
    if (block.type === 'input' && view.submit === undefined) {
      findings.add(`/view/blocks/${index}/input`, 'must define `submit` to use an `input` block in modals');
    }
    if (fieldsAt(block, 'element').focus_on_load === true) focused += 1;
  }
  if (focused > 1) findings.add('/view/blocks', 'only one element can be set to `focus_on_load`');
}
