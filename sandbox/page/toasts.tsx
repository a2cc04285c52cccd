import { useCallback, useState } from 'react';
import { Icon } from './icon.tsx';

export interface Toast {
  id: number;
  text: string;
}

/** Short notices about failed clicks. Each stays until it is dismissed, four at most. */
export function useToasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const notify = useCallback((text: string) => {
    setToasts((all) => [
      ...all.filter((one) => one.text !== text).slice(-3),
      { id: (all.at(-1)?.id ?? 0) + 1, text },
    ]);
  }, []);
  const dismiss = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  return { toasts, notify, dismiss };
}

export function Toasts({ toasts, onDismiss }: { toasts: Toast[]; onDismiss: (id: number) => void }) {
  return (
    <div className="toasts" role="alert">
      {toasts.map((toast) => (
        <div key={toast.id} className="toast">
          <span>{toast.text}</span>
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss notice"
            onClick={() => onDismiss(toast.id)}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
