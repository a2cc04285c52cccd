import { isFields, listAt } from '../fields.ts';
import { base, plain, text } from './composition.ts';
import { inActions, inContext, inContextActions, inInput, inSection } from './elements.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  choice,
  type Findings,
  flag,
  list,
  may,
  need,
  number,
  object,
  type Rule,
  string,
  url,
} from './rules.ts';
import { dataTable, table } from './tables.ts';

const section: Rule = object(
  {
    ...base,
    text: may(text()),
    fields: may(list(text(2_000), { min: 1, max: 10 })),
    accessory: may(byType(() => inSection)),
    expand: may(flag),
  },
  (value, at, findings) => {
    if (value.text === undefined && value.fields === undefined) {
      findings.add(at, 'must provide at least one of: text, fields');
    }
  },
);

const source: Rule = object({ type: need(choice('url')), url: need(url), text: need(string({ min: 1 })) });

/** Task cards accept rich text with exactly one element. */
function oneRichText(value: unknown, at: string, findings: Findings): void {
  richText(value, at, findings);
  if (isFields(value) && Array.isArray(value.elements) && value.elements.length !== 1) {
    findings.add(`${at}/elements`, 'must provide exactly 1 items');
  }
}

const taskCard: Rule = object({
  ...base,
  task_id: need(string({ min: 1 })),
  title: need(string({ min: 1 })),
  status: need(choice('pending', 'in_progress', 'complete', 'error')),
  details: may(oneRichText),
  output: may(oneRichText),
  sources: may(list(source)),
});

const plan: Rule = object(
  {
    ...base,
    title: need(string({ min: 1 })),
    tasks: may(
      list(
        byType(() => ({ task_card: taskCard })),
        { max: 50 },
      ),
    ),
  },
  (value, at, findings) => {
    const ids = listAt(value, 'tasks').map((task) => task.task_id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) < index) {
        findings.add(`${at}/tasks/${index}/task_id`, `\`task_id\` "${String(id)}" already exists`);
      }
    }
  },
);

const inputBlock: Rule = object({
  ...base,
  label: need(plain(2_000)),
  hint: may(plain(2_000)),
  optional: may(flag),
  dispatch_action: may(flag),
  element: need(byType(() => inInput)),
});

const common: Readonly<Record<string, Rule>> = {
  actions: object({
    ...base,
    elements: need(
      list(
        byType(() => inActions),
        { min: 1, max: 25 },
      ),
    ),
  }),
  context: object({
    ...base,
    elements: need(
      list(
        byType(() => inContext),
        { min: 1, max: 10 },
      ),
    ),
  }),
  divider: object(base),
  header: object({ ...base, text: need(plain(150)), level: may(number({ min: 1, max: 4 })) }),
  input: inputBlock,
  rich_text: richText,
  section,
};

const container: Rule = object(
  {
    ...base,
    title: may(plain(150)),
    rich_text_title: may(richText),
    subtitle: may(text(150)),
    child_blocks: need(
      list(
        byType(() => ({ ...common, table })),
        { max: 10 },
      ),
    ),
    width: may(choice('narrow', 'standard', 'wide', 'full')),
    is_collapsible: may(flag),
    default_collapsed: may(flag),
    has_header_divider: may(flag),
  },
  (value, at, findings) => {
    if (!isFields(value.title) && !isFields(value.rich_text_title)) {
      findings.add(at, 'must provide at least one of: title, rich_text_title');
    }
  },
);

/** The blocks allowed in a place: how many, and of which types. */
export interface Blocks {
  readonly max: number;
  readonly rules: Readonly<Record<string, Rule>>;
}

const inMessages: Readonly<Record<string, Rule>> = {
  ...common,
  container,
  context_actions: object({
    ...base,
    elements: need(
      list(
        byType(() => inContextActions),
        { min: 1, max: 5 },
      ),
    ),
  }),
  table,
  data_table: dataTable,
  markdown: object({ ...base, text: need(string({ min: 1, max: 12_000 })) }),
  plan,
  task_card: taskCard,
};

/** Types unknown to this workspace are rejected like any nonexistent type. */
export function blockTable(surface: Surface, unknown: readonly string[] = []): Blocks {
  const all = surface === 'message' ? inMessages : { ...common, container };
  const known = Object.entries(all).filter(([type]) => !unknown.includes(type));
  return { max: surface === 'message' ? 50 : 100, rules: Object.fromEntries(known) };
}

export type Surface = 'message' | 'modal' | 'home';
