import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

export interface MenuItem {
  name: string;
  run: () => void;
}

/** A “⋯” button with a menu; arrow keys move, Escape and a click elsewhere close it. */
export function PopupMenu({ name, items }: { name: string; items: MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    menu.current?.scrollIntoView({ block: 'nearest' });
    menu.current?.querySelector('button')?.focus({ preventScroll: true });
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [open]);

  function onKey(event: React.KeyboardEvent) {
    if (event.key === 'Escape') setOpen(false);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    if (step === 0 || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.findIndex((one) => one.matches(':focus'));
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only passes on the keys of the buttons inside
    <span className="popup" ref={root} onKeyDown={onKey}>
      <button
        type="button"
        className="icon-button"
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="dots" />
      </button>
      {open ? (
        <div className="popup-menu" role="menu" id={id} ref={menu} aria-label={name}>
          {items.map((item) => (
            <button
              key={item.name}
              type="button"
              role="menuitem"
              onClick={() => {
                setOpen(false);
                item.run();
              }}
            >
              {item.name}
            </button>
          ))}
        </div>
      ) : null}
    </span>
  );
}
