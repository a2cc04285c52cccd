import { type Choice, ManyChoices, Menu } from './choices.tsx';
import { type InteractiveElement, optionsOf, type RawValue } from './field-value.ts';

export interface ControlProps {
  element: InteractiveElement;
  value: RawValue;
  onChange: (value: RawValue) => void;
  /** Connects the label, the hint and the error of a form to the control. */
  id: string;
  /** Accessible name if there is no visible label. */
  label?: string | undefined;
  describedBy?: string | undefined;
  onEnter?: (() => void) | undefined;
}

/** Native controls for Slack's selects, checkboxes and inputs. Buttons and overflow menus are `ActionElement`. */
export function Control(props: ControlProps) {
  const choices = choicesOf(props.element);
  const { element, value } = props;
  const one = typeof value === 'string' ? value : '';
  const many = typeof value === 'string' ? [] : value;
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
      return <TextControl {...props} element={element} value={one} />;
    case 'static_select':
      return <Menu {...props} choices={choices} value={one} placeholder={placeholderOf(element)} />;
    case 'checkboxes':
      return <ManyChoices {...props} choices={choices} value={many} />;
    default:
      return <Unsupported what={element.type} />;
  }
}

/** Shown explicitly, so that nobody mistakes a gap of the sandbox for a fault of the app. */
export function Unsupported({ what }: { what: string }) {
  return <p className="unsupported">Slack shows “{what}” here; the sandbox does not draw it.</p>;
}

type TextElement = Extract<InteractiveElement, { type: 'plain_text_input' | 'number_input' }>;

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
  if (element.type === 'plain_text_input' && element.multiline) {
    return <textarea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <input
      {...shared}
      type="text"
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

function choicesOf(element: InteractiveElement): Choice[] {
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
