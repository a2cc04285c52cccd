/** Values of interactive elements: as held by the page while a person types, and as sent. */
import type {
  ActionsBlockElement,
  FeedbackButtons,
  InputBlock,
  Option,
  SectionBlockAccessory,
} from '@slack/types';

export type InteractiveElement =
  | ActionsBlockElement
  | FeedbackButtons
  | InputBlock['element']
  | SectionBlockAccessory;

/** Text or the value of the selected option; a list if several may be selected. Empty means no value. */
export type RawValue = string | string[];

export function optionsOf(element: InteractiveElement): Option[] {
  const groups = 'option_groups' in element ? (element.option_groups ?? []) : [];
  const single = 'options' in element ? (element.options ?? []) : [];
  return [...single, ...groups.flatMap((one) => one.options)];
}

export function initialValue(element: InteractiveElement): RawValue {
  switch (element.type) {
    case 'static_select':
      return element.initial_option?.value ?? '';
    case 'checkboxes':
      return element.initial_options?.map((one) => one.value ?? '') ?? [];
    case 'plain_text_input':
    case 'number_input':
      return element.initial_value ?? '';
    default:
      return '';
  }
}

/** The value a click or a submission sends for this element; a button without a value sends none. */
export function entryOf(element: InteractiveElement, raw: RawValue): unknown {
  if (element.type === 'button') return element.value;
  return raw;
}

export function actionIdOf(element: InteractiveElement): string {
  return ('action_id' in element ? element.action_id : undefined) ?? '';
}
