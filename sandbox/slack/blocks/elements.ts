import { listAt } from '../fields.ts';
import {
  actionId,
  checkInitial,
  confirm,
  dispatchConfig,
  markedOption,
  menuChecks,
  menuOption,
  optionGroup,
  overflowOption,
  plain,
  text,
} from './composition.ts';
import { numberInput, plainTextInput } from './inputs.ts';
import { choice, flag, list, type Members, may, need, object, type Rule, string, url } from './rules.ts';

const base: Members = { type: need(string()), action_id: may(actionId) };
const confirmable: Members = { ...base, confirm: may(confirm) };
const focusable: Members = { focus_on_load: may(flag) };
const placeholder: Members = { placeholder: may(plain(150)) };
const menu: Members = { ...confirmable, ...focusable, ...placeholder };
const typed: Members = { ...base, ...focusable, ...placeholder, dispatch_action_config: may(dispatchConfig) };
const staticOptions: Members = {
  options: may(list(menuOption, { min: 1, max: 100 })),
  option_groups: may(list(optionGroup, { min: 1, max: 100 })),
};
const button: Rule = object({
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
};

const menus: Readonly<Record<string, Rule>> = {
  ...picked,
  static_select: object({ ...menu, ...staticOptions, initial_option: may(menuOption) }, menuChecks),
};

const overflow: Rule = object({ ...confirmable, options: need(list(overflowOption, { min: 1, max: 5 })) });

export const inActions: Readonly<Record<string, Rule>> = {
  ...menus,
  button,
  overflow,
};

export const inSection: Readonly<Record<string, Rule>> = {
  ...menus,
  button,
  overflow,
};

const rated: Rule = object({
  text: need(plain(75)),
  value: need(string({ max: 2_000 })),
  accessibility_label: may(string({ max: 75 })),
});

export const inContextActions: Readonly<Record<string, Rule>> = {
  feedback_buttons: object({ ...base, positive_button: need(rated), negative_button: need(rated) }),
};

export const inContext: Readonly<Record<string, Rule>> = {
  plain_text: text(),
  mrkdwn: text(),
};

export const inInput: Readonly<Record<string, Rule>> = {
  ...menus,
  plain_text_input: plainTextInput(typed),
  number_input: numberInput(typed),
};
