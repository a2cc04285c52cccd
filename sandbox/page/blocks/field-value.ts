/** Values of interactive elements: what the page holds while a person types, and what is sent. */
import type { ActionsBlockElement, InputBlock, Option, SectionBlockAccessory } from '@slack/types';

export type InteractiveElement = ActionsBlockElement | InputBlock['element'] | SectionBlockAccessory;

/** Text, date or the value of the one chosen option; a list where many may be chosen. Empty means nothing. */
export type RawValue = string | string[];

export function optionsOf(element: InteractiveElement): Option[] {
  const groups = 'option_groups' in element ? (element.option_groups ?? []) : [];
  const single = 'options' in element ? (element.options ?? []) : [];
  return [...single, ...groups.flatMap((one) => one.options)];
}

export function initialValue(element: InteractiveElement): RawValue {
  switch (element.type) {
    case 'static_select':
    case 'radio_buttons':
      return element.initial_option?.value ?? '';
    case 'multi_static_select':
    case 'checkboxes':
      return element.initial_options?.map((one) => one.value ?? '') ?? [];
    case 'users_select':
      return element.initial_user ?? '';
    case 'channels_select':
      return element.initial_channel ?? '';
    case 'conversations_select':
      return element.initial_conversation ?? '';
    case 'multi_users_select':
      return element.initial_users ?? [];
    case 'multi_channels_select':
      return element.initial_channels ?? [];
    case 'multi_conversations_select':
      return element.initial_conversations ?? [];
    case 'datepicker':
      return element.initial_date ?? '';
    case 'timepicker':
      return element.initial_time ?? '';
    case 'datetimepicker':
      return element.initial_date_time === undefined ? '' : localMinute(element.initial_date_time);
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return element.initial_value ?? '';
    default:
      return '';
  }
}

/** What a click or a submission sends for this element; a button without a value sends none. */
export function entryOf(element: InteractiveElement, raw: RawValue): unknown {
  if (element.type === 'button') return element.value;
  if (element.type === 'datetimepicker') return raw === '' ? null : new Date(String(raw)).getTime() / 1000;
  if (element.type === 'rich_text_input') return raw === '' ? null : richText(String(raw));
  return raw;
}

export function actionIdOf(element: InteractiveElement): string {
  return ('action_id' in element ? element.action_id : undefined) ?? '';
}

/** `2026-01-31T09:30` in the browser's time zone, for an input of type datetime-local. */
function localMinute(unix: number): string {
  const date = new Date(unix * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function richText(text: string) {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}
