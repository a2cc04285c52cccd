/** Values of interactive elements: what the page holds, and what Slack calls the state of a view. */
import type {
  ActionsBlockElement,
  InputBlock,
  KnownBlock,
  Option,
  SectionBlockAccessory,
} from '@slack/types';
import type { OpenView } from '../model.ts';

export type InteractiveElement = ActionsBlockElement | InputBlock['element'] | SectionBlockAccessory;

/** Text, date or the value of the one chosen option; a list where many may be chosen. Empty means nothing. */
export type RawValue = string | string[];

/** Raw values by block id, then action id. */
export type FormValues = Record<string, Record<string, RawValue>>;

interface PlacedElement {
  blockId: string;
  element: InteractiveElement;
}

type SlackValue = Record<string, unknown>;

export function optionsOf(element: InteractiveElement): Option[] {
  if (!('options' in element || 'option_groups' in element)) return [];
  const groups = 'option_groups' in element ? (element.option_groups ?? []) : [];
  return [
    ...(('options' in element ? element.options : undefined) ?? []),
    ...groups.flatMap((one) => one.options),
  ];
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

/** One entry of `view.state.values`, as Slack sends it with a submitted view. */
export function slackValue(element: InteractiveElement, raw: RawValue): SlackValue {
  const type = element.type;
  const one = typeof raw === 'string' && raw !== '' ? raw : null;
  const many = typeof raw === 'string' ? [] : raw;
  const options = optionsOf(element);
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: options.find((option) => option.value === one) ?? null };
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: options.filter((option) => many.includes(option.value ?? '')) };
    case 'users_select':
      return { type, selected_user: one };
    case 'channels_select':
      return { type, selected_channel: one };
    case 'conversations_select':
      return { type, selected_conversation: one };
    case 'multi_users_select':
      return { type, selected_users: many };
    case 'multi_channels_select':
      return { type, selected_channels: many };
    case 'multi_conversations_select':
      return { type, selected_conversations: many };
    case 'datepicker':
      return { type, selected_date: one };
    case 'timepicker':
      return { type, selected_time: one };
    case 'datetimepicker':
      return { type, selected_date_time: one === null ? null : Math.floor(new Date(one).getTime() / 1000) };
    case 'rich_text_input':
      return { type, rich_text_value: one === null ? undefined : richText(one) };
    default:
      return { type, value: one };
  }
}

/** Interactive elements of a view with their block id; only these take part in its state. */
export function elementsOf(blocks: readonly KnownBlock[]): PlacedElement[] {
  return blocks.flatMap((block): PlacedElement[] => {
    const blockId = block.block_id ?? '';
    if (block.type === 'input') return [{ blockId, element: block.element }];
    if (block.type === 'actions') return block.elements.map((element) => ({ blockId, element }));
    return block.type === 'section' && block.accessory ? [{ blockId, element: block.accessory }] : [];
  });
}

/** The state of a whole view. Buttons and overflow menus have none, as in Slack. */
export function viewState(view: OpenView, values: FormValues): Record<string, Record<string, SlackValue>> {
  const state: Record<string, Record<string, SlackValue>> = {};
  for (const { blockId, element } of elementsOf(view.blocks as readonly KnownBlock[])) {
    const actionId = actionIdOf(element);
    if (actionId === undefined || element.type === 'button' || element.type === 'overflow') continue;
    const raw = values[blockId]?.[actionId] ?? initialValue(element);
    state[blockId] = { ...state[blockId], [actionId]: slackValue(element, raw) };
  }
  return state;
}

export function actionIdOf(element: InteractiveElement): string | undefined {
  return 'action_id' in element ? element.action_id : undefined;
}

/** `2026-01-31T09:30` in the browser's time zone, for an input of type datetime-local. */
function localMinute(unix: number): string {
  const date = new Date(unix * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function richText(text: string) {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}
