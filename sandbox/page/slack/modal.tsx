import type { InputBlock } from '@slack/types';
import { useState } from 'react';
import { BlockList } from '../blocks/block-list.tsx';
import { InputField } from '../blocks/input-field.tsx';
import { Dialog } from '../dialog.tsx';
import type { OpenView } from '../model.ts';
import { useForm } from './use-form.ts';

/** The topmost modal of the acting person. */
export function Modal({ view }: { view: OpenView }) {
  const form = useForm(view);
  const [busy, setBusy] = useState(false);

  async function submit() {
    setBusy(true);
    await form.submit();
    setBusy(false);
  }
  function input(block: InputBlock) {
    const id = block.block_id ?? '';
    const value = form.valueOf(id, block.element);
    const typed = block.element.type.endsWith('_input');
    return (
      <InputField
        block={block}
        value={value}
        error={view.errors[id]}
        onChange={(next) => {
          form.change(id, block.element, next);
          if (block.dispatch_action && !typed) void form.action(id, block.element, next);
        }}
        onEnter={
          block.dispatch_action && typed ? () => void form.action(id, block.element, value) : undefined
        }
      />
    );
  }
  return (
    <Dialog title={view.title} onClose={() => void form.close()}>
      <form
        className="modal-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="dialog-body">
          {view.notice ? (
            <p className="notice" role="alert">
              {view.notice}
            </p>
          ) : null}
          <BlockList blocks={view.blocks} onAct={form.action} input={input} />
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={() => void form.close()}>
            {view.close}
          </button>
          {view.submit ? (
            <button type="submit" className="button button-primary" disabled={busy} aria-busy={busy}>
              {view.submit}
            </button>
          ) : null}
        </footer>
      </form>
    </Dialog>
  );
}
