const paths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  dot: 'M12 12h.01',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5S19 7.5 21.5 12C19 16.5 15.7 18.5 12 18.5S5 16.5 2.5 12M12 12h.01',
  phone:
    'M9 2.5h6a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2M11 18.5h2M3.5 8v8M20.5 8v8',
} as const;

export type IconName = keyof typeof paths;

/** Drawn instead of typed, so that it looks the same on machines without symbol fonts. */
export function Icon({ name, className = 'icon' }: { name: IconName; className?: string }) {
  const width = name === 'dots' ? 3.2 : name === 'dot' ? 12 : name === 'phone' || name === 'eye' ? 1.9 : 2.6;
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={width}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
