import { listAt } from '../fields.ts';
import {
  actionId,
  checkInitial,
  confirm,
  conversationFilter,
  dispatchConfig,
  markedOption,
  maxSelected,
  menuChecks,
  menuOption,
  optionGroup,
  overflowOption,
  plain,
  slackFile,
  text,
} from './composition.ts';
import { numberInput, plainTextInput } from './inputs.ts';
import { richText } from './rich-text.ts';
import {
  choice,
  flag,
  list,
  type Members,
  may,
  need,
  number,
  object,
  pattern,
  type Rule,
  string,
  url,
} from './rules.ts';

const base: Members = { type: need(string()), action_id: may(actionId) };
const confirmable: Members = { ...base, confirm: may(confirm) };
const focusable: Members = { focus_on_load: may(flag) };
const placeholder: Members = { placeholder: may(plain(150)) };
const menu: Members = { ...confirmable, ...focusable, ...placeholder };
const multi: Members = { ...menu, max_selected_items: may(maxSelected) };
const typed: Members = { ...base, ...focusable, ...placeholder, dispatch_action_config: may(dispatchConfig) };
const staticOptions: Members = {
  options: may(list(menuOption, { min: 1, max: 100 })),
  option_groups: may(list(optionGroup, { min: 1, max: 100 })),
};
const conversations: Members = {
  default_to_current_conversation: may(flag),
  filter: may(conversationFilter),
};
const ids = list(string());

export const image: Rule = object(
  {
    type: need(string()),
    image_url: may(url),
    slack_file: may(slackFile),
    alt_text: need(string({ min: 1, max: 2_000 })),
  },
  (value, at, findings) => {
    if ((value.image_url === undefined) === (value.slack_file === undefined)) {
      findings.add(at, 'must provide exactly one of: image_url, slack_file');
    }
  },
);

export const button: Rule = object({
  ...confirmable,
  text: need(plain(75)),
  value: may(string({ max: 2_000 })),
  url: may(url),
  style: may(choice('primary', 'danger')),
  accessibility_label: may(string({ max: 75 })),
});

const picked: Readonly<Record<string, Rule>> = {
  checkboxes: object(
    {
      ...confirmable,
      ...focusable,
      options: need(list(markedOption, { min: 1, max: 10 })),
      initial_options: may(list(markedOption, { min: 1, max: 10 })),
    },
    (value, at, findings) => checkInitial(value, at, listAt(value, 'options'), findings),
  ),
  radio_buttons: object(
    {
      ...confirmable,
      ...focusable,
      options: need(list(markedOption, { min: 1, max: 10 })),
      initial_option: may(markedOption),
    },
    (value, at, findings) => checkInitial(value, at, listAt(value, 'options'), findings),
  ),
  datepicker: object({
    ...menu,
    initial_date: may(pattern(/^\d{4}-\d{2}-\d{2}$/, 'must be in the format YYYY-MM-DD')),
  }),
  timepicker: object({
    ...menu,
    initial_time: may(pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be in the format HH:mm')),
    timezone: may(string()),
  }),
  datetimepicker: object({ ...confirmable, ...focusable, initial_date_time: may(number({ min: 1 })) }),
};

export const menus: Readonly<Record<string, Rule>> = {
  ...picked,
  static_select: object({ ...menu, ...staticOptions, initial_option: may(menuOption) }, menuChecks),
  external_select: object({
    ...menu,
    initial_option: may(menuOption),
    min_query_length: may(number({ min: 0 })),
  }),
  users_select: object({ ...menu, initial_user: may(string()) }),
  conversations_select: object({
    ...menu,
    ...conversations,
    initial_conversation: may(string()),
    response_url_enabled: may(flag),
  }),
  channels_select: object({ ...menu, initial_channel: may(string()), response_url_enabled: may(flag) }),
  multi_static_select: object(
    { ...multi, ...staticOptions, initial_options: may(list(menuOption, { min: 1, max: 100 })) },
    menuChecks,
  ),
  multi_external_select: object({
    ...multi,
    initial_options: may(list(menuOption, { min: 1, max: 100 })),
    min_query_length: may(number({ min: 0 })),
  }),
  multi_users_select: object({ ...multi, initial_users: may(ids) }),
  multi_conversations_select: object({ ...multi, ...conversations, initial_conversations: may(ids) }),
  multi_channels_select: object({ ...multi, initial_channels: may(ids) }),
};

const overflow: Rule = object({ ...confirmable, options: need(list(overflowOption, { min: 1, max: 5 })) });

const workflowButton: Rule = object({
  ...base,
  text: need(plain(75)),
  workflow: need(
    object({
      trigger: need(
        object({
          url: need(url),
          customizable_input_parameters: may(list(object({ name: need(string()), value: need(string()) }))),
        }),
      ),
    }),
  ),
  style: may(choice('primary', 'danger')),
  accessibility_label: may(string({ max: 75 })),
});

const richTextInput: Rule = object({ ...typed, initial_value: may(richText) });

export const inActions: Readonly<Record<string, Rule>> = {
  ...menus,
  button,
  overflow,
  workflow_button: workflowButton,
  rich_text_input: richTextInput,
};

export const inSection: Readonly<Record<string, Rule>> = {
  ...menus,
  button,
  overflow,
  workflow_button: workflowButton,
  image,
};

export const inContext: Readonly<Record<string, Rule>> = {
  image,
  plain_text: text(),
  mrkdwn: text(),
};

export const inInput: Readonly<Record<string, Rule>> = {
  ...menus,
  plain_text_input: plainTextInput(typed),
  number_input: numberInput(typed),
  email_text_input: object({ ...typed, initial_value: may(string()) }),
  url_text_input: object({ ...typed, initial_value: may(string()) }),
  rich_text_input: richTextInput,
  file_input: object({
    ...base,
    filetypes: may(list(string())),
    max_files: may(number({ min: 1, max: 10 })),
  }),
};

const feedbackButton: Rule = object({
  text: need(plain(75)),
  value: need(string({ max: 2_000 })),
  accessibility_label: may(string({ max: 75 })),
});

export const inContextActions: Readonly<Record<string, Rule>> = {
  feedback_buttons: object({
    ...base,
    positive_button: need(feedbackButton),
    negative_button: need(feedbackButton),
  }),
  icon_button: object({
    ...confirmable,
    icon: need(string()),
    text: need(plain(75)),
    value: may(string({ max: 2_000 })),
    accessibility_label: may(string({ max: 75 })),
    visible_to_user_ids: may(list(string(), { max: 10 })),
  }),
};
