/**
 * Status emoji are drawn as small marks: they need no emoji font and look the same everywhere.
 * Other names stay as Slack writes them, `:name:`.
 */
const marks: Record<string, readonly [sign: string, tone: string]> = {
  white_check_mark: ['✓', 'good'],
  heavy_check_mark: ['✓', 'good'],
  ballot_box_with_check: ['✓', 'good'],
  large_green_circle: ['●', 'good'],
  x: ['×', 'bad'],
  no_entry: ['–', 'bad'],
  no_entry_sign: ['–', 'bad'],
  red_circle: ['●', 'bad'],
  rotating_light: ['!', 'bad'],
  warning: ['!', 'warn'],
  large_yellow_circle: ['●', 'warn'],
  hourglass: ['…', 'calm'],
  hourglass_flowing_sand: ['…', 'calm'],
  large_blue_circle: ['●', 'calm'],
  white_circle: ['○', 'calm'],
  information_source: ['i', 'calm'],
  question: ['?', 'warn'],
  grey_question: ['?', 'calm'],
  fast_forward: ['»', 'calm'],
  black_square_for_stop: ['■', 'calm'],
  pencil2: ['✎', 'calm'],
  memo: ['✎', 'calm'],
  eyes: ['◉', 'calm'],
  pager: ['☎', 'warn'],
  telephone_receiver: ['☎', 'warn'],
  bell: ['!', 'warn'],
  lock: ['▪', 'calm'],
};

export function Emoji({ name }: { name: string }) {
  const mark = Object.hasOwn(marks, name) ? marks[name] : undefined;
  if (!mark) return <span>{`:${name}:`}</span>;
  return (
    <span className={`emoji emoji-${mark[1]}`} role="img" aria-label={name.replaceAll('_', ' ')}>
      {mark[0]}
    </span>
  );
}
