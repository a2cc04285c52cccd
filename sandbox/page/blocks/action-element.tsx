import type { ConfirmationDialog } from '@slack/types';
import { useId, useState } from 'react';
import { Dialog } from '../dialog.tsx';
import { PopupMenu } from '../popup-menu.tsx';
import { Control, Unsupported } from './control.tsx';
import { type InteractiveElement, initialValue, type RawValue } from './field-value.ts';
import { safeUrl } from './mrkdwn.ts';
import { Text } from './text.tsx';

/** Sends one action to the app; `value` is the value of the button or the chosen option(s). */
export type Act = (element: InteractiveElement, value: RawValue) => Promise<unknown>;

/** An interactive element in a message, in the home tab or outside a modal's inputs. */
export function ActionElement({
  element,
  onAct,
  label,
}: {
  element: InteractiveElement;
  onAct: Act;
  label?: string | undefined;
}) {
  const id = useId();
  const [value, setValue] = useState<RawValue>(() => initialValue(element));
  const [waiting, setWaiting] = useState<RawValue>();
  const [busy, setBusy] = useState(false);
  const confirm = 'confirm' in element ? element.confirm : undefined;

  async function send(chosen: RawValue) {
    setBusy(true);
    setWaiting(undefined);
    try {
      await onAct(element, chosen);
    } finally {
      setBusy(false);
    }
  }
  function choose(chosen: RawValue) {
    setValue(chosen);
    if (confirm) setWaiting(chosen);
    else void send(chosen);
  }
  return (
    <>
      <Face element={element} value={value} busy={busy} id={id} label={label} onChoose={choose} />
      {confirm && waiting !== undefined ? (
        <ConfirmDialog
          confirm={confirm}
          onConfirm={() => void send(waiting)}
          onDeny={() => {
            setWaiting(undefined);
            setValue(initialValue(element));
          }}
        />
      ) : null}
    </>
  );
}

interface FaceProps {
  element: InteractiveElement;
  value: RawValue;
  busy: boolean;
  id: string;
  label: string | undefined;
  onChoose: (value: RawValue) => void;
}

function Face({ element, value, busy, id, label, onChoose }: FaceProps) {
  if (element.type === 'button') {
    const url = element.url === undefined ? undefined : safeUrl(element.url);
    return (
      <button
        type="button"
        className={`button ${element.style ? `button-${element.style}` : ''}`}
        aria-label={element.accessibility_label}
        aria-busy={busy}
        disabled={busy}
        onClick={() => {
          if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
          onChoose(element.value ?? '');
        }}
      >
        {element.text.text}
      </button>
    );
  }
  if (element.type === 'overflow') {
    const items = element.options.map((one) => ({
      name: one.text.text,
      run: () => onChoose(one.value ?? ''),
    }));
    return <PopupMenu name={label ? `More options: ${label}` : 'More options'} items={items} />;
  }
  if (element.type === 'image') return <Unsupported what={element.type} />;
  return (
    <Control element={element} value={value} onChange={onChoose} id={id} label={label ?? nameOf(element)} />
  );
}

function nameOf(element: InteractiveElement): string {
  return ('placeholder' in element ? element.placeholder?.text : undefined) ?? 'Choice';
}

interface ConfirmDialogProps {
  confirm: ConfirmationDialog;
  onConfirm: () => void;
  onDeny: () => void;
}

/** Slack shows this before it sends an action with `confirm`. */
function ConfirmDialog({ confirm, onConfirm, onDeny }: ConfirmDialogProps) {
  return (
    <Dialog title={confirm.title?.text ?? 'Are you sure?'} onClose={onDeny} className="dialog-small">
      <div className="dialog-body">{confirm.text ? <Text text={confirm.text} /> : null}</div>
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onDeny}>
          {confirm.deny?.text ?? 'Cancel'}
        </button>
        <button
          type="button"
          className={confirm.style === 'danger' ? 'button button-danger' : 'button button-primary'}
          onClick={onConfirm}
        >
          {confirm.confirm?.text ?? 'Yes'}
        </button>
      </footer>
    </Dialog>
  );
}
