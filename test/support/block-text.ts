import type { Block } from '../../src/blocks/message.ts';

/** Everything that a reader of these blocks sees, in order; live names as `@U…`, line ends between the parts. */
export function blockText(blocks: readonly unknown[]): string {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && value.type === 'user' && 'user_id' in value) found.push(`@${value.user_id}`);
    if ('type' in value && value.type === 'usergroup' && 'usergroup_id' in value)
      found.push(`@${value.usergroup_id}`);
    for (const [name, child] of Object.entries(value)) {
      if (name === 'text' && typeof child === 'string') found.push(child);
      else if (name === 'title' && typeof child === 'string') found.push(`${child}\n`);
      else if (name !== 'confirm') visit(child);
    }
    if ('type' in value && typeof value.type === 'string' && value.type.startsWith('rich_text'))
      found.push('\n');
  };
  visit(blocks);
  return found.join('');
}

/** Action ids of the buttons, in order. */
export function buttonsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.map((element) => element.action_id ?? '') : [],
  );
}
