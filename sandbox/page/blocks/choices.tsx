import type { TextObject } from '@slack/types';
import { Text } from './text.tsx';

export interface Choice {
  value: string;
  label: string;
  text?: TextObject | undefined;
  description?: TextObject | undefined;
  group?: string | undefined;
}

interface ChoiceProps<Value> {
  id: string;
  choices: Choice[];
  value: Value;
  onChange: (value: Value) => void;
  label?: string | undefined;
  describedBy?: string | undefined;
}

export function Menu(props: ChoiceProps<string> & { placeholder: string | undefined }) {
  const { id, choices, value, onChange, label, describedBy, placeholder } = props;
  const groups = [...new Set(choices.map((one) => one.group))];
  const items = (group: string | undefined) =>
    choices
      .filter((one) => one.group === group)
      .map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ));
  return (
    <select
      id={id}
      className="input"
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{placeholder ?? 'Choose…'}</option>
      {groups.map((group) =>
        group === undefined ? (
          items(group)
        ) : (
          <optgroup key={group} label={group}>
            {items(group)}
          </optgroup>
        ),
      )}
    </select>
  );
}

export function ManyChoices(props: ChoiceProps<string[]>) {
  const { id, choices, value, onChange, label, describedBy } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the visible label of the block is the legend already
    <div role="group" className="choices" aria-label={label} aria-describedby={describedBy} id={id}>
      {choices.map((one) => (
        <label key={one.value} className="choice">
          <input
            type="checkbox"
            checked={value.includes(one.value)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...value, one.value] : value.filter((chosen) => chosen !== one.value),
              )
            }
          />
          <ChoiceText choice={one} />
        </label>
      ))}
    </div>
  );
}

function ChoiceText({ choice }: { choice: Choice }) {
  return (
    <span>
      {choice.text ? <Text text={choice.text} /> : choice.label}
      {choice.description ? (
        <span className="choice-description">
          <Text text={choice.description} />
        </span>
      ) : null}
    </span>
  );
}
