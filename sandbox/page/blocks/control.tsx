import { useSandbox } from '../sandbox-context.ts';
import { type Choice, ManyChoices, Menu, OneChoice } from './choices.tsx';
import { type InteractiveElement, optionsOf, type RawValue } from './field-value.ts';

export interface ControlProps {
  element: InteractiveElement;
  value: RawValue;
  onChange: (value: RawValue) => void;
  /** Ties the label, the hint and the error of a form to the control. */
  id: string;
  /** Accessible name where no visible label exists. */
  label?: string | undefined;
  describedBy?: string | undefined;
  onEnter?: (() => void) | undefined;
}

/** Native controls for Slack's selects, pickers and inputs. Buttons and overflow menus are `ActionElement`. */
export function Control(props: ControlProps) {
  const choices = useChoices(props.element);
  const { element, value } = props;
  const one = typeof value === 'string' ? value : '';
  const many = typeof value === 'string' ? [] : value;
  switch (element.type) {
    case 'plain_text_input':
    case 'rich_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return <TextControl {...props} element={element} value={one} />;
    case 'static_select':
    case 'users_select':
    case 'channels_select':
    case 'conversations_select':
      return <Menu {...props} choices={choices} value={one} placeholder={placeholderOf(element)} />;
    case 'radio_buttons':
      return <OneChoice {...props} choices={choices} value={one} />;
    case 'checkboxes':
    case 'multi_static_select':
    case 'multi_users_select':
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return <ManyChoices {...props} choices={choices} value={many} boxed={element.type !== 'checkboxes'} />;
    default:
      return <Unsupported what={element.type} />;
  }
}

/** Said openly, so that nobody takes a gap of the sandbox for a fault of the app. */
export function Unsupported({ what }: { what: string }) {
  return <p className="unsupported">Slack shows “{what}” here; the sandbox does not draw it.</p>;
}

type TextElement = Extract<
  InteractiveElement,
  {
    type:
      | 'plain_text_input'
      | 'rich_text_input'
      | 'number_input'
      | 'email_text_input'
      | 'url_text_input'
      | 'datepicker'
      | 'timepicker'
      | 'datetimepicker';
  }
>;

const inputTypes: Partial<Record<TextElement['type'], string>> = {
  email_text_input: 'email',
  url_text_input: 'url',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

function TextControl(props: ControlProps & { element: TextElement; value: string }) {
  const { element, value, onChange, id, label, describedBy, onEnter } = props;
  const shared = {
    id,
    value,
    className: 'input',
    'aria-label': label,
    'aria-describedby': describedBy,
    placeholder: placeholderOf(element),
    autoFocus: 'focus_on_load' in element && element.focus_on_load === true,
  };
  if (element.type === 'rich_text_input' || (element.type === 'plain_text_input' && element.multiline)) {
    return <textarea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <input
      {...shared}
      type={inputTypes[element.type] ?? 'text'}
      inputMode={element.type === 'number_input' ? 'decimal' : undefined}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !onEnter) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

function placeholderOf(element: InteractiveElement): string | undefined {
  return 'placeholder' in element ? element.placeholder?.text : undefined;
}

function useChoices(element: InteractiveElement): Choice[] {
  const { state } = useSandbox();
  if (element.type.endsWith('users_select')) {
    return state.people.map((one) => ({ value: one.id, label: one.realName }));
  }
  if (element.type.endsWith('channels_select') || element.type.endsWith('conversations_select')) {
    const shown = state.slack.channels.filter(
      (one) => !one.isIm || element.type.endsWith('conversations_select'),
    );
    return shown.map((one) => ({ value: one.id, label: one.isIm ? one.name : `#${one.name}` }));
  }
  const groupOf = new Map<string, string>(
    'option_groups' in element
      ? (element.option_groups ?? []).flatMap((group) =>
          group.options.map((one): [string, string] => [one.value ?? '', group.label.text]),
        )
      : [],
  );
  return optionsOf(element).map((one) => ({
    value: one.value ?? '',
    label: one.text.text,
    text: one.text,
    description: one.description,
    group: groupOf.get(one.value ?? ''),
  }));
}
