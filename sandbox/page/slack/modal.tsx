import type { KnownBlock } from '@slack/types';
import { useState } from 'react';
import { BlockList } from '../blocks/block-list.tsx';
import {
  actionIdOf,
  elementsOf,
  type FormValues,
  initialValue,
  type RawValue,
  viewState,
} from '../blocks/field-value.ts';
import { InputField } from '../blocks/input-field.tsx';
import { Dialog } from '../dialog.tsx';
import type { OpenView } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';

/** The topmost modal of the acting person. What was typed survives an update of the view by the app. */
export function Modal({ view }: { view: OpenView }) {
  const { as, send } = useSandbox();
  const [values, setValues] = useState<FormValues>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const blocks = view.blocks as readonly KnownBlock[];
  const submit = view.type === 'modal' ? view.submit?.text : undefined;

  async function onSubmit() {
    setBusy(true);
    const missing = missingFields(blocks, values);
    setErrors(missing);
    if (Object.keys(missing).length === 0) {
      const delivery = await send('POST', '/api/slack/submit', {
        as,
        viewId: view.id,
        values: viewState(view, values),
      });
      setErrors(delivery?.errors ?? {});
    }
    setBusy(false);
  }
  function change(blockId: string, actionId: string, value: RawValue) {
    setValues((all) => ({ ...all, [blockId]: { ...all[blockId], [actionId]: value } }));
  }
  return (
    <Dialog
      title={titleOf(view)}
      onClose={() => void send('POST', '/api/slack/close', { as, viewId: view.id })}
    >
      <form
        className="modal-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <div className="dialog-body">
          {view.notice ? (
            <p className="notice" role="alert">
              {view.notice}
            </p>
          ) : null}
          <BlockList
            blocks={blocks}
            onAct={(blockId, element, value) => {
              const actionId = actionIdOf(element) ?? '';
              change(blockId, actionId, value);
              return send('POST', '/api/slack/view-action', {
                as,
                viewId: view.id,
                blockId,
                actionId,
                value,
              });
            }}
            input={(block) => {
              const blockId = block.block_id ?? '';
              const actionId = actionIdOf(block.element) ?? '';
              return (
                <InputField
                  block={block}
                  value={values[blockId]?.[actionId] ?? initialValue(block.element)}
                  error={errors[blockId]}
                  onChange={(value) => change(blockId, actionId, value)}
                />
              );
            }}
          />
        </div>
        <footer className="dialog-foot">
          <button
            type="button"
            className="button"
            onClick={() => void send('POST', '/api/slack/close', { as, viewId: view.id })}
          >
            {view.type === 'modal' ? (view.close?.text ?? (submit ? 'Cancel' : 'Close')) : 'Close'}
          </button>
          {submit ? (
            <button type="submit" className="button button-primary" disabled={busy} aria-busy={busy}>
              {submit}
            </button>
          ) : null}
        </footer>
      </form>
    </Dialog>
  );
}

/** Slack's client does not send a view whose required inputs are empty. */
function missingFields(blocks: readonly KnownBlock[], values: FormValues): Record<string, string> {
  const missing: Record<string, string> = {};
  for (const { blockId, element } of elementsOf(blocks)) {
    const block = blocks.find((one) => one.block_id === blockId);
    if (block?.type !== 'input' || block.optional) continue;
    const raw = values[blockId]?.[actionIdOf(element) ?? ''] ?? initialValue(element);
    if (raw.length === 0) missing[blockId] = 'Please complete this required field.';
  }
  return missing;
}

function titleOf(view: OpenView): string {
  return view.type === 'modal' ? view.title.text : 'App home';
}
