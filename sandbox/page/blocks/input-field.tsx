import type { InputBlock } from '@slack/types';
import { useId } from 'react';
import { Control } from './control.tsx';
import type { RawValue } from './field-value.ts';
import { Text } from './text.tsx';

interface InputFieldProps {
  block: InputBlock;
  value: RawValue;
  error: string | undefined;
  onChange: (value: RawValue) => void;
  /** For text the app wants to receive on Enter, which then does not submit the form. */
  onEnter?: (() => void) | undefined;
}

/** One `input` block of a view: label, control, hint and the error returned by the app. */
export function InputField({ block, value, error, onChange, onEnter }: InputFieldProps) {
  const id = useId();
  const describedBy = [block.hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim();
  const many = block.element.type === 'checkboxes';
  return (
    <div className={error ? 'field field-wrong' : 'field'}>
      {many ? (
        <span className="field-label">{labelOf(block)}</span>
      ) : (
        <label htmlFor={id}>{labelOf(block)}</label>
      )}
      <Control
        element={block.element}
        value={value}
        onChange={onChange}
        onEnter={onEnter}
        id={id}
        label={many ? block.label.text : undefined}
        describedBy={describedBy === '' ? undefined : describedBy}
      />
      {block.hint ? (
        <div className="field-hint" id={`${id}-hint`}>
          <Text text={block.hint} />
        </div>
      ) : null}
      {error ? (
        <div className="field-error" role="alert" id={`${id}-error`}>
          {error}
        </div>
      ) : null}
    </div>
  );
}

function labelOf(block: InputBlock) {
  return (
    <>
      {block.label.text}
      {block.optional ? <span className="muted"> (optional)</span> : null}
    </>
  );
}
