import { Icon, type IconName } from '../icon.tsx';

/**
 * Status emoji are drawn as small marks: they need no emoji font and look the same everywhere.
 * Other names stay as Slack writes them, `:name:`.
 */
const marks: Record<string, readonly [sign: string, tone: string]> = {
  white_check_mark: ['check', 'good'],
  heavy_check_mark: ['check', 'good'],
  ballot_box_with_check: ['check', 'good'],
  large_green_circle: ['dot', 'good'],
  x: ['cross', 'bad'],
  no_entry: ['-', 'bad'],
  no_entry_sign: ['-', 'bad'],
  red_circle: ['dot', 'bad'],
  rotating_light: ['!', 'bad'],
  warning: ['!', 'warn'],
  large_yellow_circle: ['dot', 'warn'],
  hourglass: ['…', 'calm'],
  hourglass_flowing_sand: ['…', 'calm'],
  large_blue_circle: ['dot', 'calm'],
  white_circle: ['dot', 'calm'],
  information_source: ['i', 'calm'],
  question: ['?', 'warn'],
  grey_question: ['?', 'calm'],
  fast_forward: ['»', 'calm'],
  eyes: ['eye', 'calm'],
  pager: ['phone', 'warn'],
  telephone_receiver: ['phone', 'warn'],
  bell: ['!', 'warn'],
};

const icons: Record<string, IconName> = {
  check: 'check',
  dot: 'dot',
  cross: 'cross',
  eye: 'eye',
  phone: 'phone',
};

export function Emoji({ name }: { name: string }) {
  const mark = Object.hasOwn(marks, name) ? marks[name] : undefined;
  if (!mark) return <span>{`:${name}:`}</span>;
  const [sign, tone] = mark;
  const icon = icons[sign];
  return (
    <span className={`emoji emoji-${tone}`} role="img" aria-label={name.replaceAll('_', ' ')}>
      {icon ? <Icon name={icon} /> : sign}
    </span>
  );
}
