import type { CSSProperties } from 'react';
import { Icon } from '../icon.tsx';

/** Initials on a colour derived from the id, so that a person looks the same everywhere. */
export function Avatar({ id, name, app = false }: { id: string; name: string; app?: boolean }) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  const initials = name
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  return (
    <span
      className={app ? 'avatar avatar-app' : 'avatar'}
      style={app ? {} : hueStyle(hue)}
      aria-hidden="true"
    >
      {app ? <Icon name="check" /> : initials}
    </span>
  );
}

/** React passes custom properties on, but its types do not include them. */
function hueStyle(hue: number): CSSProperties {
  const style: Record<`--${string}`, number> = { '--hue': hue };
  return style;
}
