import type { InputBlock, InputBlockElement, Option, PlainTextOption, StaticSelect } from '@slack/types';
import { cut, oneLine } from '../core/clean-text.ts';
import { plain } from './layout.ts';
import { limits } from './limits.ts';

/** Every input has one element; its value is in the view's state under this action id. */
const inputAction = 'v';

interface InputOf {
  readonly blockId: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
}

export function input(of: InputOf, element: InputBlockElement): InputBlock {
  return {
    type: 'input',
    block_id: of.blockId,
    label: plain(of.label, 200),
    ...(of.hint ? { hint: plain(of.hint, 300) } : {}),
    optional: of.optional ?? false,
    element,
  };
}

export function textInput(
  of: InputOf & { value?: string; multiline?: boolean; max?: number; placeholder?: string },
): InputBlock {
  return input(of, {
    type: 'plain_text_input',
    action_id: inputAction,
    multiline: of.multiline ?? false,
    max_length: Math.min(of.max ?? limits.inputText, limits.inputText),
    ...(of.value ? { initial_value: of.value } : {}),
    ...(of.placeholder ? { placeholder: plain(of.placeholder, limits.placeholder) } : {}),
  });
}

export function numberInput(
  of: InputOf & { value: string; decimal: boolean; min?: number; max?: number },
): InputBlock {
  return input(of, {
    type: 'number_input',
    action_id: inputAction,
    is_decimal_allowed: of.decimal,
    ...(of.value === '' ? {} : { initial_value: of.value }),
    ...(of.min === undefined ? {} : { min_value: String(of.min) }),
    ...(of.max === undefined ? {} : { max_value: String(of.max) }),
  });
}

export function option(value: string, label: string = value): PlainTextOption {
  return { value, text: plain(label, limits.optionText) };
}

/** A menu of at most 100 options; always includes the selected one. */
export function select(of: {
  action: string;
  options: readonly PlainTextOption[];
  value?: string;
  placeholder?: string;
}): StaticSelect {
  const chosen = of.options.find((one) => one.value === of.value);
  const rest = of.options.filter((one) => one !== chosen);
  const room = limits.options - (chosen ? 1 : 0);
  const kept = new Set(rest.slice(0, room));
  return {
    type: 'static_select',
    action_id: of.action,
    options: of.options.filter((one) => one === chosen || kept.has(one)),
    ...(chosen ? { initial_option: chosen } : {}),
    ...(of.placeholder ? { placeholder: plain(of.placeholder, limits.placeholder) } : {}),
  };
}

export function selectInput(
  of: InputOf & { options: readonly PlainTextOption[]; value?: string },
): InputBlock {
  return input(of, select({ action: inputAction, ...of }));
}

/** A single checkbox; `value` is in the state when it is ticked. */
export function checkbox(of: InputOf & { value: string; text: string; note?: string }): InputBlock {
  const box: Option = {
    value: of.value,
    text: plain(of.text, limits.optionText),
    ...(of.note
      ? { description: { type: 'plain_text', text: cut(oneLine(of.note), limits.optionText) } }
      : {}),
  };
  return input({ ...of, optional: true }, { type: 'checkboxes', action_id: inputAction, options: [box] });
}
