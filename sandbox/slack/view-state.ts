import { type Fields, fieldsAt, isFields, listAt, stringAt } from './fields.ts';

type Values = Record<string, Record<string, Fields>>;

/** Where each stateful element keeps its value, and which member holds the initial one. */
const kinds: Readonly<Record<string, { key: string; initial: string; empty: unknown }>> = {
  plain_text_input: { key: 'value', initial: 'initial_value', empty: null },
  number_input: { key: 'value', initial: 'initial_value', empty: null },
  static_select: { key: 'selected_option', initial: 'initial_option', empty: null },
  checkboxes: { key: 'selected_options', initial: 'initial_options', empty: [] },
};

export interface StatefulElement {
  readonly block: Fields;
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Fields;
}

/** Every interactive element of the blocks, including buttons. */
export function elementsIn(blocks: readonly Fields[]): StatefulElement[] {
  return blocks.flatMap((block) => {
    const nested = [...listAt(block, 'elements'), ...listAt(block, 'actions')];
    const own = [block.element, block.accessory, ...nested].filter(isFields);
    const inner = elementsIn(listAt(block, 'child_blocks'));
    const blockId = stringAt(block, 'block_id') ?? '';
    const found = own.flatMap((element) => {
      const actionId = stringAt(element, 'action_id');
      return actionId === undefined ? [] : [{ block, blockId, actionId, element }];
    });
    return [...found, ...inner];
  });
}

/** The initial state of a surface, keeping earlier entries of elements that still exist. */
export function initialValues(definition: Fields, before: Values): Values {
  const values: Values = {};
  for (const { blockId, actionId, element } of elementsIn(listAt(definition, 'blocks'))) {
    const kind = kinds[String(element.type)];
    if (kind === undefined) continue;
    const kept = before[blockId]?.[actionId];
    const fresh: Fields = { type: element.type, [kind.key]: element[kind.initial] ?? kind.empty };
    values[blockId] = {
      ...values[blockId],
      [actionId]: kept !== undefined && kept.type === element.type ? kept : fresh,
    };
  }
  return values;
}

/** A person's entry in the element's own state format; undefined when the element does not offer it. */
export function enteredState(element: Fields, entry: unknown): Fields | undefined {
  const kind = kinds[String(element.type)];
  if (kind === undefined) return undefined;
  if (isFields(entry) && entry.type === element.type) return entry;
  const value = kind.key.startsWith('selected_option') ? chosen(element, entry, kind.key) : entry;
  return value === undefined ? undefined : { type: element.type, [kind.key]: value === '' ? null : value };
}

function chosen(element: Fields, entry: unknown, key: string): unknown {
  const groups = listAt(element, 'option_groups').flatMap((group) => listAt(group, 'options'));
  const options = [...listAt(element, 'options'), ...groups];
  const wanted = Array.isArray(entry) ? entry : entry === null || entry === '' ? [] : [entry];
  const found = wanted.map((one) => options.find((option) => option.value === one));
  if (found.some((one) => one === undefined)) return undefined;
  return key === 'selected_options' ? found : (found[0] ?? null);
}

/** Whether an element's state is empty. */
function isBlank(state: Fields | undefined): boolean {
  if (state === undefined) return true;
  const { type: _type, ...rest } = state;
  const values = Object.values(rest);
  return values.every((one) => one === null || one === '' || (Array.isArray(one) && one.length === 0));
}

/** Why a person may not submit an entry, in the words of the Slack client; undefined when it is valid. */
export function entryProblem(block: Fields, state: Fields | undefined): string | undefined {
  const element = fieldsAt(block, 'element');
  if (isBlank(state)) return block.optional === true ? undefined : 'Please complete this required field.';
  const value = state?.value;
  if (typeof value !== 'string') return undefined;
  const { min_length: min, max_length: max } = element;
  if (typeof max === 'number' && value.length > max) return `Please enter fewer than ${max + 1} characters.`;
  if (typeof min === 'number' && value.length < min) return `Please enter at least ${min} characters.`;
  if (element.type === 'plain_text_input' && value.length > 3_000)
    return 'Please enter fewer than 3001 characters.';
  if (element.type === 'number_input') return numberProblem(element, value);
  return undefined;
}

function numberProblem(element: Fields, value: string): string | undefined {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed === false && !Number.isInteger(number))
    return 'Please enter a whole number.';
  const min = stringAt(element, 'min_value');
  const max = stringAt(element, 'max_value');
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`;
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`;
  return undefined;
}
