import type { ReactNode } from 'react';

export interface PaneProps {
  id: string;
  name: string;
  /** Number of items that need attention. */
  badge?: number;
  children: ReactNode;
}

export function Pane({ id, name, badge, children, narrow }: PaneProps & { narrow: boolean }) {
  return (
    <section
      className={`pane pane-${id}`}
      id={`pane-${id}`}
      aria-label={name}
      role={narrow ? 'tabpanel' : 'region'}
    >
      {narrow ? null : (
        <h2 className="pane-title">
          {name}
          <Badge count={badge} />
        </h2>
      )}
      <div className="pane-body">{children}</div>
    </section>
  );
}

export function Tabs({
  panes,
  current,
  onOpen,
}: {
  panes: PaneProps[];
  current: string;
  onOpen: (id: string) => void;
}) {
  function onKey(event: React.KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = panes.findIndex((one) => one.id === current);
    const next = panes[(at + step + panes.length) % panes.length];
    if (step === 0 || !next) return;
    onOpen(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  }
  return (
    <div className="tabs" role="tablist" aria-label="Panes" onKeyDown={onKey}>
      {panes.map((pane) => (
        <button
          key={pane.id}
          type="button"
          role="tab"
          id={`tab-${pane.id}`}
          aria-selected={pane.id === current}
          aria-controls={pane.id === current ? `pane-${pane.id}` : undefined}
          tabIndex={pane.id === current ? 0 : -1}
          onClick={() => onOpen(pane.id)}
        >
          {pane.name}
          <Badge count={pane.badge} />
        </button>
      ))}
    </div>
  );
}

function Badge({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <span className="badge" role="img" aria-label={`${count} ringing`}>
      {count}
    </span>
  );
}
