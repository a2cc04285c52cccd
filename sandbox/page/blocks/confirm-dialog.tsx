import type { ConfirmationDialog } from '@slack/types';
import { Dialog } from '../dialog.tsx';
import { Text } from './text.tsx';

interface ConfirmDialogProps {
  confirm: ConfirmationDialog;
  onConfirm: () => void;
  onDeny: () => void;
}

/** Slack shows this before it sends an action with `confirm`. */
export function ConfirmDialog({ confirm, onConfirm, onDeny }: ConfirmDialogProps) {
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
